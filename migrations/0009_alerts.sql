-- Deaths by minute and cause. Only grows: a requeue takes nothing back, since what alerts ask is how many have died.
CREATE TABLE deaths (
  minute INTEGER NOT NULL,                    -- its start
  cause TEXT NOT NULL,
  kind TEXT NOT NULL,
  n INTEGER NOT NULL,
  example TEXT NOT NULL,                      -- the newest of these jobs
  PRIMARY KEY (minute, cause)
) STRICT, WITHOUT ROWID;

CREATE TABLE alert_rules (
  id TEXT PRIMARY KEY,                        -- UUIDv7
  name TEXT NOT NULL,
  condition TEXT NOT NULL CHECK (condition IN ('cause', 'dead', 'letters', 'missed')),
  kind TEXT,                                  -- only jobs of this kind; NULL: of all
  more_than INTEGER NOT NULL CHECK (more_than BETWEEN 0 AND 1000),
  window_minutes INTEGER NOT NULL CHECK (window_minutes BETWEEN 1 AND 1440),
  remind_minutes INTEGER NOT NULL CHECK (remind_minutes BETWEEN 0 AND 10080),  -- 0: never
  channels TEXT NOT NULL,                     -- JSON: who is told
  origin TEXT,                                -- where links lead
  version INTEGER NOT NULL CHECK (version >= 1),  -- one more with each change by a person
  disabled_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A condition that became true: one row from then until it is over. The row is the memory: a sweep that finds it open
-- tells nothing again before it is time for a reminder.
CREATE TABLE alerts (
  id TEXT PRIMARY KEY,                        -- UUIDv7: in the order in which they began
  rule_id TEXT NOT NULL,
  rule_name TEXT NOT NULL,                    -- as it was called then
  subject TEXT NOT NULL,                      -- the cause, the schedule; '' where the rule counts all together
  subject_name TEXT,                          -- of the schedule
  opened_at INTEGER NOT NULL,
  told_at INTEGER NOT NULL,
  notices INTEGER NOT NULL CHECK (notices >= 1),  -- told so often: the alert itself, reminders, the all-clear
  n INTEGER NOT NULL,                         -- when it was last told
  example TEXT,
  cleared_at INTEGER,
  token TEXT NOT NULL                         -- of the batch that wrote it last
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX alerts_open ON alerts (rule_id, subject) WHERE cleared_at IS NULL;

-- What was told, and by which job: one row a channel; one without a channel where the rule has none.
CREATE TABLE alert_notices (
  alert_id TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number >= 1),
  place INTEGER NOT NULL CHECK (place >= 0),
  type TEXT NOT NULL CHECK (type IN ('alert', 'reminder', 'clear', 'test')),
  at INTEGER NOT NULL,
  n INTEGER NOT NULL,
  channel TEXT CHECK (channel IN ('webhook', 'slack', 'email')),
  target TEXT,                                -- as it may be shown
  job_id TEXT,
  error TEXT,                                 -- why there is no job
  PRIMARY KEY (alert_id, number, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX slots_missed ON slots (decided_at) WHERE fate IN ('late', 'skipped', 'failed');

-- What every site wants to know. They tell nobody until a channel is added.
INSERT INTO alert_rules (id, name, condition, more_than, window_minutes, remind_minutes, channels, version, created_at, updated_at)
VALUES
  ('00000000-0000-7000-8000-000000000001', 'Jobs die', 'cause', 0, 15, 240, '{}', 1, 0, 0),
  ('00000000-0000-7000-8000-000000000002', 'Dead letters arrive', 'letters', 0, 15, 240, '{}', 1, 0, 0),
  ('00000000-0000-7000-8000-000000000003', 'Schedules miss slots', 'missed', 0, 15, 240, '{}', 1, 0, 0);
