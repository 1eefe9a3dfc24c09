import { SEND_AHEAD_MS } from "~/domain/limits";
import { planSlots } from "~/domain/schedules/plan_slots";
import { CATCH_UP_MAX, KEPT_SLOTS, KEPT_SLOTS_MS, timingOf } from "~/domain/schedules/schedule";
import type { Submission } from "~/domain/submission";
import { capText } from "~/domain/text";
import { isRefusal } from "~/store/errors";
import type { NewJob } from "~/store/insert_jobs";
import { type FiredSlot, type Firing, fireSlots } from "~/store/schedules/firings";
import type { DueSchedule, Scheduled } from "~/store/schedules/schedules";
import type { Engine } from "./engine";
import { prepare, sendStored } from "./submit";
import { insist } from "./trouble/insist";

/** Jobs of one transaction, a schedule's own all together. */
const JOBS_AT_ONCE = 2 * CATCH_UP_MAX;
const ERROR_BYTES = 500;

type Fired = { firing: Firing; jobs: NewJob[] };

/**
 * Makes the jobs of schedules whose slot has come, the way of every submit, and moves each to its next slot. One that is
 * broken says so and stops; the others never notice. Answers how many jobs were made.
 */
export async function fireSchedules(engine: Engine, due: DueSchedule[]): Promise<number> {
  let made = 0;
  let group: Fired[] = [];
  for (const schedule of due) {
    // What does not fit into this invocation stays due, and is the next sweep's.
    if (engine.store.used.statements >= engine.settings.statements) break;
    group.push(await firingOf(engine, schedule));
    if (group.reduce((sum, { jobs }) => sum + jobs.length, 0) < JOBS_AT_ONCE) continue;
    made += await fire(engine, group);
    group = [];
  }
  return made + (await fire(engine, group));
}

async function firingOf(engine: Engine, schedule: DueSchedule): Promise<Fired> {
  const { id, dueAt, version, now } = schedule;
  const stands = { id, dueAt, version };
  try {
    const plan = planSlots({ ...schedule, timing: timingOf(schedule) }, now);
    const runs = plan.slots.filter(({ fate }) => fate === "fired" || fate === "late");
    const jobs = await jobsOf(
      engine,
      schedule,
      runs.map(({ at }) => at),
    );
    const refused = typeof jobs === "string" ? jobs : null;
    const slots = plan.slots.map((slot): FiredSlot => {
      const run = runs.indexOf(slot);
      if (run < 0) return { ...slot, jobId: null, error: null };
      if (refused !== null) return { ...slot, fate: "failed", jobId: null, error: refused };
      return { ...slot, jobId: (jobs as NewJob[])[run]?.id as string, error: null };
    });
    const error = refused ?? (plan.next === null ? "no further slot ever comes" : null);
    if (error !== null) engine.events({ event: "schedule.failed", scheduleId: id, name: schedule.name, error });
    return {
      firing: { ...stands, next: plan.next, error, slots, keepFrom: keepFrom(schedule, plan.next) },
      jobs: refused === null ? (jobs as NewJob[]) : [],
    };
  } catch (error) {
    return broken(engine, schedule, error);
  }
}

/** Where its times cannot be read there is no next slot: it stops until a person has changed it. */
function broken(
  engine: Engine,
  { id, name, dueAt, version }: Pick<DueSchedule, "id" | "name" | "dueAt" | "version">,
  cause: unknown,
): Fired {
  const error = capText(cause instanceof Error ? cause.message : String(cause), ERROR_BYTES);
  engine.events({ event: "schedule.failed", scheduleId: id, name, error });
  return { firing: { id, dueAt, version, next: null, error, slots: [], keepFrom: 0 }, jobs: [] };
}

/** One job a slot, or why a submit would refuse them: kinds and their inputs change with the code. */
async function jobsOf(engine: Engine, schedule: Scheduled, slots: number[]): Promise<NewJob[] | string> {
  const jobs = await prepare(
    engine,
    slots.map((slotAt) => submissionOf(schedule, slotAt)),
  );
  if (!("status" in jobs)) return jobs;
  const [first] = jobs.problems;
  return capText(`${first?.path}: ${first?.message}`, ERROR_BYTES);
}

/** The job of a slot, or of none, as a submit would have it. */
export const submissionOf = (schedule: Scheduled, slotAt?: number): Submission => ({
  kind: schedule.kind,
  payload: JSON.parse(schedule.payload),
  payloadText: schedule.payload,
  priority: schedule.priority,
  maxAttempts: schedule.maxAttempts ?? undefined,
  origin: { scheduleId: schedule.id, slotAt },
});

async function fire(engine: Engine, group: Fired[]): Promise<number> {
  if (group.length === 0) return 0;
  const token = engine.newToken();
  const firings = group.map(({ firing }) => firing);
  const jobs = group.flatMap((one) => one.jobs);
  await engine.seam("schedules: between reading and writing");
  try {
    const stored = await insist(engine, "fire schedules", () =>
      fireSlots(engine.store, token, firings, jobs, SEND_AHEAD_MS),
    );
    await engine.seam("schedules: between write and send");
    await sendStored(engine, jobs, stored);
    return stored.length;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const [one, ...others] = group;
    if (others.length === 0) return park(engine, one as Fired, error);
    // D1 refuses something of one of them: the others must not wait for it.
    let made = 0;
    for (const alone of group) made += await fire(engine, [alone]);
    return made;
  }
}

/** Its jobs cannot be stored: it stops, and says why. A stop that is refused too is nothing that can be helped here. */
async function park(engine: Engine, { firing, jobs }: Fired, cause: unknown): Promise<number> {
  if (firing.next === null && jobs.length === 0) throw cause;
  return fire(engine, [broken(engine, { ...firing, name: firing.id }, cause)]);
}

/** Slots that are dropped by age: a schedule that fires once a year keeps its hundred years. */
const keepFrom = ({ now, dueAt }: DueSchedule, next: number | null): number =>
  now - Math.max(KEPT_SLOTS_MS, KEPT_SLOTS * ((next ?? dueAt) - dueAt));
