import { type Statement, sql } from "./store";

/** Adds to what the overview draws, in each of its grains: `counted` is a SELECT of measure, bucket, at. */
export const addToSite = (counted: string, ...params: Statement["params"]): Statement =>
  sql(
    `INSERT INTO site_stats (grain, at, measure, bucket, n)
     SELECT g.value, at / g.value * g.value, measure, bucket, n
     FROM (SELECT at, measure, bucket, count(*) AS n FROM (${counted}) GROUP BY 1, 2, 3)
     CROSS JOIN json_each('[60000, 900000, 3600000]') AS g WHERE true
     ON CONFLICT (grain, at, measure, bucket) DO UPDATE SET n = n + excluded.n`,
    ...params,
  );

/** The bucket of a duration: of bucket b are those from 2^b up to 2^(b + 1) ms. */
export const bucketOf = (ms: string): string => `CAST(log2(max(1, ${ms})) AS INTEGER)`;

const DAY = 86_400_000;
const prune = (grain: number, keepMs: number): Statement =>
  sql(
    `DELETE FROM site_stats WHERE (grain, at, measure, bucket) IN (
       SELECT grain, at, measure, bucket FROM site_stats WHERE grain = ?1 AND at < {now} - ?2 LIMIT 5000)`,
    grain,
    keepMs,
  );

/** As long as `job_stats` keeps its own. Of `dead_days` nothing is left over: a row goes with the last dead job of its day. */
export const pruneSite = [
  prune(60_000, 2 * DAY),
  prune(900_000, 400 * DAY),
  prune(3_600_000, 400 * DAY),
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
