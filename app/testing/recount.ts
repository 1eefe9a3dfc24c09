import { ENDS, RUN, STAT_COLUMNS, STAT_ROWS, TIMED, WAIT } from "../store/stat_columns.ts";

/** All that `stats` counts and rows tell of, however old: a requeue takes away who died, but not that it did. */
export const RECOUNTED: string[] = STAT_COLUMNS.filter((name) => name !== "dead");

const timed = `outcome IN (${TIMED.map((name) => `'${name}'`)})`;
const within =
  (ms: string, { length }: string[]) =>
  (name: string, bucket: number) =>
    `sum(${ms} >= ${bucket && 2 ** bucket}${bucket < length - 1 ? ` AND ${ms} < ${2 ** (bucket + 1)}` : ""}) AS ${name}`;

/** Kind, grain and what `stats` should hold of all times together, counted by other means than it is written by. */
export const RECOUNT = `SELECT CASE g.value->>1 WHEN 1 THEN kind ELSE '' END AS kind, g.value->>0 AS grain,
    ${RECOUNTED.map((name) => `sum(coalesce(${name}, 0)) AS ${name}`)}
  FROM (SELECT kind, ${ENDS.filter((end) => end !== "dead").map((end) => `sum(outcome = '${end}') AS ${end}`)},
      sum(ran) AS ran_ms, ${RUN.map(within("ran", RUN))}, ${WAIT.map(within("waited", WAIT))}
    FROM (SELECT kind, outcome, CASE WHEN ${timed} THEN a.finished_at - a.started_at END AS ran, waited_ms AS waited
        FROM attempts AS a JOIN jobs ON jobs.id = a.job_id
      UNION ALL SELECT kind, 'refused', NULL, NULL FROM refusals AS r JOIN jobs ON jobs.id = r.job_id) GROUP BY kind)
  CROSS JOIN json_each('${STAT_ROWS}') AS g GROUP BY 1, 2`;
