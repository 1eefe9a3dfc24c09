import type { Used } from "../app/store/store.ts";
import type { Tally } from "./tally.ts";
import { median, type ShapeName, type Speeds } from "./throughput.ts";

export type Report = ReturnType<typeof report>;

export function report(
  speeds: Map<ShapeName, Speeds>,
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
  return {
    throughputRatio: round(speed("redrive", "whole") / speed("tutorial", "whole")),
    ceilingRatio: round(speed("redrive", "whole") / speed("bare", "whole")),
    runRatio: round(speed("redrive", "run") / speed("tutorial", "run")),
    d1CallsPerJob: total.d1Calls,
    statementsPerJob: total.statements,
    rowsReadPerJob: total.rowsRead,
    rowsWrittenPerJob: total.rowsWritten,
    queueOpsPerJob: perJob(tally.queue.written + tally.queue.read + tally.queue.deleted, jobs),
    idleMinuteD1Calls: idle.calls,
    idleMinuteStatements: idle.statements,
    idleMinuteRowsRead: idle.rowsRead,
    idleMinuteRowsWritten: idle.rowsWritten,
    hotRowsRead: hotRowsRead(hot),
    perJobByVerb: Object.fromEntries(Object.entries(tally.verbs).map(([verb, used]) => [verb, each(used)])),
    jobsPerSecond: Object.fromEntries(
      [...speeds].map(([shape, { whole, run }]) => [shape, { whole: whole.map(Math.round), run: run.map(Math.round) }]),
    ),
  };
}

function hotRowsRead(hot: Map<number, Record<string, Used>>): Record<string, Record<string, number>> {
  const rows: Record<string, Record<string, number>> = {};
  for (const [stored, verbs] of hot) {
    for (const [verb, used] of Object.entries(verbs)) rows[verb] = { ...rows[verb], [stored]: used.rowsRead };
  }
  return rows;
}

export function table(of: Report): string {
  const speeds = Object.entries(of.jobsPerSecond).flatMap(([shape, { whole, run }]) => [
    line(`${shape}, submit to done`, `${median(whole)} jobs/s`, spread(whole)),
    line(`${shape}, run alone`, `${median(run)} jobs/s`, spread(run)),
  ]);
  return [
    "Speed (medians of five alternating runs on this machine; lowest to highest beside them)",
    ...speeds,
    line("against the tutorials' shape", `${of.throughputRatio}×`, `run alone ${of.runRatio}×`),
    line("of the bare local queue", `${Math.round(of.ceilingRatio * 100)} %`),
    "",
    "A successful job in full batches",
    line("", "D1 calls", "statements", "rows read", "rows written"),
    ...Object.entries(of.perJobByVerb).map(([verb, used]) => line(verb, ...Object.values(used).map(String))),
    line("in all", ...[of.d1CallsPerJob, of.statementsPerJob, of.rowsReadPerJob, of.rowsWrittenPerJob].map(String)),
    line("queue operations", String(of.queueOpsPerJob)),
    "",
    "An idle minute",
    line("", "D1 calls", "statements", "rows read", "rows written"),
    line(
      "sweep",
      ...[of.idleMinuteD1Calls, of.idleMinuteStatements, of.idleMinuteRowsRead, of.idleMinuteRowsWritten].map(String),
    ),
    "",
    "Rows read, by jobs stored (submit, claim and settle: of a hundred jobs)",
    line("", ...Object.keys(Object.values(of.hotRowsRead)[0] ?? {})),
    ...Object.entries(of.hotRowsRead).map(([verb, rows]) => line(verb, ...Object.values(rows).map(String))),
  ].join("\n");
}

const line = (name: string, ...cells: string[]) =>
  `  ${name.padEnd(30)}${cells.map((cell) => cell.padStart(14)).join("")}`;
const spread = (values: number[]) => `${Math.min(...values)} to ${Math.max(...values)}`;
const perJob = (n: number, jobs: number) => Number((n / jobs).toFixed(4));
const round = (n: number) => Number(n.toFixed(n < 1 ? 3 : 1));
