import { CHAINED, countDeaths, moveCounts, open } from "./chain";
import { type Statement, type Store, sql } from "./store";

/** A waiting job whose time to be started is over. `attempt`: attempts so far; `expiresAt` in ms. */
export type Overdue = { id: string; kind: string; attempt: number; expiresAt: number };

/** Those whose time was over first. Only a hint: the write asks again. */
export const overdueJobs = (limit: number): Statement =>
  sql(
    `SELECT id, kind, attempt, expires_at AS expiresAt FROM jobs INDEXED BY jobs_expiring
     WHERE state = 'pending' AND expires_at IS NOT NULL AND expires_at <= {now} ORDER BY expires_at LIMIT ?1`,
    limit,
  );

export async function readOverdue(store: Store, limit: number): Promise<Overdue[]> {
  const [rows] = await store.batch([overdueJobs(limit)]);
  return rows as Overdue[];
}

const OVERDUE = (now: string) => `jobs.id = o.value->>0 AND jobs.attempt = o.value->>1 AND +jobs.state = 'pending'
  AND jobs.expires_at <= ${now}`;
/** What an attempt before has failed of stays readable: it may be why the job is late. */
const BEFORE = "coalesce('; the attempt before it: ' || substr(jobs.last_error, 1, 1000), '')";
const LANDED = `json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch CROSS JOIN jobs ON jobs.id = o.value->>0 AND jobs.token = ?1`;

/**
 * Ends those of the jobs that still wait and are overdue by D1's clock: dead, with a cause and no attempt row (none ran).
 * Answers their ids. Safe to send again.
 */
export async function expireJobs(
  store: Store,
  token: string,
  jobs: { id: string; attempt: number; error: string }[],
  causeTail: string,
): Promise<string[]> {
  const rows = JSON.stringify(jobs.map((job) => [job.id, job.attempt, job.error]));
  const from = `json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch`;
  const results = await store.batch([
    open(token, `SELECT 1 FROM json_each(?2) AS o CROSS JOIN jobs ON ${OVERDUE("{now}")}`, rows),
    moveCounts(
      `SELECT jobs.kind, jobs.view AS was, 'dead' AS became FROM ${from} CROSS JOIN jobs ON ${OVERDUE("batch.clock")}`,
      token,
      rows,
    ),
    sql(
      `UPDATE jobs SET state = 'dead', token = ?1, sent_at = NULL, finished_at = batch.clock,
         last_error = o.value->>2 || ${BEFORE}, cause = kind || ': ' || ?3
       FROM ${from} WHERE ${OVERDUE("batch.clock")}`,
      token,
      rows,
      causeTail,
    ),
    ...countDeaths(LANDED, token, rows),
    sql(
      `SELECT jobs.id FROM json_each(?2) AS o CROSS JOIN jobs ON jobs.id = o.value->>0 WHERE jobs.token = ?1`,
      token,
      rows,
    ),
  ]);
  return (results.at(-1) as { id: string }[]).map(({ id }) => id);
}
