import { addToStats } from "./stats";
import { type Statement, sql } from "./store";

/**
 * Opens a write batch. Reads the clock once for the whole batch; and if `guard` finds work to do, bumps the revision and
 * writes the batch's token. Every later statement hangs on that token (`CHAINED`), so a batch without work changes
 * nothing, and the same batch sent again after a lost reply finds its guard false and changes nothing either.
 * `guard` is a SELECT; its own parameters start at ?2. `{now}` inside it is the very instant that becomes the clock.
 */
export const open = (token: string, guard: string, ...params: Statement["params"]): Statement =>
  sql(
    `UPDATE site_state SET clock = {now}, chain = work.token, revision = revision + (work.token IS NOT NULL)
     FROM (SELECT CASE WHEN EXISTS (${guard}) THEN ?1 END AS token) AS work
     WHERE id = 1`,
    token,
    ...params,
  );

/**
 * To be joined by every statement of the batch: the clock, and nothing at all where the batch has no work. ?1 is its
 * token. Joined first, it is read once and not once a job.
 */
export const CHAINED = "(SELECT clock FROM site_state WHERE id = 1 AND chain = ?1)";

/** Moves exact counts: `landed` is a SELECT of kind, was, became, each a view or NULL. */
export const moveCounts = (landed: string, ...params: Statement["params"]): Statement =>
  sql(
    `INSERT INTO job_counts (kind, view, n)
     SELECT kind, view, sum(n) FROM (
       WITH moves AS MATERIALIZED (SELECT kind, was, became, count(*) AS n FROM (${landed}) GROUP BY 1, 2, 3)
       SELECT kind, was AS view, -n AS n FROM moves UNION ALL SELECT kind, became, n FROM moves)
     WHERE view IS NOT NULL GROUP BY kind, view HAVING sum(n) <> 0
     ON CONFLICT (kind, view) DO UPDATE SET n = n + excluded.n`,
    ...params,
  );

/** Adds deaths (or, with n = -1, takes back) per cause and hour: `deaths` is a SELECT of cause, died_at, n. */
export const addToDeadCounts = (deaths: string, ...params: Statement["params"]): Statement =>
  sql(
    `INSERT INTO dead_counts (cause, hour, n) SELECT cause, died_at / 3600000 * 3600000, sum(n) FROM (${deaths}) WHERE true GROUP BY 1, 2
     ON CONFLICT (cause, hour) DO UPDATE SET n = n + excluded.n`,
    ...params,
  );

/** All that is counted of deaths: `died` is what follows FROM, the jobs that died in this batch. */
export const countDeaths = (died: string, ...params: Statement["params"]): Statement[] => [
  addToStats(
    `SELECT jobs.kind, batch.clock AS at, 'dead' AS outcome, NULL AS ran, NULL AS waited FROM ${died}`,
    ...params,
  ),
  addToDeadCounts(`SELECT jobs.cause, batch.clock AS died_at, 1 AS n FROM ${died}`, ...params),
  sql(
    `INSERT INTO deaths (minute, cause, kind, n, example)
     SELECT clock / 60000 * 60000, cause, min(kind), count(*), max(id)
     FROM (SELECT jobs.id, jobs.kind, jobs.cause, batch.clock FROM ${died}) WHERE true GROUP BY 1, 2
     ON CONFLICT (minute, cause) DO UPDATE SET n = n + excluded.n, example = max(example, excluded.example)`,
    ...params,
  ),
];
