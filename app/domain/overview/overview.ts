import type { OperationRow } from "../bulk/feeds";
import type { LimitReached } from "../limits_reached";
import type { Range, Unit } from "./chart_range";

/** What charts show, one number a bucket. Latencies are null where nothing ran: not measured is not 0. */
export type Charts = {
  unit: Unit;
  /** Where buckets begin, in ms since 1970, and where the last one ends. */
  edges: number[];
  /** Attempts by how they ended. */
  done: number[];
  failed: number[];
  other: number[];
  /** Jobs that died. */
  dead: number[];
  run: Latency;
  wait: Latency;
  /** What the lanes held at most, and how old their oldest message was; null where no sweep saw them. */
  messages: (number | null)[];
  oldestMs: (number | null)[];
  deploys: { at: number; version: string }[];
  totals: {
    done: number;
    failed: number;
    other: number;
    dead: number;
    run: { p50: number | null; p95: number | null };
    wait: { p50: number | null; p95: number | null };
  };
};
export type Latency = { p50: (number | null)[]; p95: (number | null)[] };

/** What the lanes held when a sweep looked. `messages`: null where no lane told. */
export type LaneSample = { at: string; messages: number | null; oldestAt: string | null };

export type Overview = {
  revision: number;
  /** D1's clock at the moment of reading. */
  now: string;
  range: Range;
  /** One day of the zone in place of the range. */
  day: string | null;
  zone: string;
  charts: Charts;
  /** Newest first, of the last hour of sweeps. */
  lanes: LaneSample[];
  /** The job that waits longest of those whose kind is not paused. */
  oldest: { id: string; kind: string; runAt: string } | null;
  /** Attempts of the last 15 minutes, of kinds with failures. */
  failing: { kind: string; failed: number; ended: number }[];
  /** Operations that go on no more, and have not ended. */
  stopped: OperationRow[];
  paused: { kind: string; since: string; by: string | null; reason: string | null }[];
  broken: { id: string; name: string; error: string; since: string }[];
  /** Schedules whose slot has passed and which nobody fired. */
  silent: { id: string; name: string; dueAt: string }[];
  watches: { id: string; name: string; failures: number; error: string | null }[];
  /** Daily limits of the free plan that are reached. */
  limits: LimitReached[];
  /** Submitters whose day is full. */
  full: { submitter: string; limit: number }[];
};

/** Share of attempts that succeeded, of those that succeeded or failed: `66.7 %`; `-` where there were none. */
export function successText(done: number, failed: number): string {
  if (done + failed === 0) return "-";
  const percent = (100 * done) / (done + failed);
  // Not quite all is not all.
  const shown = percent === 100 ? 100 : Math.min(99.9, Math.round(percent * 10) / 10);
  return `${Number.isInteger(shown) ? shown : shown.toFixed(1)} %`;
}

/** More than this many messages may be a backlog; fewer come and go. */
const MANY = 100;
const GROWN = 1.5;
const BEFORE_MS = 10 * 60_000;
const OLD_MS = 5 * 60_000;

/**
 * Whether the lanes hold more than is worked off: `growing` where they hold half as many again as ten minutes before,
 * `old` where a message has waited for five minutes.
 */
export function backlogStanding(samples: LaneSample[]): "well" | "growing" | "old" {
  const [latest, ...earlier] = samples;
  if (!latest || latest.messages === null) return "well";
  const at = Date.parse(latest.at);
  const before = earlier.find((sample) => sample.messages !== null && at - Date.parse(sample.at) >= BEFORE_MS);
  if (latest.messages >= MANY && before && latest.messages >= GROWN * (before.messages as number)) return "growing";
  const age = latest.oldestAt === null ? 0 : at - Date.parse(latest.oldestAt);
  return latest.messages > 0 && age >= OLD_MS ? "old" : "well";
}
