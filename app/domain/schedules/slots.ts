import { cronOf, parseCron } from "./cron";
import { type ClockChange, clockChanges, offsetAt, zoneProblem } from "./zones";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Leap days are at most eight years apart: what does not come by then never comes. */
const HORIZON = 9 * 366 * DAY;

/** When a schedule fires: by a cron expression in a zone, or every so many minutes, counted from an anchor. */
export type Timing = { cron: string; zone: string } | { everyMinutes: number; anchor: number };

/**
 * The first slot after an instant; null: none ever comes.
 *
 * One rule for turned clocks. Where minute and hour are numbers (no `*`, no step), a time that does not exist on a day
 * runs at the first instant after the gap, and a time that comes twice runs once, the first time. Everything else goes on
 * by elapsed time: it runs at each matching minute that the clock shows.
 *
 * Throws where the expression or the zone is none.
 */
export function nextSlot(timing: Timing, after: number): number | null {
  if ("everyMinutes" in timing) return every(timing, Math.floor((after - timing.anchor) / step(timing)) + 1);
  const next = checked(timing).nextRun(new Date(after))?.getTime() ?? null;
  const moved = lostDays(timing, after, next ?? after)[0];
  return moved ?? next;
}

/** The last slot at an instant or before it; null: none ever came. */
export function lastSlot(timing: Timing, at: number): number | null {
  if ("everyMinutes" in timing) return every(timing, Math.floor((at - timing.anchor) / step(timing)));
  const last =
    checked(timing)
      .previousRuns(1, new Date(at + 1))[0]
      ?.getTime() ?? null;
  const moved = lostDays(timing, last ?? at, at).at(-1);
  return moved ?? last;
}

export function slotsAfter(timing: Timing, after: number, limit: number): number[] {
  const slots: number[] = [];
  for (let at = nextSlot(timing, after); at !== null && slots.length < limit; at = nextSlot(timing, at)) slots.push(at);
  return slots;
}

/** Runs by wall time, and is moved where a clock change takes that time away. */
export const isFixed = (cron: string): boolean => !/[*/]/.test(cron.trim().split(/\s+/).slice(0, 2).join(" "));

/** The wall times, as ms, that an expression names in a stretch of wall time; `limit` of them. */
export function wallTimes(cron: string, from: number, to: number, limit: number): number[] {
  const naive = cronOf(cron, "UTC");
  const found: number[] = [];
  for (
    let at = naive.nextRun(new Date(from - 1));
    at && at.getTime() < to && found.length < limit;
    at = naive.nextRun(at)
  )
    found.push(at.getTime());
  return found;
}

/** Asked first: the library would take the empty zone for this machine's own. */
function checked({ cron, zone }: { cron: string; zone: string }) {
  const problem = zoneProblem(zone);
  if (problem) throw new RangeError(problem);
  const fields = parseCron(cron);
  if (typeof fields === "string") throw new RangeError(fields);
  return cronOf(cron, zone);
}

/**
 * Slots at midnight after a gap that ends its day: the library looks for the first instant after a gap on the same day
 * only, and would leave that day without its run.
 */
function lostDays({ cron, zone }: { cron: string; zone: string }, after: number, to: number): number[] {
  if (!isFixed(cron)) return [];
  return clockChanges(zone, after, Math.min(to, after + HORIZON))
    .filter(
      (change) =>
        endsItsDay(change) && wallTimes(cron, change.at + change.before, change.at + change.after, 1).length > 0,
    )
    .map(({ at }) => at);
}

const endsItsDay = ({ at, before, after }: ClockChange): boolean => after > before && (at + after) % DAY === 0;

const step = (timing: { everyMinutes: number }): number => timing.everyMinutes * MINUTE;
const every = (timing: { everyMinutes: number; anchor: number }, n: number): number => timing.anchor + n * step(timing);

/** The wall time that a clock in the zone shows, as ms. */
export const wallTime = (zone: string, at: number): number => at + offsetAt(zone, at);
