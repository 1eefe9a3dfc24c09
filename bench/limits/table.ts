import type { LimitsReport } from "./run.ts";

export function limitsTable({ limited, held, load, missed }: LimitsReport): string {
  const { jobsPerSecond, idealPerSecond, running, workMs, settleMs, refillMs } = limited;
  return [
    `${running} at once, ${workMs} ms each: ${jobsPerSecond} jobs a second, ideal ${idealPerSecond}; at most ${limited.mostAtOnce} at once`,
    `  a place is idle until its job is settled ${settleMs.p50} ms (p95 ${settleMs.p95}), then until the next one begins ${refillMs.p50} ms (p95 ${refillMs.p95})`,
    `  a job: ${limited.d1CallsPerJob} D1 calls, ${limited.statementsPerJob} statements, ${limited.messagesPerJob} messages`,
    "",
    row("Rows read (written) beside held jobs", "none", "50", "50,000"),
    ...Object.entries(held).flatMap(([by, verbs]) =>
      Object.entries(verbs).map(([verb, { none, few, many }]) =>
        row(`  held by ${by}: ${verb}`, ...[none, few, many].map((used) => `${used.rowsRead} (${used.rowsWritten})`)),
      ),
    ),
    "",
    `load ${load}`,
    ...missed.map((what) => `missed: ${what}`),
    missed.length > 0 ? "failed" : "passed",
  ].join("\n");
}

const row = (name: string, ...cells: (string | number)[]) =>
  `${name.padEnd(40)}${cells.map((cell) => String(cell).padStart(16)).join("")}`;
