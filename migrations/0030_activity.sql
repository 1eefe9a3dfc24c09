-- What people did, as one list: by all, by who, by what was done, by what it was done to. A job that was changed together
-- with others has a row of its own (<id>:<job>), which is found by that job alone: the whole of it is one row here.
ALTER TABLE audit ADD COLUMN object TEXT GENERATED ALWAYS AS (coalesce(
  after->>'operation', before->>'operation', after->>'watch', before->>'watch', after->>'rule', before->>'rule',
  after->>'endpoint', before->>'endpoint', after->>'file', before->>'file', after->>'token', before->>'token', after->>'person', before->>'person', after->>'submitter',
  CASE WHEN action IN ('pause kind', 'resume kind', 'limit kind') THEN after->>'kind' END
)) VIRTUAL;

CREATE INDEX audit_deeds ON audit (id) WHERE instr(id, ':') = 0;
CREATE INDEX audit_actor ON audit (actor, id) WHERE instr(id, ':') = 0;
CREATE INDEX audit_action ON audit (action, id) WHERE instr(id, ':') = 0;
CREATE INDEX audit_object ON audit (object, id) WHERE instr(id, ':') = 0 AND object IS NOT NULL;
