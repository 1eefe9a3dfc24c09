-- Numbers of jobs: one row a grain and kind, in place of one a kind, outcome and bucket. Of kind '' are all kinds together, so that
-- a chart reads one row a minute, quarter hour or hour, whatever was stored. grain 60000: kept 48 h; 900000: 13 months (every
-- zone's day starts on a quarter hour); 3600000: 13 months, of all kinds together only.
-- A column for each way in which attempts end, for jobs that died, and for late results that were turned away; of attempts that
-- were done, failed or timed out how long they ran, of all attempts how long they waited: of bucket b from 2^b up to
-- 2^(b + 1) ms, of the last one all that took longer.
CREATE TABLE stats (
  kind TEXT NOT NULL,
  grain INTEGER NOT NULL CHECK (grain IN (60000, 900000, 3600000)),
  at INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, timed_out INTEGER NOT NULL DEFAULT 0,
  lost INTEGER NOT NULL DEFAULT 0, cancelled INTEGER NOT NULL DEFAULT 0, snoozed INTEGER NOT NULL DEFAULT 0,
  dead INTEGER NOT NULL DEFAULT 0, refused INTEGER NOT NULL DEFAULT 0,
  ran_ms INTEGER NOT NULL DEFAULT 0,
  run_0 INTEGER NOT NULL DEFAULT 0, run_1 INTEGER NOT NULL DEFAULT 0, run_2 INTEGER NOT NULL DEFAULT 0,
  run_3 INTEGER NOT NULL DEFAULT 0, run_4 INTEGER NOT NULL DEFAULT 0, run_5 INTEGER NOT NULL DEFAULT 0,
  run_6 INTEGER NOT NULL DEFAULT 0, run_7 INTEGER NOT NULL DEFAULT 0, run_8 INTEGER NOT NULL DEFAULT 0,
  run_9 INTEGER NOT NULL DEFAULT 0, run_10 INTEGER NOT NULL DEFAULT 0, run_11 INTEGER NOT NULL DEFAULT 0,
  run_12 INTEGER NOT NULL DEFAULT 0, run_13 INTEGER NOT NULL DEFAULT 0, run_14 INTEGER NOT NULL DEFAULT 0,
  run_15 INTEGER NOT NULL DEFAULT 0, run_16 INTEGER NOT NULL DEFAULT 0, run_17 INTEGER NOT NULL DEFAULT 0,
  run_18 INTEGER NOT NULL DEFAULT 0, run_19 INTEGER NOT NULL DEFAULT 0, run_20 INTEGER NOT NULL DEFAULT 0,
  wait_0 INTEGER NOT NULL DEFAULT 0, wait_1 INTEGER NOT NULL DEFAULT 0, wait_2 INTEGER NOT NULL DEFAULT 0,
  wait_3 INTEGER NOT NULL DEFAULT 0, wait_4 INTEGER NOT NULL DEFAULT 0, wait_5 INTEGER NOT NULL DEFAULT 0,
  wait_6 INTEGER NOT NULL DEFAULT 0, wait_7 INTEGER NOT NULL DEFAULT 0, wait_8 INTEGER NOT NULL DEFAULT 0,
  wait_9 INTEGER NOT NULL DEFAULT 0, wait_10 INTEGER NOT NULL DEFAULT 0, wait_11 INTEGER NOT NULL DEFAULT 0,
  wait_12 INTEGER NOT NULL DEFAULT 0, wait_13 INTEGER NOT NULL DEFAULT 0, wait_14 INTEGER NOT NULL DEFAULT 0,
  wait_15 INTEGER NOT NULL DEFAULT 0, wait_16 INTEGER NOT NULL DEFAULT 0, wait_17 INTEGER NOT NULL DEFAULT 0,
  wait_18 INTEGER NOT NULL DEFAULT 0, wait_19 INTEGER NOT NULL DEFAULT 0, wait_20 INTEGER NOT NULL DEFAULT 0,
  wait_21 INTEGER NOT NULL DEFAULT 0, wait_22 INTEGER NOT NULL DEFAULT 0, wait_23 INTEGER NOT NULL DEFAULT 0,
  wait_24 INTEGER NOT NULL DEFAULT 0, wait_25 INTEGER NOT NULL DEFAULT 0, wait_26 INTEGER NOT NULL DEFAULT 0,
  wait_27 INTEGER NOT NULL DEFAULT 0, wait_28 INTEGER NOT NULL DEFAULT 0, wait_29 INTEGER NOT NULL DEFAULT 0,
  wait_30 INTEGER NOT NULL DEFAULT 0, wait_31 INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, grain, at)
) STRICT, WITHOUT ROWID;

