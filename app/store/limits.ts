/**
 * Kinds as statements take them: their names; JSON of the limits of those whose definition has some (`encodeLimits`), by
 * name; and the names of all that are known to have limits.
 */
export type Known = { names: string[]; limits: string; limited: ReadonlySet<string> };

/*
 * Parts of statements. Columns are handed in with the name of their table: `kind` alone would be that of the table inside.
 */

/** Limits in force as JSON, or NULL: what a person has set stands before the definition. `definitions`: `Known.limits`. */
export const LIMITS = (kind: string, definitions: string): string =>
  `coalesce((SELECT limits FROM kinds WHERE kinds.name = ${kind}), json_extract(${definitions}, '$."' || ${kind} || '"'))`;

/** How many jobs of the kind run. Kept by the writes themselves, so it is exact in each transaction. */
export const RUNNING = (kind: string): string =>
  `coalesce((SELECT n FROM job_counts WHERE job_counts.kind = ${kind} AND view = 'processing'), 0)`;

export const GROUP_RUNNING = (kind: string, group: string): string =>
  `(SELECT count(*) FROM jobs AS running INDEXED BY jobs_group_running
    WHERE running.state = 'processing' AND running.kind = ${kind} AND running.group_key = ${group})`;

/** What the bucket of a kind with the limits `l` holds at `now`. One start costs `perMs`; one that nobody has used is full. */
export const LEVEL = (kind: string, l: string, now: string): string =>
  `coalesce((SELECT min((${l} ->> 'jobs') * (${l} ->> 'perMs'), max(0, ${now} - b.at) * (${l} ->> 'jobs')
      + CASE WHEN b.per_ms = ${l} ->> 'perMs' THEN b.level ELSE CAST(1.0 * b.level * (${l} ->> 'perMs') / b.per_ms AS INTEGER) END)
    FROM rate_buckets AS b WHERE b.kind = ${kind}), (${l} ->> 'jobs') * (${l} ->> 'perMs'))`;

/** Whole starts that the bucket holds; NULL where the kind has no rate. */
export const STARTS = (kind: string, l: string, now: string): string =>
  `CASE WHEN ${l} ->> 'jobs' IS NOT NULL THEN ${LEVEL(kind, l, now)} / (${l} ->> 'perMs') END`;

/** More than any limit. */
export const ANY = 1_000_000;
