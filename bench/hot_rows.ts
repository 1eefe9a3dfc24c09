import { consume } from "~/lifecycle/consume";
import { sweep } from "~/lifecycle/sweep";
import { listJobs } from "~/store/reads/list";
import type { Used } from "~/store/store";
import { seed } from "~/testing/seed";
import { batchOf, used, withoutQueue } from "./alone";
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
