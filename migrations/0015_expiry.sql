-- Waiting jobs that must not be started after a moment. Partial: a job without one costs nothing.
CREATE INDEX jobs_expiring ON jobs (expires_at) WHERE state = 'pending' AND expires_at IS NOT NULL;
-- Jobs that a sweep has ended since their time was over.
ALTER TABLE sweeps ADD COLUMN expired INTEGER NOT NULL DEFAULT 0;
