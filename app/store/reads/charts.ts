import type { Buckets } from "~/domain/overview/chart_range";
import type { Charts, LaneSample, Latency } from "~/domain/overview/overview";
import { addUp, type Histogram, percentile } from "~/domain/percentile";
import { failuresOf, statsByBucket } from "../stats";
import type { Rows } from "../store";

type Backlog = { at: number; messages: number; oldestMs: number };

/** What is counted in the buckets as series: one value a bucket, zeros where nothing happened. */
export function chartsOf(
  { unit, edges }: Buckets,
  counted: Rows,
  backlogs: Backlog[],
  lanes: LaneSample[],
  deploys: Charts["deploys"],
): Charts {
  const stats = statsByBucket(counted, edges);
  const ends = {
    done: stats.map(({ done }) => done),
    failed: stats.map(failuresOf),
    other: stats.map(({ cancelled, snoozed }) => cancelled + snoozed),
    dead: stats.map(({ dead }) => dead),
  };
  const [run, wait] = [stats.map((one) => one.run), stats.map((one) => one.wait)];
  return {
    unit,
    edges,
    ...ends,
    run: latencies(run),
    wait: latencies(wait),
    ...backlogSeries(edges, backlogs, lanes),
    deploys,
    totals: {
      done: sumOf(ends.done),
      failed: sumOf(ends.failed),
      other: sumOf(ends.other),
      dead: sumOf(ends.dead),
      run: shares(addUp(run)),
      wait: shares(addUp(wait)),
    },
  };
}

const sumOf = (values: number[]): number => values.reduce((sum, n) => sum + n, 0);
const shares = (histogram: Histogram) => ({ p50: percentile(histogram, 0.5), p95: percentile(histogram, 0.95) });
const latencies = (histograms: Histogram[]): Latency => {
  const each = histograms.map(shares);
  return { p50: each.map(({ p50 }) => p50), p95: each.map(({ p95 }) => p95) };
};

/** The most that was seen in each bucket. The last hours come from the sweeps themselves. */
function backlogSeries(
  edges: number[],
  backlogs: Backlog[],
  lanes: LaneSample[],
): Pick<Charts, "messages" | "oldestMs"> {
  const messages = Array<number | null>(edges.length - 1).fill(null);
  const oldestMs = [...messages];
  const see = (at: number, n: number, oldest: number) => {
    const i = edges.findLastIndex((edge) => edge <= at);
    if (i < 0 || i >= messages.length) return;
    messages[i] = Math.max(messages[i] ?? 0, n);
    oldestMs[i] = Math.max(oldestMs[i] ?? 0, oldest);
  };
  // An hour's row says nothing of its minutes.
  const hourly = (edges[1] as number) - (edges[0] as number) >= 3_600_000;
  for (const { at, messages: n, oldestMs: oldest } of hourly ? backlogs : []) see(at, n, oldest);
  for (const { at, messages: n, oldestAt } of lanes) {
    const seen = Date.parse(at);
    if (n !== null) see(seen, n, oldestAt === null ? 0 : Math.max(0, seen - Date.parse(oldestAt)));
  }
  return { messages, oldestMs };
}
