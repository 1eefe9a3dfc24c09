import type { Buckets } from "~/domain/chart_range";
import type { Charts, LaneSample, Latency } from "~/domain/overview";
import { addTo, type Histogram, percentile } from "~/domain/percentile";

type Sum = { i: number; measure: string; bucket: number; n: number };
type Backlog = { at: number; messages: number; oldestMs: number };

const FAILED = ["failed", "timed_out", "lost"];
/** What is said of how long attempts run leaves out those that were stopped, or of which nobody knows when they ended. */
const TIMED = ["done", "failed", "timed_out"];

/** Sums of measures as series, one value a bucket, zeros where nothing happened. */
export function chartsOf(
  { unit, edges }: Buckets,
  sums: Sum[],
  backlogs: Backlog[],
  lanes: LaneSample[],
  deploys: Charts["deploys"],
): Charts {
  const zeros = () => Array<number>(edges.length - 1).fill(0);
  const [done, failed, other, dead] = [zeros(), zeros(), zeros(), zeros()];
  const [run, wait] = [edges.slice(1).map(empty), edges.slice(1).map(empty)];
  const [allRun, allWait] = [empty(), empty()];
  for (const { i, measure, bucket, n } of sums) {
    if (measure === "waited") {
      addTo(wait[i] as Histogram, bucket, n);
      addTo(allWait, bucket, n);
      continue;
    }
    const series = measure === "dead" ? dead : measure === "done" ? done : FAILED.includes(measure) ? failed : other;
    series[i] = (series[i] as number) + n;
    if (!TIMED.includes(measure)) continue;
    addTo(run[i] as Histogram, bucket, n);
    addTo(allRun, bucket, n);
  }
  return {
    unit,
    edges,
    done,
    failed,
    other,
    dead,
    run: latencies(run),
    wait: latencies(wait),
    ...backlogSeries(edges, backlogs, lanes),
    deploys,
    totals: {
      done: sumOf(done),
      failed: sumOf(failed),
      other: sumOf(other),
      dead: sumOf(dead),
      run: { p50: percentile(allRun, 0.5), p95: percentile(allRun, 0.95) },
      wait: { p50: percentile(allWait, 0.5), p95: percentile(allWait, 0.95) },
    },
  };
}

const empty = (): Histogram => new Map();
const sumOf = (values: number[]): number => values.reduce((sum, n) => sum + n, 0);
const latencies = (histograms: Histogram[]): Latency => ({
  p50: histograms.map((one) => percentile(one, 0.5)),
  p95: histograms.map((one) => percentile(one, 0.95)),
});

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
