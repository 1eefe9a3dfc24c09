import { instant } from "../time";
import { parseCron } from "./cron";
import { timingText } from "./cron_text";
import { isFixed, slotsAfter, type Timing, wallTime, wallTimes } from "./slots";
import { type ClockChange, clockChanges } from "./zones";

const DAY = 86_400_000;
const YEAR = 366 * DAY;

/** A slot to come: `wall` is what a clock in the schedule's zone shows, `note` what a clock change does to it. */
export type Firing = { at: string; wall: string; note: string | null };
/** What the editor shows of a schedule before it is saved, and its page after. */
export type Preview = {
  text: string;
  firings: Firing[];
  /** Clock changes of the coming year in whose hours it fires. */
  changes: { at: string; text: string }[];
};

const FIRINGS = 10;

/** Read from the very function that the sweep goes by. Throws where the expression or the zone is none. */
export function previewOf(timing: Timing, zone: string, now: number): Preview {
  const slots = slotsAfter(timing, now, FIRINGS);
  const last = slots.at(-1) ?? now;
  const near = "cron" in timing ? clockChanges(zone, now - DAY, last + DAY) : [];
  return {
    text: timingText(timing),
    firings: slots.map((at) => ({
      at: instant(at),
      wall: wallText(wallTime(zone, at)),
      note: noteOn(timing, zone, at, near),
    })),
    changes:
      "cron" in timing ? clockChanges(zone, now, now + YEAR).flatMap((change) => effectOf(timing.cron, change)) : [],
  };
}

function noteOn(timing: Timing, zone: string, at: number, changes: ClockChange[]): string | null {
  if (!("cron" in timing)) return null;
  for (const change of changes) {
    const lost = change.at === at && isFixed(timing.cron) ? lostTimes(timing.cron, change) : [];
    if (lost.length > 0) return `${timeList(lost)} does not exist on this day: runs at the first instant after it`;
    const back = change.before - change.after;
    const shown = wallText(wallTime(zone, at)).slice(11);
    if (at >= change.at - back && at < change.at) {
      return `${shown} comes twice on this day: ${isFixed(timing.cron) ? "runs the first time only" : "this is the first"}`;
    }
    if (back > 0 && at >= change.at && at < change.at + back)
      return `${shown} comes twice on this day: this is the second`;
  }
  return null;
}

function effectOf(cron: string, change: ClockChange): { at: string; text: string }[] {
  const forward = change.after > change.before;
  const [from, to] = [change.at + change.before, change.at + change.after].sort((a, b) => a - b) as [number, number];
  if (wallTimes(cron, from, to, 1).length === 0) return [];
  const hours = `${wallText(from)} to ${wallText(to).slice(11)}`;
  const what = forward ? `${hours} does not exist` : `${hours} comes twice`;
  return [{ at: instant(change.at), text: `${what}: ${forward ? inGap(cron) : inOverlap(cron)}` }];
}

function inGap(cron: string): string {
  if (isFixed(cron)) return "what is due then runs once, at the first instant after it";
  return everyHour(cron) ? "it goes on by elapsed time" : "what is due then is left out";
}

function inOverlap(cron: string): string {
  if (isFixed(cron)) return "it runs the first time only";
  return everyHour(cron) ? "it goes on by elapsed time" : "it runs both times";
}

function everyHour(cron: string): boolean {
  const fields = parseCron(cron);
  return typeof fields !== "string" && fields.hour.values.length === 24;
}

const lostTimes = (cron: string, { at, before, after }: ClockChange): number[] =>
  after > before ? wallTimes(cron, at + before, at + after, 3) : [];

const timeList = (walls: number[]): string => {
  const times = walls.map((wall) => wallText(wall).slice(11));
  return times.length < 3 ? times.join(" and ") : `${times[0]}, ${times[1]} …`;
};

/** `2026-03-29 03:00` */
const wallText = (wall: number): string => instant(wall).slice(0, 16).replace("T", " ");
