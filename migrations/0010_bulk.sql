-- One action on everything that matches: what and up to when is frozen here, and a job of kind bulk works through it.
CREATE TABLE bulk_operations (
  id TEXT PRIMARY KEY,                        -- UUIDv7
  action TEXT NOT NULL CHECK (action IN ('requeue', 'cancel', 'delete')),
  view TEXT NOT NULL,
  kind TEXT,
  cause TEXT,
  cutoff INTEGER NOT NULL,                    -- D1's clock when it was asked for: what comes later is never touched
  expected INTEGER NOT NULL,                  -- the exact count that was shown before
  pace INTEGER CHECK (pace >= 1),             -- jobs a minute; NULL: as fast as it goes
  state TEXT NOT NULL CHECK (state IN ('running', 'done', 'aborted')),
  cursor TEXT NOT NULL DEFAULT '',            -- ids up to here are worked through
  changed INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  actor TEXT NOT NULL,
  reason TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  CHECK ((state = 'running') = (ended_at IS NULL))
) STRICT, WITHOUT ROWID;

-- Jobs that matched and were not changed, and why.
CREATE TABLE bulk_skips (
  operation_id TEXT NOT NULL,
  job_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (operation_id, job_id)
) STRICT, WITHOUT ROWID;
