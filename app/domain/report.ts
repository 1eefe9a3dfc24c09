import { OUTCOMES, type OutcomeName } from "./states";

/** What became of a try to publish, update or withdraw. */
export type Published =
  | { kind: "published"; item: string; version: number }
  | { kind: "unchanged"; item: string; version: number }
  | { kind: "lease_lost"; item: string }
  | { kind: "conflict"; item: string };

/** What a day's numbers hold: per kind and outcome, with the run times as powers of two. */
export type DayStat = { kind: string; outcome: string; bucket: number; hour: number; n: number; ranMs: number };
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
const isOutcome = (name: string): name is OutcomeName => name in OUTCOMES;

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
  for (const { hour, outcome, n } of stats) {
    const at = hours[hour];
    if (at && outcome === "done") at.done += n;
    else if (at && (outcome === "failed" || outcome === "timed_out" || outcome === "lost")) at.failed += n;
  }
  const slow = kinds.filter((kind) => kind.p95Ms !== null).sort((a, b) => (b.p95Ms as number) - (a.p95Ms as number));
  return { day, totals, kinds, slowest: slow.slice(0, 5).map((kind) => kind.kind), causes, hours };
}

function kindOfDay(kind: string, stats: DayStat[]): KindOfDay {
  const outcomes = { ...NONE };
  let dead = 0;
  for (const { outcome, n } of stats) {
    if (isOutcome(outcome)) outcomes[outcome] += n;
    else if (outcome === "dead") dead += n;
  }
  const ran = stats.filter((one) => one.bucket >= 0);
  const n = ran.reduce((sum, one) => sum + one.n, 0);
  const ms = ran.reduce((sum, one) => sum + one.ranMs, 0);
  return { kind, outcomes, dead, meanMs: n === 0 ? null : Math.round(ms / n), p95Ms: percentile(ran, n, 0.95) };
}

/** The upper end of the bucket that holds the percentile: run times are kept as powers of two. */
function percentile(stats: DayStat[], n: number, share: number): number | null {
  if (n === 0) return null;
  let seen = 0;
  for (const one of [...stats].sort((a, b) => a.bucket - b.bucket)) {
    seen += one.n;
    if (seen >= share * n) return 2 ** (one.bucket + 1);
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
