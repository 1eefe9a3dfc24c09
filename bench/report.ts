import type { Used } from "../app/store/store.ts";
import { priceOf, priceText } from "./price.ts";
import type { Tally } from "./tally.ts";
import { median, percentile, type ShapeName, type Speeds } from "./throughput.ts";

export type Report = ReturnType<typeof report>;

export function report(
  speeds: Map<ShapeName, Speeds>,
  alone: number[],
  tally: Tally,
  jobs: number,
  hot: Map<number, Record<string, Used>>,
) {
  if (tally.events.length > 0) throw new Error(`the counted run did not go smoothly: ${JSON.stringify(tally.events)}`);
  const speed = (shape: ShapeName, what: keyof Speeds) => median((speeds.get(shape) as Speeds)[what]);
  const idle = [...hot.values()][0]?.sweepWhenIdle as Used;
  const each = (used: Used) => ({
    d1Calls: perJob(used.calls, jobs),
    statements: perJob(used.statements, jobs),
    rowsRead: perJob(used.rowsRead, jobs),
    rowsWritten: perJob(used.rowsWritten, jobs),
  });
  const total = each(tally.used);
  const queueOps = perJob(tally.queue.written + tally.queue.read + tally.queue.deleted, jobs);
  return {
    throughputRatio: round(speed("redrive", "whole") / speed("tutorial", "whole")),
    ceilingRatio: round(speed("redrive", "whole") / speed("bare", "whole")),
    runRatio: round(speed("redrive", "run") / speed("tutorial", "run")),
    singleSubmitRatio: round(speed("redrive", "single") / speed("tutorial", "single")),
    bulkSubmitRatio: round(speed("redrive", "bulk") / speed("tutorial", "bulk")),
    d1CallsPerJob: total.d1Calls,
    statementsPerJob: total.statements,
    rowsReadPerJob: total.rowsRead,
    rowsWrittenPerJob: total.rowsWritten,
    queueOpsPerJob: queueOps,
    idleLatencyMs: { p50: percentile(alone, 50), p95: percentile(alone, 95) },
    ...priceOf({ ...total, queueOps }),
    idleMinuteD1Calls: idle.calls,
    idleMinuteStatements: idle.statements,
    idleMinuteRowsRead: idle.rowsRead,
    idleMinuteRowsWritten: idle.rowsWritten,
    hotRowsRead: hotRowsRead(hot),
    perJobByVerb: Object.fromEntries(Object.entries(tally.verbs).map(([verb, used]) => [verb, each(used)])),
    jobsPerSecond: Object.fromEntries(
      [...speeds].map(([shape, of]) => [
        shape,
        Object.fromEntries(SPEEDS.map(([what]) => [what, of[what].map(Math.round)])) as Speeds,
      ]),
    ),
  };
}

const SPEEDS = [
  ["single", "submit one by one"],
  ["bulk", "submit by 1,000"],
  ["whole", "submit to done"],
  ["run", "run alone"],
] as const satisfies [keyof Speeds, string][];

function hotRowsRead(hot: Map<number, Record<string, Used>>): Record<string, Record<string, number>> {
  const rows: Record<string, Record<string, number>> = {};
  for (const [stored, verbs] of hot) {
    for (const [verb, used] of Object.entries(verbs)) rows[verb] = { ...rows[verb], [stored]: used.rowsRead };
  }
  return rows;
}

export function table(of: Report): string {
  const speeds = Object.entries(of.jobsPerSecond).flatMap(([shape, speeds]) =>
    SPEEDS.map(([what, words]) => line(`${shape}, ${words}`, ...spread(speeds[what]))),
  );
  return [
    head("Jobs a second, five runs in turn", "median", "lowest", "highest"),
    ...speeds,
    "",
    head("Redrive", "submit to done", "run alone", "submit 1", "submit 1,000"),
    line(
      "against the tutorials' shape",
      ...[of.throughputRatio, of.runRatio, of.singleSubmitRatio, of.bulkSubmitRatio].map((ratio) => `${ratio}×`),
    ),
    line("against the bare queue", `${of.ceilingRatio}×`),
    "",
    head("A successful job, full batches", ...COSTS),
    ...Object.entries(of.perJobByVerb).map(([verb, used]) => line(verb, ...Object.values(used))),
    line("in all", of.d1CallsPerJob, of.statementsPerJob, of.rowsReadPerJob, of.rowsWrittenPerJob),
    line("queue operations", of.queueOpsPerJob),
    "",
    head("One job while nothing else is done", "p50", "p95"),
    line("submit to done, ms", of.idleLatencyMs.p50, of.idleLatencyMs.p95),
    "",
    ...priceText(of),
    "",
    head("An idle minute", ...COSTS),
    line("sweep", of.idleMinuteD1Calls, of.idleMinuteStatements, of.idleMinuteRowsRead, of.idleMinuteRowsWritten),
    "",
    head("Rows read", ...Object.keys(of.hotRowsRead.claim ?? {}).map((stored) => `of ${stored}`)),
    ...Object.entries(of.hotRowsRead).map(([verb, rows]) =>
      line(`${verb}${TIMES[verb] ?? ""}`, ...Object.values(rows)),
    ),
  ].join("\n");
}

const COSTS = ["D1 calls", "statements", "rows read", "rows written"];
const TIMES: Record<string, string> = { submit: " of 100 jobs", claim: " of 100 jobs", settle: " of 100 jobs" };

const row = (name: string, cells: (string | number)[]) =>
  `${name.padEnd(34)}${cells.map((cell) => String(cell).padStart(16)).join("")}`;
const head = (name: string, ...cells: string[]) => row(name, cells);
const line = (name: string, ...cells: (string | number)[]) => row(`  ${name}`, cells);
const spread = (values: number[]) => [median(values), Math.min(...values), Math.max(...values)];
const perJob = (n: number, jobs: number) => Number((n / jobs).toFixed(4));
const round = (n: number) => Number(n.toFixed(n < 1 ? 3 : 1));
