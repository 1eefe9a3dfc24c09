import { messageFor } from "~/domain/message";
import { consume } from "~/lifecycle/consume";
import type { Engine } from "~/lifecycle/engine";
import { sweep } from "~/lifecycle/sweep";
import { listJobs } from "~/store/reads/list";
import type { Used } from "~/store/store";
import { minus } from "~/testing/meter";
import { seed } from "~/testing/seed";
import { benchEngine, take } from "./shapes/redrive";
import type { BenchEnv } from "./shapes/shape";
import { reset, tallied, tally } from "./tally";

const JOBS = 100;

/** What each hot verb uses, once, on a database that holds `stored` jobs: claim, settle and submit for a hundred jobs. */
export async function hotRows(env: BenchEnv, stored: number): Promise<Record<string, Used>> {
  await seed(stored, Date.now(), "demo");
  // Storing a million takes longer than a message may be on its way before it is looked for.
  await env.DB.prepare("UPDATE jobs SET sent_at = ? WHERE sent_at IS NOT NULL").bind(Date.now()).run();
  reset();
  const sent: string[] = [];
  const engine = withoutQueue(tallied(benchEngine(env)), sent);

  // Once an hour a sweep looks for jobs that were kept long enough: that minute is not idle.
  await sweep(engine);
  const idle = await used(engine, () => sweep(engine));
  const list = await used(engine, () => listJobs(engine.store, {}));
  await take(engine, JOBS);
  await consume(engine, "normal", batchOf(sent));
  const { submit, claim, settle } = tally().verbs;
  return { submit, claim, settle, list, sweepWhenIdle: idle };
}

/** Its messages are written down instead of sent: nothing but what is measured may run meanwhile. */
const withoutQueue = (engine: Engine, sent: string[]): Engine => ({
  ...engine,
  lanes: {
    ...engine.lanes,
    send: async (_lane, outgoing) => void sent.push(...outgoing.map(({ message }) => message.jobId)),
  },
});

async function used(engine: Engine, work: () => Promise<unknown>): Promise<Used> {
  const before = { ...engine.store.used };
  await work();
  return minus(engine.store.used, before);
}

const batchOf = (ids: string[]): MessageBatch => ({
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
