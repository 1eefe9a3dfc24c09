import { KEPT_STATS_MS } from "~/domain/report/report";
import { jobKey } from "./bulk/bulk";
import { KINDS_COUNTED } from "./stats";
import { type Statement, sql } from "./store";

const DAY = 86_400_000;
const YEAR = 400 * DAY;

/** Ids tell the time at which they were made: those made ?1 ms ago and before. */
export const MADE_BEFORE = `printf('%08x-%04x', ({now} - ?1) / 65536, ({now} - ?1) % 65536)`;

const byId = (table: string, keys: string, id: string, condition = "true"): Statement =>
  sql(
    `DELETE FROM ${table} WHERE (${keys}) IN (
       SELECT ${keys} FROM ${table} WHERE ${id} < ${MADE_BEFORE} AND ${condition} ORDER BY ${id} LIMIT 1000)`,
    YEAR,
  );

/** What people did: kept 400 days, also where the job that they did it to is removed before. */
export const pruneDeeds: Statement[] = [
  byId("audit", "id", "id"),
  byId("bulk_skips", "operation_id, job_id", "operation_id"),
  // One whose job is gone will not go on any more.
  byId(
    "bulk_operations",
    "id",
    "id",
    `(state <> 'running' OR NOT EXISTS (SELECT 1 FROM jobs WHERE idempotency_key = '${jobKey("")}' || bulk_operations.id))`,
  ),
  sql("DELETE FROM deploys WHERE at < {now} - ?1", YEAR),
];

/** Dead letters: 90 days, as dead jobs where nothing else is said. Numbers of the day: 400, submitter by submitter. */
export const pruneLetters: Statement[] = [
  sql(
    `DELETE FROM dead_letters WHERE (message_id, queue) IN (
       SELECT message_id, queue FROM dead_letters INDEXED BY dead_letters_at WHERE at < {now} - ?1 ORDER BY at LIMIT 1000)`,
    90 * DAY,
  ),
  sql(
    `DELETE FROM daily_numbers WHERE (submitter, day) IN (
       WITH RECURSIVE names (name) AS (
         SELECT min(submitter) FROM daily_numbers UNION ALL
         SELECT (SELECT min(submitter) FROM daily_numbers WHERE submitter > names.name) FROM names WHERE names.name IS NOT NULL)
       SELECT old.submitter, old.day FROM names CROSS JOIN daily_numbers AS old
       ON old.submitter = names.name AND old.day < ({now} - ?1) / 86400000 LIMIT 1000)`,
    YEAR,
  ),
];

/** Numbers of jobs: by the minute for 48 hours, by the quarter hour and the hour for 13 months. */
const GRAINS = JSON.stringify([
  [60_000, 2 * DAY],
  [900_000, KEPT_STATS_MS],
  [3_600_000, KEPT_STATS_MS],
]);
const PRUNED = 5_000;

/** Many rows where there are many kinds: the last statement answers whether there may be more of them. */
export const pruneStats: Statement[] = [
  sql(
    `DELETE FROM stats WHERE (kind, grain, at) IN (
       SELECT s.kind, s.grain, s.at FROM ${KINDS_COUNTED} AS k CROSS JOIN json_each(?1) AS g
       CROSS JOIN stats AS s ON s.kind = k.kind AND s.grain = g.value->>0 AND s.at < {now} - g.value->>1 LIMIT ${PRUNED})`,
    GRAINS,
  ),
  sql("SELECT 1 WHERE changes() >= ?1", PRUNED),
];
