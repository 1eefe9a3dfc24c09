-- Which operation changed a job last, and how the jobs of an operation stand by now: its row counts them by view, kept by triggers.
-- An ordinary job enters none of it.
ALTER TABLE jobs ADD COLUMN operation_id TEXT;
ALTER TABLE bulk_operations ADD COLUMN scheduled INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bulk_operations ADD COLUMN pending INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bulk_operations ADD COLUMN retrying INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bulk_operations ADD COLUMN processing INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bulk_operations ADD COLUMN done INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bulk_operations ADD COLUMN dead INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bulk_operations ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0;

-- The audit has told it of each job since there have been operations. Ids of entries begin with the time.
UPDATE jobs SET operation_id = told.operation FROM (
  SELECT job_id, json_extract(after, '$.operation') AS operation, max(id) FROM audit
  WHERE job_id IS NOT NULL AND action IN ('requeue', 'cancel') AND json_extract(after, '$.operation') IS NOT NULL GROUP BY job_id) AS told
WHERE jobs.id = told.job_id;
UPDATE bulk_operations SET scheduled = told.scheduled, pending = told.pending, retrying = told.retrying, processing = told.processing,
  done = told.done, dead = told.dead, cancelled = told.cancelled
FROM (SELECT operation_id, sum(view = 'scheduled') AS scheduled, sum(view = 'pending') AS pending, sum(view = 'retrying') AS retrying,
    sum(view = 'processing') AS processing, sum(view = 'done') AS done, sum(view = 'dead') AS dead, sum(view = 'cancelled') AS cancelled
  FROM jobs WHERE operation_id IS NOT NULL GROUP BY 1) AS told
WHERE bulk_operations.id = told.operation_id;

CREATE INDEX jobs_operation ON jobs (operation_id, view, id) WHERE operation_id IS NOT NULL;
CREATE TRIGGER jobs_operation_moved AFTER UPDATE OF state, operation_id ON jobs
WHEN (old.operation_id IS NOT NULL OR new.operation_id IS NOT NULL)
  AND (old.view <> new.view OR old.operation_id IS NOT new.operation_id)
BEGIN
  UPDATE bulk_operations SET
    scheduled = scheduled + (id IS new.operation_id AND new.view = 'scheduled') - (id IS old.operation_id AND old.view = 'scheduled'),
    pending = pending + (id IS new.operation_id AND new.view = 'pending') - (id IS old.operation_id AND old.view = 'pending'),
    retrying = retrying + (id IS new.operation_id AND new.view = 'retrying') - (id IS old.operation_id AND old.view = 'retrying'),
    processing = processing + (id IS new.operation_id AND new.view = 'processing') - (id IS old.operation_id AND old.view = 'processing'),
    done = done + (id IS new.operation_id AND new.view = 'done') - (id IS old.operation_id AND old.view = 'done'),
    dead = dead + (id IS new.operation_id AND new.view = 'dead') - (id IS old.operation_id AND old.view = 'dead'),
    cancelled = cancelled + (id IS new.operation_id AND new.view = 'cancelled') - (id IS old.operation_id AND old.view = 'cancelled')
  WHERE id IN (old.operation_id, new.operation_id);
END;
CREATE TRIGGER jobs_operation_removed AFTER DELETE ON jobs WHEN old.operation_id IS NOT NULL
BEGIN
  UPDATE bulk_operations SET scheduled = scheduled - (old.view = 'scheduled'), pending = pending - (old.view = 'pending'),
    retrying = retrying - (old.view = 'retrying'), processing = processing - (old.view = 'processing'),
    done = done - (old.view = 'done'), dead = dead - (old.view = 'dead'), cancelled = cancelled - (old.view = 'cancelled')
  WHERE id = old.operation_id;
END;
