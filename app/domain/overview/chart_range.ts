import { offsetAt } from "../schedules/zones";

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const RANGES = {
  "1h": { label: "1 h", unit: "minute", whole: 60 },
  "24h": { label: "24 h", unit: "hour", whole: 24 },
  "7d": { label: "7 d", unit: "hour", whole: 168 },
  "30d": { label: "30 d", unit: "day", whole: 30 },
} as const;
export type Range = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as Range[];

/** What charts show: the last so long, or one day of the zone, as in `2026-11-01`. */
export type ChartView = { range: Range; day: string | null; zone: string };
export type Unit = "minute" | "hour" | "day";

/** The instants at which buckets begin, and at last the one at which the last bucket ends. */
export type Buckets = { unit: Unit; edges: number[] };

/**
 * The buckets of a view, the running one included: so many whole ones, then what there is of the next. Hours and days are
 * the zone's: a day on which its clocks are turned has 23 or 25 hours.
 */
export function bucketsOf({ range, day, zone }: ChartView, now: number): Buckets {
  const named = day === null ? null : dayNumber(day);
  if (named !== null) return { unit: "hour", edges: hoursOfDay(zone, named) };
  const { unit, whole } = RANGES[range];
  if (unit === "day") {
    const today = Math.floor((now + offsetAt(zone, now)) / DAY);
    return { unit, edges: Array.from({ length: whole + 2 }, (_, i) => dayStart(zone, today - whole + i)) };
  }
  const step = unit === "minute" ? MINUTE : HOUR;
  const past = unit === "minute" ? now % MINUTE : modulo(now + offsetAt(zone, now), HOUR);
  const running = now - past;
  return { unit, edges: Array.from({ length: whole + 2 }, (_, i) => running + (i - whole) * step) };
}

function hoursOfDay(zone: string, day: number): number[] {
  const [from, to] = [dayStart(zone, day), dayStart(zone, day + 1)];
  const edges: number[] = [];
  for (let at = from; at < to; at += HOUR) edges.push(at);
  return [...edges, to];
}

/** The first instant of a day of the zone; `day` counts from 1970-01-01. Where midnight is skipped, the end of the gap. */
export function dayStart(zone: string, day: number): number {
  const midnight = day * DAY;
  const [earlier, later] = [offsetAt(zone, midnight - DAY), offsetAt(zone, midnight + DAY)];
  for (const offset of new Set([earlier, later])) {
    const at = midnight - offset;
    if (offsetAt(zone, at) === offset) return at;
  }
  // Neither offset makes it midnight: clocks are turned right over it.
  return turnNear(zone, midnight - Math.max(earlier, later), midnight - Math.min(earlier, later));
}

function turnNear(zone: string, from: number, to: number): number {
  const before = offsetAt(zone, from - MINUTE);
  let at = from;
  while (at < to && offsetAt(zone, at) === before) at += QUARTER;
  return at;
}

/** `2026-11-01` as days since 1970; null for what is no day. */
export function dayNumber(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text ? null : ms / DAY;
}

/** The day of the zone in which an instant lies, as in `2026-11-01`. */
export const dayOf = (zone: string, at: number): string => new Date(at + offsetAt(zone, at)).toISOString().slice(0, 10);

/** A part of a bucket, and the grain that holds it exactly: [bucket, grain, from, to). */
export type Part = [bucket: number, grain: number, from: number, to: number];

/** How buckets are read with the fewest rows: by the hour, and by the quarter where an edge lies within an hour. */
export function partsOf({ unit, edges }: Buckets): Part[] {
  return edges.slice(1).flatMap((to, bucket): Part[] => {
    const from = edges[bucket] as number;
    if (unit === "minute") return [[bucket, MINUTE, from, to]];
    const [first, last] = [Math.ceil(from / HOUR) * HOUR, Math.floor(to / HOUR) * HOUR];
    if (first >= last) return [[bucket, QUARTER, from, to]];
    const parts: Part[] = [
      [bucket, QUARTER, from, first],
      [bucket, HOUR, first, last],
      [bucket, QUARTER, last, to],
    ];
    return parts.filter(([, , start, end]) => start < end);
  });
}

const modulo = (n: number, by: number): number => ((n % by) + by) % by;
