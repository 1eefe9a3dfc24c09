import { messageFor } from "~/domain/message";
import type { Engine } from "~/lifecycle/engine";
import type { Used } from "~/store/store";
import { minus } from "~/testing/meter";

/** Its messages are written down instead of sent: nothing but what is measured may run meanwhile. */
export const withoutQueue = (engine: Engine, sent: string[]): Engine => ({
  ...engine,
  lanes: {
    ...engine.lanes,
    send: async (_lane, outgoing) => void sent.push(...outgoing.map(({ message }) => message.jobId)),
  },
});

/** What one piece of work uses. */
export async function used(engine: Engine, work: () => Promise<unknown>): Promise<Used> {
  const before = { ...engine.store.used };
  await work();
  return minus(engine.store.used, before);
}

/** As the queue would bring the messages of these jobs. */
export const batchOf = (ids: string[]): MessageBatch => ({
  queue: "bench-normal",
  metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
  messages: ids.map((id) => ({
    id,
    timestamp: new Date(),
    body: messageFor(id, 1, "demo"),
    attempts: 1,
    ack() {},
    retry() {},
  })),
  ackAll() {},
  retryAll() {},
});