-- Of each kind alone nobody has kept how long its attempts waited.
INSERT INTO stats
SELECT kind, grain, at,
  sum(n * (measure = 'done')), sum(n * (measure = 'failed')), sum(n * (measure = 'timed_out')),
  sum(n * (measure = 'lost')), sum(n * (measure = 'cancelled')), sum(n * (measure = 'snoozed')),
  sum(n * (measure = 'dead')), sum(n * (measure = 'refused')), sum(iif(run IS NULL, 0, ran_ms)),
  sum(n * (run IS 0)), sum(n * (run IS 1)), sum(n * (run IS 2)), sum(n * (run IS 3)), sum(n * (run IS 4)),
  sum(n * (run IS 5)), sum(n * (run IS 6)), sum(n * (run IS 7)), sum(n * (run IS 8)), sum(n * (run IS 9)),
  sum(n * (run IS 10)), sum(n * (run IS 11)), sum(n * (run IS 12)), sum(n * (run IS 13)), sum(n * (run IS 14)),
  sum(n * (run IS 15)), sum(n * (run IS 16)), sum(n * (run IS 17)), sum(n * (run IS 18)), sum(n * (run IS 19)),
  sum(n * (run IS 20)),
  sum(n * (wait IS 0)), sum(n * (wait IS 1)), sum(n * (wait IS 2)), sum(n * (wait IS 3)), sum(n * (wait IS 4)),
  sum(n * (wait IS 5)), sum(n * (wait IS 6)), sum(n * (wait IS 7)), sum(n * (wait IS 8)), sum(n * (wait IS 9)),
  sum(n * (wait IS 10)), sum(n * (wait IS 11)), sum(n * (wait IS 12)), sum(n * (wait IS 13)), sum(n * (wait IS 14)),
  sum(n * (wait IS 15)), sum(n * (wait IS 16)), sum(n * (wait IS 17)), sum(n * (wait IS 18)), sum(n * (wait IS 19)),
  sum(n * (wait IS 20)), sum(n * (wait IS 21)), sum(n * (wait IS 22)), sum(n * (wait IS 23)), sum(n * (wait IS 24)),
  sum(n * (wait IS 25)), sum(n * (wait IS 26)), sum(n * (wait IS 27)), sum(n * (wait IS 28)), sum(n * (wait IS 29)),
  sum(n * (wait IS 30)), sum(n * (wait IS 31))
FROM (
  SELECT kind, grain, at, measure, n, ran_ms,
    CASE WHEN measure IN ('done', 'failed', 'timed_out') THEN min(20, bucket) END AS run,
    CASE WHEN measure = 'waited' THEN min(31, bucket) END AS wait
  FROM (
    SELECT kind, grain, at, outcome AS measure, bucket, n, ran_ms FROM job_stats
    UNION ALL SELECT '', grain, at, measure, bucket, n, 0 FROM site_stats
    -- What was kept of each kind alone. n = 0: counted among those above.
    UNION ALL SELECT '', g.value, at / g.value * g.value, outcome, bucket, iif(outcome = 'refused', n, 0), ran_ms
      FROM job_stats CROSS JOIN json_each('[60000, 900000, 3600000]') AS g ON grain = min(g.value, 900000)))
GROUP BY kind, grain, at;

DROP TABLE job_stats;
DROP TABLE site_stats;
