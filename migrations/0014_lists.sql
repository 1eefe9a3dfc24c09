-- Lists that people look for. All partial: a job that succeeds costs no row more, one that dies costs three.
CREATE INDEX jobs_dead_by_end ON jobs (finished_at) WHERE state = 'dead';
CREATE INDEX jobs_dead_by_cause_end ON jobs (cause, finished_at) WHERE state = 'dead';
CREATE INDEX jobs_dead_by_kind ON jobs (kind, id) WHERE state = 'dead';
CREATE INDEX jobs_group ON jobs (group_key, id) WHERE group_key IS NOT NULL;
CREATE INDEX jobs_schedule ON jobs (schedule_id, id) WHERE schedule_id IS NOT NULL;
