import { z } from "zod";
import { PermanentError, Snooze } from "~/domain/errors";
import type { KindLimits } from "~/domain/kind_limits";
import { bulk } from "~/kinds/bulk";
import { defineKind, type JobContext } from "~/kinds/define";
import { type Registry, registryOf } from "~/kinds/registry";
import { sql } from "~/store/store";
import type { Actor } from "./actor";
import type { Simulation } from "./simulation";

/** One step of a job of the simulator; numbers named `until` are attempts. */
export type Step =
  | ["sleep", number]
  | ["effect", "keyed" | "unkeyed"]
  | ["fail", number]
  | ["permanent"]
  | ["snooze", number]
  | ["child"]
  | ["commit"]
  | ["refused"]
  | ["guarded"]
  | ["die", number]
  | ["hang"]
  | ["progress"];

const input = z.looseObject({ do: z.array(z.any()) });

/** The kinds as one invocation has them: their handlers know who runs them. */
export function kindsOf(simulation: Simulation, actor: Actor): Registry {
  const define = (name: string, timeoutMs: number, limits?: KindLimits) =>
    defineKind({
      name,
      title: name,
      description: name,
      input,
      usualMs: 500,
      statements: 5,
      timeoutMs,
      retry: { baseMs: 1_000, capMs: 20_000, maxAttempts: 4 },
      limits,
      run: (script, ctx) => perform(simulation, actor, script.do as Step[], ctx),
    });
  // Where releases differ in how many of a group may run, groups are let go as one follows the other.
  const perGroup = actor.isolate.knowsAll ? 2 : 3;
  const kinds = [define("sim.a", 20_000), define("sim.b", 20_000), define("sim.long", 90_000, { perGroup }), bulk];
  return registryOf(
    ...kinds,
    ...(simulation.systems?.kinds() ?? []),
    ...(actor.isolate.knowsAll ? [define("sim.new", 20_000)] : []),
  );
}

async function perform(simulation: Simulation, actor: Actor, steps: Step[], ctx: JobContext): Promise<unknown> {
  simulation.performs(actor, ctx.jobId, ctx.attempt);
  for (const [index, [name, value]] of steps.entries()) {
    switch (name) {
      case "sleep":
        await ctx.sleep(value);
        break;
      case "effect":
        await ctx.once(`pay${index}`, (key) => simulation.outside.act(actor, key, value === "keyed"), {
          ...(value === "keyed" && { keyed: true }),
        });
        break;
      case "fail":
        if (ctx.attempt <= value) throw new Error(`told to fail until attempt ${value}`);
        break;
      case "permanent":
        throw new PermanentError("told to fail for good");
      case "snooze":
        if (ctx.attempt <= value) throw new Snooze(simulation.dice.pick([0, 1_000, 20_000]));
        break;
      case "child":
        await ctx.submit([
          { kind: "sim.a", payload: { do: [["commit"]] }, idempotencyKey: `${ctx.jobId}/child${index}` },
        ]);
        break;
      case "commit":
        ctx.commit(committed(ctx, index));
        break;
      case "refused":
        ctx.commit(committed(ctx, REFUSED));
        break;
      case "guarded":
        await ctx.guarded(
          sql(
            "INSERT INTO sim_guarded (job_id, attempt) SELECT ?1, ?2 WHERE {held} ON CONFLICT DO NOTHING",
            ctx.jobId,
            ctx.attempt,
          ),
        );
        break;
      case "die":
        if (ctx.attempt <= value && simulation.happens("killed by its job", 1)) {
          simulation.kill(actor);
          await new Promise(() => {});
        }
        break;
      case "hang":
        await new Promise(() => {});
        break;
      case "progress":
        ctx.progress({ done: index, total: steps.length });
        await ctx.sleep(1_500);
        break;
    }
  }
  return { steps: steps.length };
}

/** D1 refuses this one. */
const REFUSED = -1;

const committed = (ctx: JobContext, step: number) =>
  sql(
    "INSERT INTO sim_committed (job_id, attempt, step) SELECT ?1, ?2, ?3 WHERE {landed}",
    ctx.jobId,
    ctx.attempt,
    step,
  );
