import { addUp, type Histogram } from "~/domain/percentile";
import { addingToStats, ENDS, type End, RUN, STAT_COLUMNS, WAIT } from "./stat_columns";
import { type Rows, type Statement, sql } from "./store";

/** Adds to the numbers of jobs: `ends` is a SELECT of kind, at, outcome, ran, waited (NULL where nothing ran). */
export const addToStats = (ends: string, ...params: Statement["params"]): Statement =>
  sql(addingToStats(ends), ...params);

const sumsOf = (names: string[]) => `json_array(${names.map((name) => `sum(s.${name})`).join(", ")})`;
/** In two, for a function of D1 takes 32 arguments. */
const HALF = STAT_COLUMNS.length / 2;

/**
 * All that rows of a kind count in a part `p`, JSON of [key, grain, from, to), as one value for `statOf`; NULL where there are
 * none. A value and not a group: groups are sorted, and what is sorted is read twice.
 */
const inPart = (kind: string): string =>
  `(SELECT CASE WHEN count(*) > 0 THEN json_array(${sumsOf(STAT_COLUMNS.slice(0, HALF))}, ${sumsOf(STAT_COLUMNS.slice(HALF))}) END
   FROM stats AS s WHERE s.kind = ${kind} AND s.grain = p.value->>1 AND s.at >= p.value->>2 AND s.at < p.value->>3)`;

/** `key` and `sums` of each of `parts`, an SQL expression, of all kinds together. */
export const statsIn = (parts: string, ...params: Statement["params"]): Statement =>
  sql(`SELECT p.value->>0 AS key, ${inPart("''")} AS sums FROM json_each(${parts}) AS p`, ...params);

/** Kinds of which something is counted, '' first: found one by one, by key. */
export const KINDS_COUNTED = `(WITH RECURSIVE names (kind) AS (SELECT '' UNION ALL
    SELECT (SELECT min(kind) FROM stats WHERE stats.kind > names.kind) FROM names WHERE names.kind IS NOT NULL)
  SELECT kind FROM names WHERE kind IS NOT NULL)`;

/** The same with `kind`, of each of them alone. */
export const statsOfKinds = (parts: string, ...params: Statement["params"]): Statement =>
  sql(
    `SELECT k.kind, p.value->>0 AS key, ${inPart("k.kind")} AS sums
     FROM ${KINDS_COUNTED} AS k CROSS JOIN json_each(${parts}) AS p WHERE k.kind <> ''`,
    ...params,
  );

/** Of each kind in the last `ms`: by the minute up to the first full quarter hour, by quarters from there. */
export function lastOfKinds(ms: number): Statement {
  const minute = `({now} - ${ms}) / 60000`;
  const quarter = `(${minute} + 15) / 15 * 900000`;
  return statsOfKinds(
    `json_array(json_array(0, 60000, (${minute} + 1) * 60000, ${quarter}), json_array(1, 900000, ${quarter}, {now} + 1))`,
  );
}

const PLACES = Object.fromEntries(STAT_COLUMNS.map((name, place) => [name, place]));

/** `ranMs`: of all that is in `run`. */
export type Stat = Record<End, number> & { ranMs: number; run: Histogram; wait: Histogram };

/** What is counted in some parts together; zeros where there is nothing. */
export function statOf(parts: Rows): Stat {
  const told = parts.flatMap(({ sums }) => (sums === null ? [] : [(JSON.parse(sums as string) as number[][]).flat()]));
  const sums = addUp(told);
  const n = (name: string) => sums[PLACES[name] as number] ?? 0;
  const ends = Object.fromEntries(ENDS.map((end) => [end, n(end)])) as Record<End, number>;
  return { ...ends, ranMs: n("ran_ms"), run: RUN.map(n), wait: WAIT.map(n) };
}

/** Attempts that did not succeed, and were not stopped. */
export const failuresOf = ({ failed, timed_out, lost }: Stat): number => failed + timed_out + lost;
