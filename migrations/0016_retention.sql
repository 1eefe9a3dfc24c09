-- Ended jobs are removed so many days after their end; 0: never. Of what is dead its own number counts.
ALTER TABLE site_state ADD COLUMN keep_days INTEGER NOT NULL DEFAULT 30 CHECK (keep_days BETWEEN 0 AND 3650);
ALTER TABLE site_state ADD COLUMN keep_dead_days INTEGER NOT NULL DEFAULT 90 CHECK (keep_dead_days BETWEEN 0 AND 3650);

-- Of the sweep: when it next looks for what is to be removed, so that all other minutes cost nothing, and up to where
-- (time of end, id) everything but dead jobs is removed. They stand in the row that a sweep reads anyway.
ALTER TABLE leases ADD COLUMN retention_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE leases ADD COLUMN kept_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE leases ADD COLUMN kept_id TEXT NOT NULL DEFAULT '';
ALTER TABLE sweeps ADD COLUMN removed INTEGER NOT NULL DEFAULT 0 CHECK (removed >= 0);

-- Watches and schedules that are deleted, and whose history is too long to go with them.
CREATE TABLE leftovers (
  what TEXT NOT NULL CHECK (what IN ('watch', 'schedule')),
  id TEXT NOT NULL,
  PRIMARY KEY (what, id)
) STRICT, WITHOUT ROWID;
