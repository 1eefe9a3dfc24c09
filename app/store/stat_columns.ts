import type { OutcomeName } from "~/domain/states";

/** How attempts end, and what else is counted of jobs: deaths, late results that were turned away. A column each. */
export const ENDS = [
  "done",
  "failed",
  "timed_out",
  "lost",
  "cancelled",
  "snoozed",
  "dead",
  "refused",
] as const satisfies (OutcomeName | "dead" | "refused")[];
export type End = (typeof ENDS)[number];

/** What is said of how long attempts run leaves out those that were stopped, or of which nobody knows when they ended. */
export const TIMED = ["done", "failed", "timed_out"] as const satisfies OutcomeName[];

const buckets = (name: string, n: number): string[] => Array.from({ length: n }, (_, bucket) => `${name}_${bucket}`);
/**
 * How long attempts ran and waited: of bucket b are those from 2^b up to 2^(b + 1) ms, of the last all that took longer. No
 * attempt may run for 2^20 ms; 2^31 ms are 25 days.
 */
export const RUN = buckets("run", 21);
export const WAIT = buckets("wait", 32);

/** All that a row of `stats` counts; the table, what adds to it and what reads it are made of this. D1 takes 100 columns. */
export const STAT_COLUMNS: string[] = [...ENDS, "ran_ms", ...RUN, ...WAIT];

/** Rows that everything is counted in, as [grain, whether by kind]; of kind '' are all kinds together. */
export const STAT_ROWS = "[[60000, 0], [900000, 0], [3600000, 0], [60000, 1], [900000, 1]]";

const list = (names: readonly string[]) => names.map((name) => `'${name}'`).join(", ");
const bucketOf = (ms: string, columns: string[]) => `min(${columns.length - 1}, CAST(log2(max(1, ${ms})) AS INTEGER))`;

/**
 * Adds to `stats`: `ends` is a SELECT of kind, at, outcome, ran, waited (NULL where nothing ran). What is alike is counted
 * first, so that a group of a hundred costs little more than one.
 */
export const addingToStats = (ends: string): string =>
  `INSERT INTO stats (kind, grain, at, ${STAT_COLUMNS.join(", ")})
   SELECT CASE g.value->>1 WHEN 1 THEN kind ELSE '' END, g.value->>0, at / (g.value->>0) * (g.value->>0),
     ${ENDS.map((end) => `sum(n * (outcome = '${end}'))`).join(", ")}, coalesce(sum(ran), 0),
     ${RUN.map((_, bucket) => `sum(n * (run IS ${bucket}))`).join(", ")},
     ${WAIT.map((_, bucket) => `sum(n * (wait IS ${bucket}))`).join(", ")}
   FROM (SELECT kind, at, outcome, run, wait, count(*) AS n, sum(ran) AS ran FROM (
       SELECT kind, at, outcome, ran, ${bucketOf("ran", RUN)} AS run, ${bucketOf("waited", WAIT)} AS wait FROM (
         SELECT kind, at, outcome, CASE WHEN outcome IN (${list(TIMED)}) THEN ran END AS ran, waited FROM (${ends})))
     GROUP BY 1, 2, 3, 4, 5)
   CROSS JOIN json_each('${STAT_ROWS}') AS g WHERE true GROUP BY 1, 2, 3
   ON CONFLICT (kind, grain, at) DO UPDATE SET ${STAT_COLUMNS.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`;
