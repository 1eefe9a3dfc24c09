import { LANES } from "~/domain/lanes";
import { bury } from "~/lifecycle/bury";
import { consume } from "~/lifecycle/consume";
import type { Engine } from "~/lifecycle/engine";

/**
 * The platform names the queue, and so which consumer this invocation is: by its last word, `redrive-high`. One of another
 * name is not guessed at, since taken for the dead letters' it would end every job in it unrun: its messages come again.
 */
export async function onBatch(engine: Engine, batch: MessageBatch): Promise<void> {
  const lane = LANES.find((name) => batch.queue.endsWith(`-${name}`));
  if (lane) return consume(engine, lane, batch);
  if (batch.queue.endsWith("-dead")) return bury(engine, batch);
  throw new Error(`the queue ${batch.queue} is none of Redrive's: their names end in -${LANES.join(", -")} or -dead`);
}
