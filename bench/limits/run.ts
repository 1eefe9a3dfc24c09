import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { Used } from "../../app/store/store.ts";
import { HELD_BY } from "../../app/testing/held.ts";
import { type Server, start } from "../server.ts";
import type { Tally } from "../tally.ts";
import { percentile } from "../throughput.ts";
import { limitsTable } from "./table.ts";

const RUNNING = 5;
const WORK_MS = 100;
const JOBS = 600;
const [FEW, MANY] = [50, 50_000];
/** On which row a look ends may cost that much more or less. */
const SLACK = 3;
/** That a kind can start nothing is found by looking at the kind: once, however many jobs it holds. */
const LOOK_AT_A_KIND = 12;
const PATIENCE_MS = 120_000;
/** What must hold: the ideal is 50 jobs a second. */
const AT_LEAST_A_SECOND = 40;

type Attempt = { startedAt: number; finishedAt: number };

export type Beside = { none: Used; few: Used; many: Used };
export type LimitsReport = {
  limited: {
    jobs: number;
    running: number;
    workMs: number;
    jobsPerSecond: number;
    idealPerSecond: number;
    mostAtOnce: number;
    /** From the end of its work until D1 has it, and until the next job in its place has begun: what a place is idle. */
    settleMs: { p50: number; p95: number };
    refillMs: { p50: number; p95: number };
    d1CallsPerJob: number;
    statementsPerJob: number;
    messagesPerJob: number;
  };
  /** By what holds them, and what is done beside them: what it uses beside none, beside 50 and beside 50,000. */
  held: Record<string, Record<string, Beside>>;
  /** What waited for a processor on average meanwhile. */
  load: number;
  missed: string[];
};

/** `npm run bench -- limits`: what a limit lets through, and what held jobs cost. Exit status 1 where a bound is missed. */
export async function limits(argv: string[]): Promise<void> {
  const server = await start();
  try {
    const limited = await workOff(server);
    const load = Math.round(10 * (loadavg()[0] as number)) / 10;
    const held = await besideHeld(server);
    const report: LimitsReport = { limited, held, load, missed: missedOf(limited, held) };
    console.log(argv.includes("--json") ? JSON.stringify(report) : limitsTable(report));
    if (report.missed.length > 0) process.exitCode = 1;
  } finally {
    await server.close();
  }
}

/** By the real local queue, in real time. */
async function workOff(server: Server): Promise<LimitsReport["limited"]> {
  await server.ask("/begin?shape=counted");
  // Warm: what is compiled at first use is no idle place.
  await server.ask(`/limit?jobs=50&running=${RUNNING}&ms=${WORK_MS}`);
  await ended(server, 50);
  await server.ask("/begin?shape=counted");
  await server.ask(`/limit?jobs=${JOBS}&running=${RUNNING}&ms=${WORK_MS}`);
  await ended(server, JOBS);
  const { attempts } = await server.ask<{ attempts: Attempt[] }>("/limit/ends");
  if (attempts.length !== JOBS) throw new Error(`${attempts.length} attempts of ${JOBS} jobs`);
  const { used, queue } = await server.ask<Tally>("/tally");
  const starts = attempts.map(({ startedAt }) => startedAt).sort((a, b) => a - b);
  const ends = attempts.map(({ finishedAt }) => finishedAt);
  const refills = starts.slice(RUNNING).map((at, i) => at - (ends[i] as number));
  return {
    jobs: JOBS,
    running: RUNNING,
    workMs: WORK_MS,
    jobsPerSecond: round((1_000 * JOBS) / ((ends.at(-1) as number) - (starts[0] as number))),
    idealPerSecond: (1_000 * RUNNING) / WORK_MS,
    mostAtOnce: mostAtOnce(attempts),
    settleMs: spread(attempts.map(({ startedAt, finishedAt }) => finishedAt - startedAt - WORK_MS)),
    refillMs: spread(refills),
    d1CallsPerJob: round(used.calls / JOBS),
    statementsPerJob: round(used.statements / JOBS),
    messagesPerJob: round(queue.read / JOBS),
  };
}

async function ended(server: Server, jobs: number): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  while ((await server.ask<number>("/limit/done")) < jobs) {
    if (Date.now() > until) throw new Error(`not all of ${jobs} limited jobs have ended`);
    await pause(250);
  }
}

/** Ends before starts of the same moment: a place that is left may be taken in that very millisecond. */
function mostAtOnce(attempts: Attempt[]): number {
  const steps = attempts.flatMap(({ startedAt, finishedAt }) => [
    { at: startedAt, by: 1 },
    { at: finishedAt, by: -1 },
  ]);
  let [now, most] = [0, 0];
  for (const { by } of steps.sort((a, b) => a.at - b.at || a.by - b.by)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

async function besideHeld(server: Server): Promise<LimitsReport["held"]> {
  const held: LimitsReport["held"] = {};
  for (const by of HELD_BY) {
    const beside = (n: number) => server.ask<Record<string, Used>>(`/held?jobs=${n}&by=${by}`);
    const [none, few, many] = [await beside(0), await beside(FEW), await beside(MANY)];
    const of = (verb: string) => ({ none: none[verb], few: few[verb], many: many[verb] }) as Beside;
    held[by] = Object.fromEntries(Object.keys(many).map((verb) => [verb, of(verb)]));
  }
  return held;
}

function missedOf(limited: LimitsReport["limited"], held: LimitsReport["held"]): string[] {
  const { jobsPerSecond, mostAtOnce: most } = limited;
  const missed: string[] = [];
  if (jobsPerSecond < AT_LEAST_A_SECOND) missed.push(`${jobsPerSecond} jobs a second, under ${AT_LEAST_A_SECOND}`);
  if (most > RUNNING) missed.push(`${most} ran at once, over ${RUNNING}`);
  for (const [by, verbs] of Object.entries(held)) {
    for (const [verb, { none, few, many }] of Object.entries(verbs)) {
      const told = `beside jobs held by ${by} a ${verb} reads ${none.rowsRead}, ${few.rowsRead}, ${many.rowsRead} rows and writes ${none.rowsWritten}, ${few.rowsWritten}, ${many.rowsWritten}: beside none, ${FEW}, ${MANY}`;
      const reads = many.rowsRead - few.rowsRead <= SLACK && many.rowsRead - none.rowsRead <= LOOK_AT_A_KIND;
      if (!reads || many.rowsWritten > none.rowsWritten) missed.push(told);
    }
  }
  return missed;
}

const round = (n: number) => Math.round(1_000 * n) / 1_000;
const spread = (values: number[]) => ({ p50: percentile(values, 50), p95: percentile(values, 95) });
