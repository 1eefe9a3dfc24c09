-- What the overview draws: all kinds together, so that a chart reads the same number of rows however many kinds there are.
-- measure: an outcome of attempts, `dead` for jobs that died, `waited` for the time from due to start. bucket: floor(log2(ms))
-- of the time run or waited, -1 where nothing was measured. grain 60000: kept 48 h; 900000 and 3600000: 13 months.
CREATE TABLE site_stats (
  grain INTEGER NOT NULL CHECK (grain IN (60000, 900000, 3600000)),
  at INTEGER NOT NULL,
  measure TEXT NOT NULL,
  bucket INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (grain, at, measure, bucket)
) STRICT, WITHOUT ROWID;
INSERT INTO site_stats SELECT grain, at, outcome, bucket, sum(n) FROM job_stats GROUP BY 1, 2, 3, 4;
INSERT INTO site_stats
  SELECT 3600000, at / 3600000 * 3600000, measure, bucket, sum(n) FROM site_stats WHERE grain = 900000 GROUP BY 1, 2, 3, 4;

-- When the running code changed, as the sweep saw it: one row a change, also back to an earlier version.
CREATE TABLE deploys (
  at INTEGER PRIMARY KEY,
  version TEXT NOT NULL
) STRICT;

-- Of the code that swept last: whether it changed is then known without a further read.
ALTER TABLE leases ADD COLUMN version TEXT;

-- What each sweep saw in the lanes, as JSON: { lane: [messages, creation time of the oldest] }, NULL where a lane does not say.
ALTER TABLE sweeps ADD COLUMN lanes TEXT;
-- The most of each hour: a row of sweeps is kept for two days.
CREATE TABLE backlogs (
  hour INTEGER PRIMARY KEY,
  messages INTEGER NOT NULL,
  oldest_ms INTEGER NOT NULL
) STRICT;

-- Dead jobs by cause, of all hours together. Kept by triggers, so that whoever writes dead_counts writes this too.
CREATE TABLE dead_causes (
  cause TEXT PRIMARY KEY,
  n INTEGER NOT NULL,
  first_hour INTEGER NOT NULL,                -- in which one of it first died; a requeue does not take that back
  last_hour INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX dead_causes_n ON dead_causes (n, cause) WHERE n > 0;
INSERT INTO dead_causes SELECT cause, sum(n), min(hour), max(hour) FROM dead_counts GROUP BY cause;
CREATE TRIGGER dead_counts_added AFTER INSERT ON dead_counts BEGIN
  INSERT INTO dead_causes VALUES (new.cause, new.n, new.hour, new.hour)
  ON CONFLICT (cause) DO UPDATE SET n = n + excluded.n, last_hour = max(last_hour, excluded.last_hour);
END;
CREATE TRIGGER dead_counts_changed AFTER UPDATE OF n ON dead_counts BEGIN
  INSERT INTO dead_causes VALUES (new.cause, new.n - old.n, new.hour, new.hour)
  ON CONFLICT (cause) DO UPDATE SET n = n + excluded.n, last_hour = max(last_hour, excluded.last_hour);
END;
CREATE TRIGGER dead_counts_removed AFTER DELETE ON dead_counts WHEN old.n <> 0 BEGIN
  UPDATE dead_causes SET n = n - old.n WHERE cause = old.cause;
END;
-- Hours whose dead jobs were all requeued or removed.
CREATE INDEX dead_counts_none ON dead_counts (hour) WHERE n = 0;

-- The job whose payload this one began with, where a person changed it and ran it as a new one.
ALTER TABLE jobs ADD COLUMN edited_from TEXT;
CREATE INDEX jobs_edited ON jobs (edited_from) WHERE edited_from IS NOT NULL;

-- What the overview tells of first.
CREATE INDEX schedules_broken ON schedules (id) WHERE error IS NOT NULL;
CREATE INDEX watches_failing ON watches (failures) WHERE failures > 0;
