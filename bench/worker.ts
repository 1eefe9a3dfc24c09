import type { HeldBy } from "~/testing/held";
import { hotRows } from "./hot_rows";
import { beginLimited, besideHeld, limitedDone, limitedEnds } from "./limits/worker";
import { bare } from "./shapes/bare";
import { counted, redrive } from "./shapes/redrive";
import type { BenchEnv, Shape } from "./shapes/shape";
import { tutorial } from "./shapes/tutorial";
import { reset, tally } from "./tally";

const SHAPES: Record<string, Shape> = { redrive, counted, tutorial, bare };
const TABLES = ["jobs", "attempts", "job_counts", "stats", "dead_counts", "kinds", "rate_buckets", "sweeps"];

/** Kept in memory: one isolate serves all, and asking D1 how far it is would be part of the measurement. */
let shape: Shape = bare;
let finished = 0;
let finishedAt = 0;
let send: () => Promise<void> = async () => {};

export default {
  async fetch(request: Request, env: BenchEnv): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const jobs = Number(searchParams.get("jobs"));
    return Response.json((await perform(pathname, env, jobs, searchParams)) ?? null);
  },

  async queue(batch: MessageBatch, env: BenchEnv): Promise<void> {
    await shape.consume(env, batch);
    finished += batch.messages.length;
    finishedAt = Date.now();
  },
};

async function perform(path: string, env: BenchEnv, jobs: number, asked: URLSearchParams): Promise<unknown> {
  switch (path) {
    case "/begin":
      shape = SHAPES[asked.get("shape") ?? ""] as Shape;
      return clear(env);
    case "/submit":
      return shape.submit(env, jobs);
    case "/submit/single":
      for (let sent = 0; sent < jobs; sent++) await shape.submit(env, 1);
      return;
    case "/store":
      send = await shape.store(env, jobs);
      return;
    case "/send":
      return send();
    case "/state":
      return { finished, finishedAt };
    case "/stored":
      return stored(env);
    case "/tally":
      return tally();
    case "/hot":
      await clear(env);
      return hotRows(env, jobs);
    case "/limit":
      return beginLimited(env, jobs, Number(asked.get("running")), Number(asked.get("ms")));
    case "/limit/done":
      return limitedDone(env);
    case "/limit/ends":
      return limitedEnds(env);
    case "/held":
      await clear(env);
      return besideHeld(env, jobs, asked.get("by") as HeldBy);
    default:
      throw new Error(`nothing is at ${path}`);
  }
}

async function clear(env: BenchEnv): Promise<void> {
  await env.DB.batch(TABLES.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  finished = 0;
  finishedAt = 0;
  reset();
}

const stored = (env: BenchEnv) =>
  env.DB.prepare(
    "SELECT (SELECT count(*) FROM jobs WHERE state = 'done') AS done, (SELECT count(*) FROM attempts) AS attempts",
  ).first();
