import type { Part } from "~/domain/overview/chart_range";
import { addUp, type Histogram } from "~/domain/percentile";
import { addingToStats, ENDS, type End, RUN, WAIT } from "./stat_columns";
import { type Rows, type Statement, sql } from "./store";

/** Adds to the numbers of jobs: `ends` is a SELECT of kind, at, outcome, ran, waited (NULL where nothing ran). */
export const addToStats = (ends: string, ...params: Statement["params"]): Statement =>
  sql(addingToStats(ends), ...params);

/** Of a row: how attempts ended and how long they ran. Beside waits, for a function of D1 takes 32 arguments. */
const COUNTED = [...ENDS, "ran_ms", ...RUN];
const arrayOf = (names: string[]) => `json_array(${names.join(", ")})`;
const sumsOf = (names: string[]) => arrayOf(names.map((name) => `sum(s.${name})`));

/**
 * `sums` of the rows of a kind in a part `p`, JSON of [key, grain, from, to), as one value; NULL where there are none. A value and
 * not a group: groups are sorted, and what is sorted is read twice.
 */
const summed = (kind: string, sums: string): string =>
  `(SELECT CASE WHEN count(*) > 0 THEN ${sums} END
   FROM stats AS s WHERE s.kind = ${kind} AND s.grain = p.value->>1 AND s.at >= p.value->>2 AND s.at < p.value->>3)`;

/**
 * What all kinds together have counted in `parts`, which follow one another without a hole, for `statsByBucket`. It is one text:
 * D1 wraps every value that it answers. Where each part is a row, rows are told as they are, which takes a third of the time.
 */
export function statsIn(parts: Part[]): Statement {
  const [, grain, from] = parts[0] as Part;
  if (parts.every((part) => part[1] === grain && part[3] - part[2] === grain)) {
    return sql(
      `SELECT json_group_array(json_array(at, json_array(${arrayOf(COUNTED)}, ${arrayOf(WAIT)}))) AS told
       FROM stats WHERE kind = '' AND grain = ?1 AND at >= ?2 AND at < ?3`,
      grain,
      from,
      parts.at(-1)?.[3] as number,
    );
  }
  const sums = summed("''", `json_array(${sumsOf(COUNTED)}, ${sumsOf(WAIT)})`);
  return sql(
    `SELECT json_group_array(json_array(p.value->>2, json(${sums}))) AS told FROM json_each(?1) AS p`,
    JSON.stringify(parts),
  );
}

/** Kinds of which something is counted, '' first: found one by one, by key. */
export const KINDS_COUNTED = `(WITH RECURSIVE names (kind) AS (SELECT '' UNION ALL
    SELECT (SELECT min(kind) FROM stats WHERE stats.kind > names.kind) FROM names WHERE names.kind IS NOT NULL)
  SELECT kind FROM names WHERE kind IS NOT NULL)`;

/** `kind`, `key` and `sums` of each of `parts`, an SQL expression, for `countedOf`: of each kind alone, without waits. */
export const statsOfKinds = (parts: string, ...params: Statement["params"]): Statement =>
  sql(
    `SELECT k.kind, p.value->>0 AS key, ${summed("k.kind", sumsOf(COUNTED))} AS sums
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

/** `ranMs`: of all that is in `run`. */
export type Counted = Record<End, number> & { ranMs: number; run: Histogram };
export type Stat = Counted & { wait: Histogram };

/** What is counted in some parts of a kind together; zeros where there is nothing. */
export const countedOf = (parts: Rows): Counted =>
  counted(parts.flatMap(({ sums }) => (sums === null ? [] : [JSON.parse(sums as string) as number[]])));

type Told = [at: number, [counted: number[], wait: Histogram] | null];

/** What is counted between each of `edges` and the next; zeros where there is nothing. */
export function statsByBucket(rows: Rows, edges: number[]): Stat[] {
  const buckets = edges.slice(1).map(() => ({ sums: [] as number[][], waits: [] as Histogram[] }));
  for (const [at, told] of JSON.parse(rows[0]?.told as string) as Told[]) {
    if (!told) continue;
    const bucket = buckets[edges.findLastIndex((edge) => edge <= at)];
    bucket?.sums.push(told[0]);
    bucket?.waits.push(told[1]);
  }
  return buckets.map(({ sums, waits }) => ({ ...counted(sums), wait: added(waits, WAIT) }));
}

function counted(parts: number[][]): Counted {
  const sums = added(parts, COUNTED);
  const ends = Object.fromEntries(ENDS.map((end, place) => [end, sums[place]])) as Record<End, number>;
  return { ...ends, ranMs: sums[ENDS.length] as number, run: sums.slice(ENDS.length + 1) };
}

/** Of one alone: itself. */
const added = (parts: number[][], { length }: string[]): number[] =>
  parts.length === 0 ? Array(length).fill(0) : parts.length === 1 ? (parts[0] as number[]) : addUp(parts);

/** Attempts that did not succeed, and were not stopped. */
export const failuresOf = ({ failed, timed_out, lost }: Counted): number => failed + timed_out + lost;
