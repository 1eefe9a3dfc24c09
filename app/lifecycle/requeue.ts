import type { State } from "~/domain/states";
import { type By, reopenJob, standingOf } from "~/store/reopen";
import type { Engine } from "./engine";
import { sendOwed } from "./send";
import { insist } from "./trouble/insist";

export type Requeued =
  | { kind: "requeued"; id: string; generation: number }
  | { kind: "refused"; state: State; generation: number }
  | { kind: "not-found" };

/**
 * Runs a dead or cancelled job again, as its next generation. `generation` is the one the caller saw; without it, the
 * one stored now. `repeatUnknown`: effects that were started and never recorded are to be done again; without it they
 * stay unknown, and the job will say so again. Refused where the job is no longer that: somebody else was faster, and nothing changed.
 */
export async function requeue(
  engine: Engine,
  job: { id: string; generation?: number; repeatUnknown?: boolean },
  by: By,
): Promise<Requeued> {
  const generation = job.generation ?? (await standingOf(engine.store, job.id))?.generation;
  if (generation === undefined) return { kind: "not-found" };
  const token = engine.newToken();
  const audit = engine.newId();
  await engine.seam("requeue: before write");
  const now = await insist(engine, "requeue", () => reopenJob(engine.store, token, { ...job, generation }, audit, by));
  if (!now) return { kind: "not-found" };
  if (!now.mine) return { kind: "refused", state: now.state, generation: now.generation };
  await engine.seam("requeue: between write and send");
  if (now.owed) await sendOwed(engine, [{ ...now, delayMs: 0 }]);
  return { kind: "requeued", id: job.id, generation: generation + 1 };
}
