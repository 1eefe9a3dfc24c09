import { timingOf } from "~/domain/schedules/schedule";
import { nextSlot } from "~/domain/schedules/slots";
import type { By } from "~/store/reopen";
import { pauseSchedule, resumeSchedule } from "~/store/schedules/edits";
import { findSchedule, type Scheduled } from "~/store/schedules/schedules";
import type { Engine } from "../engine";
import { insist } from "../trouble/insist";

export type Paused = "done" | "already" | "not-found";

export async function pause(engine: Engine, id: string, by: By): Promise<Paused> {
  const token = engine.newToken();
  const entry = { ...by, id: engine.newId(), action: "schedule.pause" as const };
  const done = await insist(engine, "pause schedule", () => pauseSchedule(engine.store, token, id, entry));
  if (done.mine) return "done";
  return done.version === null ? "not-found" : "already";
}

/** Goes on with the first slot from now: slots of the pause do not run, whatever the policy for missed ones is. */
export async function resume(engine: Engine, id: string, by: By): Promise<Paused> {
  const schedule = await findSchedule(engine.store, id);
  if (!schedule) return "not-found";
  const { dueAt, error } = nextOf(schedule);
  const token = engine.newToken();
  const entry = { ...by, id: engine.newId(), action: "schedule.resume" as const };
  await engine.seam("schedule resume: before write");
  const done = await insist(engine, "resume schedule", () =>
    resumeSchedule(engine.store, token, schedule, dueAt, error, entry),
  );
  if (done.mine) return "done";
  if (done.version === null) return "not-found";
  // Changed between reading and writing: its next slot is another one.
  return done.version === schedule.version || done.pausedAt === null ? "already" : resume(engine, id, by);
}

function nextOf(schedule: Scheduled): { dueAt: number | null; error: string | null } {
  try {
    return { dueAt: nextSlot(timingOf(schedule), schedule.now), error: null };
  } catch (error) {
    return { dueAt: null, error: (error as Error).message };
  }
}
