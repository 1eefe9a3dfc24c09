-- Whether something of an event is yet to be delivered: it is not removed before.
CREATE INDEX jobs_of_fanout ON jobs (fanout_id) WHERE fanout_id IS NOT NULL AND finished_at IS NULL;

-- Ended jobs that retention has met and had to leave; it comes back to them, longest unseen first.
CREATE TABLE passed_over (
  id TEXT PRIMARY KEY,
  looked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passed_over_looked_at ON passed_over (looked_at);
