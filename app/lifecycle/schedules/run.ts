import { SEND_AHEAD_MS } from "~/domain/limits";
import type { Rejection } from "~/domain/submission";
import type { NewJob } from "~/store/insert_jobs";
import type { By } from "~/store/reopen";
import { runNow } from "~/store/schedules/run_now";
import { findSchedule } from "~/store/schedules/schedules";
import type { Engine } from "../engine";
import { submissionOf } from "../schedule";
import { prepare, sendStored } from "../submit";
import { insist } from "../trouble/insist";

export type RunNow =
  | { kind: "made"; jobId: string; replayed: boolean }
  /** An earlier job is unfinished, and the schedule has one at a time. */
  | { kind: "busy"; jobId: string }
  /** Its kind or payload is not what the code of today takes. */
  | { kind: "rejected"; rejection: Rejection }
  | { kind: "not-found" };

/** Makes a job of a schedule now, paused or not, and leaves its slots alone. One `key` makes one job. */
export async function run(engine: Engine, asked: { id: string; key?: string }, by: By): Promise<RunNow> {
  const schedule = await findSchedule(engine.store, asked.id);
  if (!schedule) return { kind: "not-found" };
  const idempotencyKey = asked.key === undefined ? undefined : `schedule:${asked.id}:${asked.key}`;
  const jobs = await prepare(engine, [{ ...submissionOf(schedule), idempotencyKey }]);
  if ("status" in jobs) return { kind: "rejected", rejection: jobs };
  const [job] = jobs as [NewJob];
  const token = engine.newToken();
  const entry = { ...by, id: engine.newId(), action: "schedule.run" as const };
  await engine.seam("schedule run: before write");
  const done = await insist(engine, "run schedule", () =>
    runNow(engine.store, token, asked.id, job, entry, SEND_AHEAD_MS),
  );
  if (done.stored.length > 0) {
    await sendStored(engine, jobs, done.stored);
    return { kind: "made", jobId: job.id, replayed: false };
  }
  if (!done.known) return { kind: "not-found" };
  if (done.holder !== null) return { kind: "made", jobId: done.holder, replayed: true };
  return { kind: "busy", jobId: done.busy as string };
}
