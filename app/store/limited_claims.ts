import { CHAINED } from "./chain";
import { ANY, GROUP_RUNNING, LEVEL, LIMITS, RUNNING, STARTS } from "./limits";
import { type Statement, sql } from "./store";

/**
 * Of the asked jobs for which `claimable` holds, those that the limits of their kinds leave room for, first due first: in
 * each group no more than its free places, and then of each kind no more than its free places and its starts. `batch` has
 * the clock; ?2: asks; ?3: the kinds; ?6: the limits of definitions.
 */
export const chosen = (batch: string, claimable: string): string =>
  `WITH own AS MATERIALIZED (
     SELECT k.value AS kind, ${LIMITS("k.value", "?6")} AS l, batch.clock FROM ${batch} CROSS JOIN json_each(?3) AS k),
   limited AS MATERIALIZED (
     SELECT own.kind, own.l ->> 'perGroup' AS per_group,
       min(coalesce((own.l ->> 'running') - ${RUNNING("own.kind")}, ${ANY}),
         coalesce(${STARTS("own.kind", "own.l", "own.clock")}, ${ANY})) AS places FROM own),
   asked AS (SELECT jobs.id, jobs.kind, jobs.group_key, jobs.run_at, limited.places, limited.per_group,
       row_number() OVER (PARTITION BY jobs.kind, jobs.group_key ORDER BY jobs.run_at, jobs.id) AS in_group
     FROM ${batch} CROSS JOIN json_each(?2) AS o CROSS JOIN jobs ON ${claimable} CROSS JOIN limited ON limited.kind = jobs.kind),
   fitting AS (SELECT id, places, row_number() OVER (PARTITION BY kind ORDER BY run_at, id) AS in_kind FROM asked
     WHERE per_group IS NULL OR group_key IS NULL OR in_group <= per_group - ${GROUP_RUNNING("asked.kind", "asked.group_key")})
   SELECT id FROM fitting WHERE in_kind <= places`;

/** Takes what this batch has started out of the buckets of kinds with a rate. */
export const spendStarts = (token: string, asks: string, definitions: string): Statement =>
  sql(
    `WITH started AS MATERIALIZED (
       SELECT jobs.kind, count(*) AS n, batch.clock FROM ${CHAINED} AS batch CROSS JOIN json_each(?2) AS o
       CROSS JOIN jobs ON jobs.id = o.key AND jobs.token = ?1 GROUP BY jobs.kind),
     spent AS MATERIALIZED (SELECT started.*, ${LIMITS("started.kind", "?3")} AS l FROM started)
     INSERT INTO rate_buckets (kind, level, per_ms, at)
     SELECT spent.kind, max(0, ${LEVEL("spent.kind", "spent.l", "spent.clock")} - spent.n * (spent.l ->> 'perMs')),
       spent.l ->> 'perMs', spent.clock FROM spent WHERE spent.l ->> 'jobs' IS NOT NULL
     ON CONFLICT (kind) DO UPDATE SET level = excluded.level, per_ms = excluded.per_ms, at = excluded.at`,
    token,
    asks,
    definitions,
  );
