import { type Statement, sql } from "./store";

const DAY = 86_400_000;
/** As long as the numbers of jobs. Of `dead_days` nothing is left over: a row goes with the last dead job of its day. */
export const pruneSite = [
  sql("DELETE FROM backlogs WHERE hour < {now} - ?1", 400 * DAY),
  sql(
    `DELETE FROM dead_counts WHERE (cause, hour) IN (
       SELECT cause, hour FROM dead_counts INDEXED BY dead_counts_none WHERE n = 0 AND hour < {now} - ?1 LIMIT 5000)`,
    DAY,
  ),
  sql(
    `DELETE FROM dead_causes WHERE cause IN (
       SELECT cause FROM dead_causes INDEXED BY dead_causes_none WHERE n = 0 AND last_hour < {now} - ?1 LIMIT 5000)`,
    400 * DAY,
  ),
];

/**
 * The most that each of the last hours saw in the lanes, of the sweeps up to `fence`. To be asked for at least once in so
 * many sweeps as it looks at, less those of an hour: then no sweep is left out.
 */
export const foldBacklogs = (fence: number, sweeps: number): Statement =>
  sql(
    `INSERT INTO backlogs (hour, messages, oldest_ms)
     SELECT finished_at / 3600000 * 3600000, max(messages), max(coalesce(finished_at - oldest, 0)) FROM (
       SELECT finished_at, (SELECT sum(l.value->>0) FROM json_each(lanes) AS l) AS messages,
         (SELECT min(l.value->>1) FROM json_each(lanes) AS l) AS oldest
       FROM sweeps WHERE fence > ?1 AND fence <= ?2 AND lanes IS NOT NULL)
     WHERE messages IS NOT NULL GROUP BY 1
     ON CONFLICT (hour) DO UPDATE SET messages = max(messages, excluded.messages), oldest_ms = max(oldest_ms, excluded.oldest_ms)`,
    fence - sweeps,
    fence,
  );

/** Other code runs from now on. */
export const noteDeploy = (version: string): Statement =>
  sql("INSERT INTO deploys (at, version) VALUES ({now}, ?1) ON CONFLICT DO NOTHING", version);
