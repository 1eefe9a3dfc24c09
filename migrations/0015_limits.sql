-- Limits of a kind, set by a person in place of those of its definition: {running, perGroup, jobs, perMs}, each may be
-- missing. NULL: the definition's.
ALTER TABLE kinds ADD COLUMN limits TEXT CHECK (limits IS NULL OR json_valid(limits));
ALTER TABLE kinds ADD COLUMN limits_at INTEGER;
ALTER TABLE kinds ADD COLUMN limits_by TEXT;
ALTER TABLE kinds ADD COLUMN limits_reason TEXT;

-- One row a kind with a rate of n starts in per_ms. A start costs per_ms, a millisecond brings n: whole numbers, exact.
CREATE TABLE rate_buckets (
  kind TEXT PRIMARY KEY,
  level INTEGER NOT NULL CHECK (level >= 0),
  per_ms INTEGER NOT NULL CHECK (per_ms >= 1),
  at INTEGER NOT NULL                         -- when it stood at this level
) STRICT, WITHOUT ROWID;

-- Since when a waiting job is held by its group; NULL: it is not. What is held is out of the way of whoever looks for jobs to send.
ALTER TABLE jobs ADD COLUMN held_at INTEGER;
DROP INDEX jobs_to_send;
CREATE INDEX jobs_to_send ON jobs (kind, lane, sent_at, run_at) WHERE state = 'pending' AND held_at IS NULL;
CREATE INDEX jobs_held ON jobs (kind, group_key, run_at) WHERE state = 'pending' AND held_at IS NOT NULL;
CREATE INDEX jobs_group_running ON jobs (kind, group_key) WHERE state = 'processing' AND group_key IS NOT NULL;

-- Whatever ends or stops a job that its group did not hold lets the next one go, in the same transaction: so a group that
-- holds jobs always has one that is not held. Whoever ends it need not know.
CREATE TRIGGER jobs_group_freed AFTER UPDATE OF state ON jobs
WHEN old.group_key IS NOT NULL AND new.state <> old.state AND new.state <> 'processing'
  AND (old.state = 'processing' OR (old.state = 'pending' AND old.held_at IS NULL))
BEGIN
  UPDATE jobs SET held_at = NULL WHERE id = (
    SELECT id FROM jobs WHERE state = 'pending' AND held_at IS NOT NULL AND kind = old.kind AND group_key = old.group_key
    ORDER BY run_at LIMIT 1);
END;
