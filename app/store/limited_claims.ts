import { CHAINED } from "./chain";
import { ANY, GROUP_RUNNING, LEVEL, LIMITS, RUNNING, STARTS } from "./limits";
import { type Statement, sql } from "./store";

/**
 * Of the asked jobs for which `claimable` holds, those that the limits of their kinds leave room for, first due first: in
 * each group no more than its free places, and then of each kind no more than its free places and its starts. `batch` has
 * the clock; ?2: asks; ?3: the kinds; ?6: the limits of definitions.
 */
export const chosen = (batch: string, claimable: string): string =>
  `WITH limited AS MATERIALIZED (
     SELECT kind, l ->> 'perGroup' AS per_group,
       min(coalesce((l ->> 'running') - ${RUNNING("kind")}, ${ANY}), coalesce(${STARTS("kind", "l", "clock")}, ${ANY})) AS places
     FROM (SELECT k.value AS kind, ${LIMITS("k.value", "?6")} AS l, batch.clock FROM ${batch} CROSS JOIN json_each(?3) AS k)),
   asked AS (SELECT jobs.id, jobs.kind, jobs.group_key, jobs.run_at, limited.places, limited.per_group,
       row_number() OVER (PARTITION BY jobs.kind, jobs.group_key ORDER BY jobs.run_at, jobs.id) AS in_group
     FROM ${batch} CROSS JOIN json_each(?2) AS o CROSS JOIN jobs ON ${claimable} CROSS JOIN limited ON limited.kind = jobs.kind),
   fitting AS (SELECT id, places, row_number() OVER (PARTITION BY kind ORDER BY run_at, id) AS in_kind FROM asked
     WHERE per_group IS NULL OR group_key IS NULL OR in_group <= per_group - ${GROUP_RUNNING("asked.kind", "asked.group_key")})
   SELECT id FROM fitting WHERE in_kind <= places`;

/** Takes what this batch has started out of the buckets of kinds with a rate. */
export const spendStarts = (token: string, asks: string, definitions: string): Statement =>
  sql(
    `INSERT INTO rate_buckets (kind, level, per_ms, at)
     SELECT kind, max(0, ${LEVEL("kind", "l", "clock")} - n * (l ->> 'perMs')), l ->> 'perMs', clock FROM (
       SELECT kind, n, clock, ${LIMITS("kind", "?3")} AS l FROM (
         SELECT jobs.kind, count(*) AS n, batch.clock FROM ${CHAINED} AS batch CROSS JOIN json_each(?2) AS o
         CROSS JOIN jobs ON jobs.id = o.key AND jobs.token = ?1 GROUP BY jobs.kind))
     WHERE l ->> 'jobs' IS NOT NULL
     ON CONFLICT (kind) DO UPDATE SET level = excluded.level, per_ms = excluded.per_ms, at = excluded.at`,
    token,
    asks,
    definitions,
  );
