import { demo } from "~/kinds/demo";
import { registryOf } from "~/kinds/registry";
import { consume } from "~/lifecycle/consume";
import type { Engine } from "~/lifecycle/engine";
import { feed } from "~/lifecycle/feed";
import { limitKind } from "~/lifecycle/limits/limit_kind";
import { submit } from "~/lifecycle/submit";
import { sweep } from "~/lifecycle/sweep";
import type { Used } from "~/store/store";
import { HELD_KIND, type HeldBy, LIMITS_OF_HELD, storeHeld } from "~/testing/held";
import { batchOf, used, withoutQueue } from "../alone";
import { benchEngine } from "../shapes/redrive";
import type { BenchEnv } from "../shapes/shape";
import { reset, tallied, tally } from "../tally";

const JOBS = 100;

/** Jobs of a kind that a person has limited to `running` at once: each works for `ms`. */
export async function beginLimited(env: BenchEnv, jobs: number, running: number, ms: number): Promise<void> {
  const engine = benchEngine(env);
  await limitKind(engine, "demo", { running }, { actor: "bench" });
  const payload = { durationMs: ms };
  const one = { kind: "demo", payload, payloadText: JSON.stringify(payload) };
  const answer = await submit(engine, Array<typeof one>(jobs).fill(one));
  if (answer.kind !== "accepted") throw new Error(JSON.stringify(answer));
}

export type Attempt = { startedAt: number; finishedAt: number };

/** Every attempt there was, by D1's clock; and how many jobs are done. */
export async function limitedEnds(env: BenchEnv): Promise<{ done: number; attempts: Attempt[] }> {
  const { results } = await env.DB.prepare(
    "SELECT started_at AS startedAt, finished_at AS finishedAt FROM attempts ORDER BY finished_at",
  ).all<Attempt>();
  return { done: await limitedDone(env), attempts: results };
}

export const limitedDone = async (env: BenchEnv): Promise<number> =>
  (await env.DB.prepare("SELECT coalesce(sum(n), 0) AS n FROM job_counts WHERE view = 'done'").first<number>("n")) ?? 0;

/**
 * What is done beside `held` held jobs: the claim of a hundred jobs of another kind, a feed of their lane, and the sweep of a
 * minute in which nothing is to do.
 */
export async function besideHeld(env: BenchEnv, held: number, by: HeldBy): Promise<Record<string, Used>> {
  await storeHeld(env.DB, held, by, Date.now());
  const sent: string[] = [];
  reset();
  const kinds = registryOf(demo, { ...demo, name: HELD_KIND, limits: LIMITS_OF_HELD[by] });
  const engine: Engine = { ...withoutQueue(tallied(benchEngine(env)), sent), kinds, limited: new Set() };
  // The first of an hour looks for more.
  await sweep(engine);
  const idle = await used(engine, () => sweep(engine));
  await submit(engine, Array(JOBS).fill({ kind: "demo", payload: {}, payloadText: "{}" }));
  if (sent.length !== JOBS) throw new Error(`${sent.length} messages were sent for ${JOBS} jobs`);
  await consume(engine, "normal", batchOf(sent.splice(0)));
  const { claim } = tally().verbs;
  const fed = await used(engine, () => feed(engine, "normal", JOBS));
  if (sent.length > 0) throw new Error(`${sent.length} held jobs were sent`);
  return { claim, feed: fed, sweep: idle };
}
