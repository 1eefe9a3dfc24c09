import { type Store, sql } from "./store";

export type Due = { id: string; kind: string; attempt: number; delayMs: number };

/** `o` is [id, attempts so far]. These writes move no job, so they carry no token and leave the revision alone. */
const SAME = "jobs.id = o.value->>0 AND jobs.attempt = o.value->>1 AND +jobs.state = 'pending'";

const namesOf = (jobs: { id: string; attempt: number }[]) => JSON.stringify(jobs.map((job) => [job.id, job.attempt]));

/** Takes back `sent_at` of jobs whose message could not be sent: they are unsent again. */
export async function unsend(store: Store, jobs: { id: string; attempt: number }[]): Promise<void> {
  await store.batch([sql(`UPDATE jobs SET sent_at = NULL FROM json_each(?1) AS o WHERE ${SAME}`, namesOf(jobs))]);
}

/**
 * Writes `sent_at` of jobs that are about to get a fresh message and answers with them. A job due later than `aheadMs`
 * from now becomes unsent instead. Those not answered have moved on.
 */
export async function markSent(store: Store, jobs: { id: string; attempt: number }[], aheadMs: number): Promise<Due[]> {
  const [rows] = await store.batch([
    sql(
      `UPDATE jobs SET sent_at = CASE WHEN run_at <= {now} + ?2 THEN {now} END FROM json_each(?1) AS o WHERE ${SAME}
       RETURNING id, kind, attempt, max(0, run_at - {now}) AS delayMs`,
      namesOf(jobs),
      aheadMs,
    ),
  ]);
  return (rows as Due[]).filter((job) => job.delayMs <= aheadMs);
}

/** Held jobs (kind paused or not among `known`) become unsent in one statement; then they cost nothing until released. */
export async function holdJobs(store: Store, jobs: { id: string; attempt: number }[], known: string[]): Promise<void> {
  await store.batch([
    sql(
      `UPDATE jobs SET sent_at = NULL FROM json_each(?1) AS o WHERE ${SAME} AND (jobs.kind NOT IN (SELECT value FROM json_each(?2))
         OR EXISTS (SELECT 1 FROM kinds WHERE kinds.name = jobs.kind AND kinds.paused_at IS NOT NULL))`,
      namesOf(jobs),
      JSON.stringify(known),
    ),
  ]);
}

/** Kinds that may run now: known to this code and not paused. */
const RUNNABLE = `SELECT k.value AS kind FROM json_each(?1) AS k
  WHERE NOT EXISTS (SELECT 1 FROM kinds WHERE kinds.name = k.value AND kinds.paused_at IS NOT NULL)`;

/** In `jobs_to_send` the unsent come first (NULLs sort first), by due time. */
const UNSENT = "jobs.lane = ?2 AND +jobs.state = 'pending' AND jobs.sent_at IS NULL AND jobs.run_at <= {now} + ?3";

/** One row if the lane has unsent jobs due within `aheadMs`. */
export const anyUnsent = (known: string[], lane: string, aheadMs: number) =>
  sql(
    `SELECT kind FROM (${RUNNABLE}) AS r WHERE EXISTS (SELECT 1 FROM jobs INDEXED BY jobs_to_send
       WHERE jobs.state = 'pending' AND jobs.kind = r.kind AND jobs.lane = ?2 AND jobs.sent_at IS NULL AND jobs.run_at <= {now} + ?3) LIMIT 1`,
    JSON.stringify(known),
    lane,
    aheadMs,
  );

/** Marks up to `limit` unsent jobs of the lane as sent, next due first, each kind its share, and answers with them. */
export async function markNextSent(
  store: Store,
  known: string[],
  lane: string,
  aheadMs: number,
  limit: number,
): Promise<Due[]> {
  const [rows] = await store.batch([
    sql(
      `WITH live AS (SELECT kind FROM (${RUNNABLE}) AS r WHERE EXISTS (SELECT 1 FROM jobs INDEXED BY jobs_to_send
           WHERE jobs.state = 'pending' AND jobs.kind = r.kind AND jobs.lane = ?2 AND jobs.sent_at IS NULL AND jobs.run_at <= {now} + ?3)),
         next AS (SELECT picked.id FROM live CROSS JOIN jobs AS picked ON picked.id IN (
           SELECT jobs.id FROM jobs INDEXED BY jobs_to_send WHERE jobs.state = 'pending' AND jobs.kind = live.kind AND jobs.lane = ?2
             AND jobs.sent_at IS NULL AND jobs.run_at <= {now} + ?3 ORDER BY jobs.run_at LIMIT max(1, ?4 / (SELECT count(*) FROM live))))
       UPDATE jobs SET sent_at = {now} FROM next WHERE jobs.id = next.id AND ${UNSENT}
       RETURNING id, kind, attempt, max(0, run_at - {now}) AS delayMs`,
      JSON.stringify(known),
      lane,
      aheadMs,
      limit,
    ),
  ]);
  return rows as Due[];
}

/**
 * Marks as sent again, up to `limit`, the jobs whose message must be gone: due and sent a minute ago, and older than
 * anything the lane can still hold (`olderThan`, ms since 1970: sent before it means not in the lane).
 */
export async function markGoneSent(
  store: Store,
  known: string[],
  lane: string,
  graceMs: number,
  olderThan: number,
  limit: number,
): Promise<Due[]> {
  const [rows] = await store.batch([
    sql(
      `UPDATE jobs SET sent_at = {now} FROM (${gone("jobs.id")} LIMIT ?5) AS next
       WHERE jobs.id = next.id AND +jobs.state = 'pending' AND jobs.run_at <= {now} - ?3 AND jobs.sent_at <= min({now} - ?3, ?4)
       RETURNING id, kind, attempt, 0 AS delayMs`,
      JSON.stringify(known),
      lane,
      graceMs,
      olderThan,
      limit,
    ),
  ]);
  return rows as Due[];
}

/** One row if the lane has jobs whose message must be gone. */
export const anyGone = (known: string[], lane: string, graceMs: number, olderThan: number) =>
  sql(`${gone("1")} LIMIT 1`, JSON.stringify(known), lane, graceMs, olderThan);

const gone = (what: string) => `SELECT ${what} FROM (${RUNNABLE}) AS r CROSS JOIN jobs INDEXED BY jobs_to_send
  WHERE jobs.state = 'pending' AND jobs.kind = r.kind AND jobs.lane = ?2
  AND jobs.sent_at <= min({now} - ?3, ?4) AND jobs.run_at <= {now} - ?3`;
