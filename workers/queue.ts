import { LANES } from "~/domain/lanes";
import { bury } from "~/lifecycle/bury";
import { consume } from "~/lifecycle/consume";
import type { Engine } from "~/lifecycle/engine";

/** The platform names the queue by its last word, `redrive-high`, and so which consumer this invocation is. */
export async function onBatch(engine: Engine, batch: MessageBatch): Promise<void> {
  const lane = LANES.find((name) => batch.queue.endsWith(`-${name}`));
  await (lane ? consume(engine, lane, batch) : bury(engine, batch));
}
