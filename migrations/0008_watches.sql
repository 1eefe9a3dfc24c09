-- Watches: pages looked at on a schedule. due_at is the slot that comes next, or the one whose check is under way; a check's
-- settle moves it on. Its job's idempotency key is 'watch/' || id || '/' || due_at, so a slot has one job.
CREATE TABLE watches (
  id TEXT PRIMARY KEY,                        -- UUIDv7
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  selector TEXT,                              -- CSS; NULL: the whole page
  attribute TEXT,                             -- what is read of what it finds; NULL: the text
  compare TEXT NOT NULL CHECK (compare IN ('text', 'number')),
  cron TEXT,                                  -- five fields, in time_zone
  every_minutes INTEGER CHECK (every_minutes BETWEEN 1 AND 525600),
  anchor_at INTEGER,                          -- every_minutes are counted from here
  time_zone TEXT NOT NULL,
  channels TEXT NOT NULL,                     -- JSON: who is told of a change
  origin TEXT,                                -- where links in alerts lead
  version INTEGER NOT NULL CHECK (version >= 1),  -- one more with each change by a person
  due_at INTEGER,                             -- NULL: paused, or no slot ever comes
  paused_at INTEGER,
  paused_by TEXT,                             -- NULL: its times cannot be read, as last_error says
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- What it saw last, written by the settle of its checks.
  seen INTEGER NOT NULL DEFAULT 0 CHECK (seen >= 0),          -- one more with each look that was kept
  checked_at INTEGER,
  changed_at INTEGER,
  failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),  -- in a row
  number REAL,
  hash TEXT,                                  -- of the whole text; value holds its beginning
  etag TEXT,
  last_modified TEXT,
  last_error TEXT,
  value TEXT,
  CHECK ((cron IS NULL) <> (every_minutes IS NULL)),
  CHECK ((every_minutes IS NULL) = (anchor_at IS NULL)),
  CHECK ((hash IS NULL) = (value IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX watches_due ON watches (due_at) WHERE due_at IS NOT NULL;

-- History: one row a slot, written when its check has ended, however it ended.
CREATE TABLE watch_checks (
  watch_id TEXT NOT NULL,
  slot_at INTEGER NOT NULL,
  job_id TEXT NOT NULL,
  at INTEGER NOT NULL,                        -- end of the check
  outcome TEXT NOT NULL CHECK (outcome IN ('first', 'unchanged', 'changed', 'failed', 'cancelled')),
  http_status INTEGER,                        -- 304: the page itself said that it is the same
  missed INTEGER NOT NULL CHECK (missed >= 0),  -- slots that passed between this one and the end of its check
  number REAL,
  told TEXT,                                  -- JSON: the jobs that tell of the change
  error TEXT,
  previous TEXT,                              -- of a change: what stood there before
  value TEXT,                                 -- of a change: what stands there now
  PRIMARY KEY (watch_id, slot_at)
) STRICT, WITHOUT ROWID;
