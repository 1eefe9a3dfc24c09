-- Schedules: rows that the sweep makes jobs of. due_at is the next slot; NULL: it is broken, and `error` says how.
CREATE TABLE schedules (
  id TEXT PRIMARY KEY,                        -- UUIDv7
  name TEXT NOT NULL,
  cron TEXT,                                  -- five fields, in time_zone
  every_minutes INTEGER CHECK (every_minutes BETWEEN 1 AND 525600),
  anchor_at INTEGER,                          -- every_minutes are counted from here
  time_zone TEXT NOT NULL,
  kind TEXT NOT NULL,
  priority TEXT NOT NULL CHECK (priority IN ('normal', 'high')),
  max_attempts INTEGER CHECK (max_attempts BETWEEN 1 AND 1000),
  missed TEXT NOT NULL CHECK (missed IN ('once', 'skip', 'all')),
  missed_max INTEGER NOT NULL CHECK (missed_max BETWEEN 1 AND 100),
  overlap TEXT NOT NULL CHECK (overlap IN ('allow', 'skip')),
  version INTEGER NOT NULL CHECK (version >= 1),                    -- one more with each change by a person
  due_at INTEGER,
  paused_at INTEGER,
  paused_by TEXT,
  error TEXT,
  error_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  payload TEXT NOT NULL,                      -- the very text that its jobs get
  CHECK ((cron IS NULL) <> (every_minutes IS NULL)),
  CHECK ((every_minutes IS NULL) = (anchor_at IS NULL)),
  CHECK ((error IS NULL) = (error_at IS NULL)),
  CHECK (due_at IS NOT NULL OR error IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX schedules_name ON schedules (name);
CREATE INDEX schedules_due ON schedules (due_at) WHERE paused_at IS NULL AND due_at IS NOT NULL;

-- What became of each slot: one row, written once. A long stretch of skipped slots is one row, up to through_at.
CREATE TABLE slots (
  schedule_id TEXT NOT NULL,
  slot_at INTEGER NOT NULL,
  fate TEXT NOT NULL CHECK (fate IN ('fired', 'late', 'skipped', 'overlapped', 'failed')),
  decided_at INTEGER NOT NULL,
  through_at INTEGER,
  n INTEGER,                                  -- NULL: not counted
  job_id TEXT,
  error TEXT,
  PRIMARY KEY (schedule_id, slot_at)
) STRICT, WITHOUT ROWID;

-- A slot has one job, whoever makes it. Jobs that a person started by hand have no slot.
CREATE UNIQUE INDEX jobs_slot ON jobs (schedule_id, slot_at) WHERE slot_at IS NOT NULL;
CREATE INDEX jobs_of_schedule ON jobs (schedule_id) WHERE schedule_id IS NOT NULL AND finished_at IS NULL;

ALTER TABLE audit ADD COLUMN schedule_id TEXT;
CREATE INDEX audit_schedule ON audit (schedule_id, id) WHERE schedule_id IS NOT NULL;

ALTER TABLE sweeps ADD COLUMN fired INTEGER NOT NULL DEFAULT 0 CHECK (fired >= 0);
