import type { DatabaseSync } from "node:sqlite";
import { addSums } from "../../e2e/stock.ts";

/** What `demo` says when it is told to die: so later arrivals die of the very cause of the stored ones. */
const ERROR = "this demo was told to fail for good";
export const CAUSE = `demo: ${ERROR}`;
export const WARM_CAUSE = "demo: the warehouse was closed";
const HOUR_MS = 3_600_000;

/** `kind`, `state`, how many, and of how many causes of their own; null: of none. */
type Part = { kind: string; state: string; jobs: number; causes: string[] | null };

/**
 * So many dead jobs of one cause, `warm` of another one to warm up with, and a few thousand others that nobody means. Those
 * that are dead died of what is mended by now: run again, they get done.
 */
export function stockDead(db: DatabaseSync, jobs: number, warm: number): void {
  const others = Array.from({ length: 10 }, (_, n) => `demo: shelf ${n} is empty`);
  const parts: Part[] = [
    { kind: "demo", state: "dead", jobs, causes: [CAUSE] },
    { kind: "demo", state: "dead", jobs: warm, causes: [WARM_CAUSE] },
    { kind: "demo", state: "dead", jobs: 2_000, causes: others },
    { kind: "http_request", state: "dead", jobs: 1_000, causes: [`http_request: ${ERROR}`] },
    { kind: "demo", state: "done", jobs: 2_000, causes: null },
    { kind: "demo", state: "cancelled", jobs: 1_000, causes: null },
  ];
  const now = Date.now();
  const insertJobs = db.prepare(JOBS);
  db.exec("BEGIN");
  let from = 1;
  for (const { kind, state, jobs, causes } of parts) {
    const to = from + jobs - 1;
    insertJobs.run({ from, to, kind, state, causes: JSON.stringify(causes ?? [null]), begun: now - 12 * HOUR_MS });
    from = to + 1;
  }
  db.exec(ATTEMPTS);
  db.exec("COMMIT");
  addSums(db, now);
}

const JOBS = `
  WITH RECURSIVE i(n) AS (SELECT CAST(:from AS INTEGER) UNION ALL SELECT n + 1 FROM i WHERE n < :to),
  a AS (SELECT n, CAST(:begun AS INTEGER) + n * 50 AS at, :causes ->> (n % json_array_length(:causes)) AS cause FROM i)
  INSERT INTO jobs (id, kind, lane, state, attempt, max_attempts, run_at, token, created_at, finished_at, label, cause, last_error, payload)
  SELECT printf('%08x-%04x-7%03x-8000-%012x', at >> 16, at & 65535, n & 4095, n), :kind, 'normal', :state, :state <> 'cancelled', 3, at,
    'stock', at, at + 500, 'works', cause, substr(cause, instr(cause, ': ') + 2), '{}' FROM a`;

const ATTEMPTS = `
  INSERT INTO attempts (job_id, number, generation, trigger, started_at, finished_at, waited_ms, outcome, error, cause, token, app_version)
  SELECT id, 1, 1, 'first', created_at + 100, finished_at, 100, CASE state WHEN 'done' THEN 'done' ELSE 'failed' END, last_error, cause, 'stock', 'stock'
  FROM jobs WHERE token = 'stock' AND attempt = 1`;
