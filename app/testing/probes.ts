import { env } from "cloudflare:workers";
import { z } from "zod";
import { PermanentError } from "~/domain/errors";
import { defineKind, type Kind } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";

const any = z.looseObject({});
const db = () => (env as { DB: D1Database }).DB;
const define = (name: string, rest: Partial<Kind> & Pick<Kind, "run">): Kind =>
  defineKind({
    name,
    title: name,
    description: name,
    input: any,
    usualMs: 10,
    timeoutMs: 30_000,
    retry: { jitter: 0 },
    ...rest,
  } as never);

/** User-defined kinds of the tests. `probe.effect` leaves one row for each time it takes effect. */
export const probes = registryOf(
  define("probe.ok", { run: async () => ({ ok: true }) }),
  define("probe.effect", {
    async run(_input, ctx) {
      await db().prepare("INSERT INTO probe_rows (job_id, attempt) VALUES (?, ?)").bind(ctx.jobId, ctx.attempt).run();
    },
  }),
  /** Fails its first `times` attempts (all of them, if not told), or all after the first `after`. */
  define("probe.fail", {
    async run(input, ctx) {
      const { times, after } = input as { times?: number; after?: number };
      const fails = after === undefined ? ctx.attempt <= (times ?? Number.POSITIVE_INFINITY) : ctx.attempt > after;
      if (fails) throw new Error("the probe failed");
    },
  }),
  define("probe.permanent", {
    run: async () => {
      throw new PermanentError("no retry can help");
    },
  }),
  define("probe.slow", {
    timeoutMs: 600_000,
    run: (input, ctx) => ctx.sleep(Number((input as { ms?: number }).ms ?? 1_000)),
  }),
  define("probe.hang", { timeoutMs: 20_000, run: () => new Promise(() => {}) }),
);

export async function createProbeRows(): Promise<void> {
  await db().prepare("CREATE TABLE IF NOT EXISTS probe_rows (job_id TEXT NOT NULL, attempt INTEGER NOT NULL)").run();
}
