import { env } from "cloudflare:workers";

/**
 * Stores `n` jobs straight in D1: 40 % done, 20 % dead, 10 % cancelled, 30 % pending (a third each: sent and due,
 * scheduled, of a paused kind), in the order of their ids well mixed. `now` in ms.
 */
export async function seed(n: number, now: number, kind = "probe.ok"): Promise<void> {
  const db = (env as { DB: D1Database }).DB;
  await db
    .prepare("INSERT OR IGNORE INTO kinds (name, paused_at, paused_by) VALUES ('probe.paused', ?, 'ana')")
    .bind(now)
    .run();
  for (let from = 0; from < n; from += 20_000) {
    const count = Math.min(20_000, n - from);
    await db
      .prepare(
        `WITH RECURSIVE i(n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM i WHERE n < ?1 + ?2 - 1),
         r AS (SELECT n, n % 30 AS m, printf('%08x-%04x-7000-8000-%012x', (?3 - 100000000 + n) / 65536, (?3 - 100000000 + n) % 65536, n) AS id FROM i)
         INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, attempt, run_at, sent_at, token, created_at, finished_at, cause, last_error)
         SELECT id, CASE m WHEN 27 THEN 'probe.paused' WHEN 28 THEN 'probe.paused' WHEN 29 THEN 'probe.paused' ELSE ?4 END, 'normal',
           CASE WHEN m < 12 THEN 'done' WHEN m < 18 THEN 'dead' WHEN m < 21 THEN 'cancelled' ELSE 'pending' END, '{}', 5,
           CASE WHEN m < 18 THEN 1 ELSE 0 END,
           CASE WHEN m BETWEEN 24 AND 26 THEN ?3 + 86400000 + n ELSE ?3 - 1000 END,
           CASE WHEN m BETWEEN 21 AND 23 THEN ?3 - 1000 END, 'seed', ?3 - 100000000 + n,
           CASE WHEN m < 21 THEN ?3 - 90000000 + n END,
           CASE WHEN m BETWEEN 12 AND 17 THEN ?4 || ': cause ' || (n % 200) END,
           CASE WHEN m BETWEEN 12 AND 17 THEN 'cause ' || (n % 200) END
         FROM r`,
      )
      .bind(from, count, now, kind)
      .run();
  }
  await db.prepare("DELETE FROM job_counts").run();
  await db
    .prepare("INSERT INTO job_counts (kind, view, n) SELECT kind, view, count(*) FROM jobs GROUP BY kind, view")
    .run();
  await db.prepare("DELETE FROM dead_counts").run();
  await db
    .prepare(
      "INSERT INTO dead_counts (cause, hour, n) SELECT cause, finished_at / 3600000 * 3600000, count(*) FROM jobs WHERE state = 'dead' GROUP BY 1, 2",
    )
    .run();
}
