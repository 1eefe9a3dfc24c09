import { type Store, sql } from "~/store/store";

/** Creation time of all jobs of the stock. */
export const STOCK_AT = Date.UTC(2026, 11, 1, 10);
/** All of them are of one millisecond, as in one bulk submit: only the counter of the id differs. */
export const stockId = (i: number): string => `01a2310c-0100-7000-8000-${String(i).padStart(12, "0")}`;

/**
 * Jobs number `from` to `to` (the higher, the newer), mixed as in a site at work: 40 % done, 20 % dead, 10 % cancelled,
 * 30 % pending (a third each: due, scheduled, retrying). Each tenth is of kind `b`, the others of kind `a`.
 */
export async function stock(store: Store, from: number, to: number): Promise<void> {
  await store.batch([
    sql(
      `WITH RECURSIVE n(i) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       INSERT INTO jobs (id, kind, lane, state, payload, label, attempt, max_attempts, run_at, token, last_error, cause,
         created_at, leased_at, finished_at)
       SELECT printf('01a2310c-0100-7000-8000-%012d', i), CASE i / 10 % 10 WHEN 0 THEN 'b' ELSE 'a' END, 'normal',
         CASE WHEN i % 10 < 4 THEN 'done' WHEN i % 10 < 6 THEN 'dead' WHEN i % 10 < 7 THEN 'cancelled' ELSE 'pending' END,
         '{"n":' || i || '}', 'job ' || i, i % 10 < 6 OR i % 10 = 9, 5, ?3 + CASE i % 10 WHEN 8 THEN 3600000 ELSE 0 END, 't',
         CASE WHEN i % 10 IN (4, 5, 9) THEN 'it broke' END,
         CASE WHEN i % 10 IN (4, 5, 9) THEN CASE i / 10 % 10 WHEN 0 THEN 'b' ELSE 'a' END || ': it broke' END,
         ?3, CASE WHEN i % 10 < 6 OR i % 10 = 9 THEN ?3 END, CASE WHEN i % 10 < 7 THEN ?3 + 1000 END FROM n`,
      from,
      to,
      STOCK_AT,
    ),
    sql(
      `INSERT INTO job_counts (kind, view, n) SELECT kind, view, count(*) FROM jobs
       WHERE id BETWEEN printf('01a2310c-0100-7000-8000-%012d', CAST(?1 AS INTEGER)) AND printf('01a2310c-0100-7000-8000-%012d', CAST(?2 AS INTEGER))
       GROUP BY kind, view ON CONFLICT (kind, view) DO UPDATE SET n = n + excluded.n`,
      from,
      to,
    ),
    sql(
      `INSERT INTO dead_counts (cause, hour, n) SELECT cause, finished_at / 3600000 * 3600000, count(*) FROM jobs
       WHERE state = 'dead' AND id BETWEEN printf('01a2310c-0100-7000-8000-%012d', CAST(?1 AS INTEGER)) AND printf('01a2310c-0100-7000-8000-%012d', CAST(?2 AS INTEGER))
       GROUP BY 1, 2 ON CONFLICT (cause, hour) DO UPDATE SET n = n + excluded.n`,
      from,
      to,
    ),
  ]);
}
