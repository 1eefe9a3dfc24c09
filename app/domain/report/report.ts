import { addUp, type Histogram } from "../percentile";
import { OUTCOMES, type OutcomeName } from "../states";

/** What became of a try to publish, update or withdraw. */
export type Published =
  | { kind: "published"; item: string; version: number }
  | { kind: "unchanged"; item: string; version: number }
  | { kind: "lease_lost"; item: string }
  | { kind: "conflict"; item: string };

/** What a day's numbers hold of a kind and an hour. `ranMs`: of all attempts whose run time is known, those of `run`. */
export type DayStat = Record<OutcomeName | "dead", number> & {
  kind: string;
  hour: number;
  ranMs: number;
  run: Histogram;
};
export type DayCause = { cause: string; n: number };

export type KindOfDay = {
  kind: string;
  outcomes: Record<OutcomeName, number>;
  dead: number;
  meanMs: number | null;
  p95Ms: number | null;
};
export type Report = {
  day: string;
  totals: Record<OutcomeName, number> & { dead: number };
  kinds: KindOfDay[];
  /** The kinds that took longest at their 95th percentile, longest first. */
  slowest: string[];
  causes: DayCause[];
  /** Attempts that ended in each hour of the day, UTC: succeeded and not. */
  hours: { done: number; failed: number }[];
};

const NONE = Object.fromEntries(Object.keys(OUTCOMES).map((name) => [name, 0])) as Record<OutcomeName, number>;

/** The report of a finished day, from its numbers alone: the same numbers make the same report. */
export function reportOf(day: string, stats: DayStat[], causes: DayCause[]): Report {
  const kinds = [...new Set(stats.map((one) => one.kind))].sort().map((kind) =>
    kindOfDay(
      kind,
      stats.filter((one) => one.kind === kind),
    ),
  );
  const totals = { ...NONE, dead: 0 };
  for (const kind of kinds) {
    for (const name of Object.keys(NONE) as OutcomeName[]) totals[name] += kind.outcomes[name];
    totals.dead += kind.dead;
  }
  const hours = Array.from({ length: 24 }, () => ({ done: 0, failed: 0 }));
  for (const { hour, done, failed, timed_out, lost } of stats) {
    const at = hours[hour] as Report["hours"][number];
    at.done += done;
    at.failed += failed + timed_out + lost;
  }
  const slow = kinds.filter((kind) => kind.p95Ms !== null).sort((a, b) => (b.p95Ms as number) - (a.p95Ms as number));
  return { day, totals, kinds, slowest: slow.slice(0, 5).map((kind) => kind.kind), causes, hours };
}

function kindOfDay(kind: string, stats: DayStat[]): KindOfDay {
  const sumOf = (of: (one: DayStat) => number) => stats.reduce((sum, one) => sum + of(one), 0);
  const outcomes = { ...NONE };
  for (const name of Object.keys(NONE) as OutcomeName[]) outcomes[name] = sumOf((one) => one[name]);
  const run = addUp(stats.map((one) => one.run));
  const n = run.reduce((sum, ran) => sum + ran, 0);
  const meanMs = n === 0 ? null : Math.round(sumOf((one) => one.ranMs) / n);
  return { kind, outcomes, dead: sumOf((one) => one.dead), meanMs, p95Ms: upperEnd(run, 0.95 * n) };
}

/** The upper end of the bucket that holds the percentile: run times are kept as powers of two. */
function upperEnd(run: Histogram, wanted: number): number | null {
  let seen = 0;
  for (const [bucket, n] of run.entries()) {
    seen += n;
    if (n > 0 && seen >= wanted) return 2 ** (bucket + 1);
  }
  return null;
}

/** A picture of the day: one column an hour, failures on top of successes. Plain SVG, the same for the same report. */
export function pictureOf({ day, hours }: Report): string {
  const most = Math.max(1, ...hours.map((hour) => hour.done + hour.failed));
  const bar = (x: number, from: number, n: number, fill: string) =>
    n === 0
      ? ""
      : `<rect x="${x}" y="${(100 - (100 * (from + n)) / most).toFixed(2)}" width="22" height="${((100 * n) / most).toFixed(2)}" fill="${fill}"/>`;
  const bars = hours.map(
    (hour, index) =>
      bar(index * 25 + 2, 0, hour.done, "#059669") + bar(index * 25 + 2, hour.done, hour.failed, "#dc2626"),
  );
  const sum = hours.reduce((all, hour) => ({ done: all.done + hour.done, failed: all.failed + hour.failed }), {
    done: 0,
    failed: 0,
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 100" role="img" aria-label="Attempts of ${day} by hour: ${sum.done} succeeded, ${sum.failed} failed">${bars.join("")}</svg>`;
}

export const DAY_MS = 86_400_000;
/** What a report is made of is kept so long: the numbers by the quarter hour. */
export const KEPT_STATS_MS = 400 * DAY_MS;
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Start of a day in ms, or null if `day` is none. */
export function dayStart(day: string): number | null {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && dayOf(ms) === day ? ms : null;
}
