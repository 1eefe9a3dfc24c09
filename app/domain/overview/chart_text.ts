import { offsetAt } from "../schedules/zones";
import { type Buckets, dayOf } from "./chart_range";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** Of a chart with more hours than a day has, only midnights are named. */
const HOURS_OF_DAY = 26;

/** `minor`: left out where the others have too little room. */
export type Tick = { bucket: number; text: string; minor: boolean };

/** Which buckets are named below a chart, by the clock of the zone: round ones. */
export function ticksOf({ unit, edges }: Buckets, zone: string): Tick[] {
  const days = unit === "hour" && edges.length > HOURS_OF_DAY;
  const every = unit === "minute" ? 15 * MINUTE : unit === "day" ? 5 * DAY : days ? DAY : 4 * HOUR;
  return edges.slice(0, -1).flatMap((edge, bucket) => {
    const local = edge + offsetAt(zone, edge);
    // Days are counted from 1970: every fifth of them, whatever the month.
    if (unit === "day" ? Math.floor(local / DAY) % 5 !== 0 : local % every !== 0) return [];
    const text = unit === "day" ? dateText(local) : days ? weekdayText(local) : clockOf(local);
    // A quarter of an hour is far from the next one on any screen.
    return { bucket, text, minor: unit !== "minute" && Math.floor(local / every) % 2 !== 0 };
  });
}

/** `2026-11-30 14:00 to 15:00`, `2026-11-30`: one bucket by the clock of the zone. */
export function bucketText({ unit, edges }: Buckets, bucket: number, zone: string): string {
  const [from, to] = [edges[bucket] as number, edges[bucket + 1] as number];
  if (unit === "day") return dayOf(zone, from);
  return `${dayOf(zone, from)} ${clockOf(from + offsetAt(zone, from))} to ${clockOf(to + offsetAt(zone, to))}`;
}

const clockOf = (local: number): string => new Date(local).toISOString().slice(11, 16);

const dateText = (local: number): string => {
  const date = new Date(local);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
};

const weekdayText = (local: number): string => {
  const date = new Date(local);
  return `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()}`;
};

/** The upper end of an axis: a round number that no value is above. */
export function roundUp(max: number): number {
  if (max <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((top) => top >= max) as number;
}
