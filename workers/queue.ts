import { bury } from "~/lifecycle/bury";
import { consume } from "~/lifecycle/consume";
import type { Engine } from "~/lifecycle/engine";

/** The platform names the queue, and so which consumer this invocation is. */
export const onBatch = (engine: Engine, batch: MessageBatch): Promise<void> =>
  batch.queue.endsWith("-dead") ? bury(engine, batch) : consume(engine, batch);
