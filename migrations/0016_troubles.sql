-- Of the sweep: when it last ended, and since when none was missing (a gap is D1, or the cron, out of reach); and until when
-- nothing is sent, since the daily limit of Queues on the free plan is reached.
ALTER TABLE leases ADD COLUMN ended_at INTEGER;
ALTER TABLE leases ADD COLUMN calm_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE leases ADD COLUMN sends_from INTEGER NOT NULL DEFAULT 0;
