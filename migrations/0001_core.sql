-- Times are integer milliseconds since 1970 (UTC). Ids and tokens are text. Who writes which column: app/lifecycle/README.md.
-- WITHOUT ROWID: a job is always found by its id, and without a second tree each insert writes one row less.

CREATE TABLE jobs (
  id TEXT PRIMARY KEY,                        -- UUIDv7 made by the submitter: id order is creation order
  kind TEXT NOT NULL,
  lane TEXT NOT NULL CHECK (lane IN ('normal', 'high', 'long')),
  state TEXT NOT NULL CHECK (state IN ('pending', 'processing', 'done', 'dead', 'cancelled')),
  attempt INTEGER NOT NULL DEFAULT 0 CHECK (attempt >= 0),          -- the fence; only grows
  forgiven INTEGER NOT NULL DEFAULT 0 CHECK (forgiven BETWEEN 0 AND attempt),
  generation INTEGER NOT NULL DEFAULT 1 CHECK (generation >= 1),
  max_attempts INTEGER NOT NULL CHECK (max_attempts BETWEEN 1 AND 1000),
  trigger TEXT NOT NULL DEFAULT 'first' CHECK (trigger IN ('first', 'retry', 'snooze', 'requeue', 'sweep')), -- of the next attempt
  suspect INTEGER NOT NULL DEFAULT 0 CHECK (suspect >= 0),          -- so many last attempts in a row lost their worker
  run_at INTEGER NOT NULL,
  expires_at INTEGER,
  leased_at INTEGER,                          -- start of the current or the last attempt
  lease_until INTEGER,
  token TEXT NOT NULL,                        -- of the last write batch that moved this job: submit, claim, settle, …
  sent_at INTEGER,                            -- NULL: no message of ours is on its way
  idempotency_key TEXT,
  request_hash TEXT,
  group_key TEXT,
  schedule_id TEXT,
  slot_at INTEGER,
  fanout_id TEXT,
  submitter TEXT,                             -- who is counted for it; NULL: the system itself
  daily_number INTEGER,                       -- dense per submitter and day (UTC)
  cancel_requested_at INTEGER,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  -- Long text stands last: what comes after it in a row is reached only through its overflow pages.
  label TEXT,
  cause TEXT,                                 -- last_error with what varies taken out: names the failure, readable
  last_error TEXT,
  progress TEXT,
  result TEXT,
  payload TEXT NOT NULL,                      -- the very text that was submitted; never changes
  view TEXT NOT NULL GENERATED ALWAYS AS (CASE
    WHEN state <> 'pending' THEN state
    WHEN attempt > forgiven THEN 'retrying'
    WHEN attempt = 0 AND generation = 1 AND run_at > created_at THEN 'scheduled'
    ELSE 'pending' END) VIRTUAL,
  CHECK ((state = 'processing') = (lease_until IS NOT NULL)),
  CHECK ((state IN ('done', 'dead', 'cancelled')) = (finished_at IS NOT NULL)),
  CHECK (state = 'pending' OR sent_at IS NULL),
  CHECK ((idempotency_key IS NULL) = (request_hash IS NULL))
) STRICT, WITHOUT ROWID;

-- Two indexes that every job enters: lists of one kind; lists by time of end, chart links, retention.
CREATE INDEX jobs_kind ON jobs (kind, id);
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;
-- The rest is partial: what is finished costs them nothing.
CREATE INDEX jobs_to_send ON jobs (kind, lane, sent_at, run_at) WHERE state = 'pending';
CREATE INDEX jobs_waiting ON jobs (view, id) WHERE state = 'pending';
CREATE INDEX jobs_leased ON jobs (lease_until) WHERE state = 'processing';
CREATE INDEX jobs_dead ON jobs (id) WHERE state = 'dead';
CREATE INDEX jobs_dead_by_cause ON jobs (cause, id) WHERE state = 'dead';
CREATE INDEX jobs_cancelled ON jobs (id) WHERE state = 'cancelled';
CREATE UNIQUE INDEX jobs_idempotency ON jobs (idempotency_key) WHERE idempotency_key IS NOT NULL;

-- Append-only: one row an attempt, written when it ends.
CREATE TABLE attempts (
  job_id TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number >= 1),
  generation INTEGER NOT NULL,
  trigger TEXT NOT NULL CHECK (trigger IN ('first', 'retry', 'snooze', 'requeue', 'sweep')),
  started_at INTEGER NOT NULL,
  finished_at INTEGER NOT NULL,
  waited_ms INTEGER NOT NULL CHECK (waited_ms >= 0),
  outcome TEXT NOT NULL CHECK (outcome IN ('done', 'failed', 'timed_out', 'lost', 'cancelled', 'snoozed')),
  error TEXT,
  stack TEXT,
  cause TEXT,
  log TEXT,
  token TEXT NOT NULL,                        -- the settle token: whose write this row is
  app_version TEXT NOT NULL,
  PRIMARY KEY (job_id, number)
) STRICT, WITHOUT ROWID;

-- Late results turned away. The key is the late worker's own claim: offered ten times, it counts once.
CREATE TABLE refusals (
  job_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  token TEXT NOT NULL,
  at INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  error TEXT,
  PRIMARY KEY (job_id, number, token)
) STRICT, WITHOUT ROWID;

CREATE TABLE effects (
  job_id TEXT NOT NULL,
  name TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  token TEXT NOT NULL,                        -- of the call that started it: its own repeat is no earlier start
  finished_at INTEGER,
  result TEXT,
  PRIMARY KEY (job_id, name)
) STRICT, WITHOUT ROWID;

-- What came out of the dead-letter queue, and messages that nobody could read.
CREATE TABLE dead_letters (
  message_id TEXT NOT NULL,
  queue TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  job_id TEXT,
  attempt INTEGER,
  fate TEXT NOT NULL CHECK (fate IN ('buried', 'ignored', 'unreadable')),
  replays INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (message_id, queue)
) STRICT, WITHOUT ROWID;
CREATE INDEX dead_letters_at ON dead_letters (at);

CREATE TABLE job_counts (
  kind TEXT NOT NULL,
  view TEXT NOT NULL CHECK (view IN ('scheduled', 'pending', 'retrying', 'processing', 'done', 'dead', 'cancelled')),
  n INTEGER NOT NULL,
  PRIMARY KEY (kind, view)
) STRICT, WITHOUT ROWID;

-- grain 60000: one minute, kept 48 h; 900000: a quarter hour, kept 13 months (every zone's day starts on one).
-- bucket: floor(log2(run time in ms)), -1 where nothing ran.
CREATE TABLE job_stats (
  grain INTEGER NOT NULL CHECK (grain IN (60000, 900000)),
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  outcome TEXT NOT NULL,
  bucket INTEGER NOT NULL,
  n INTEGER NOT NULL,
  ran_ms INTEGER NOT NULL,
  waited_ms INTEGER NOT NULL,
  PRIMARY KEY (grain, at, kind, outcome, bucket)
) STRICT, WITHOUT ROWID;

CREATE TABLE dead_counts (
  cause TEXT NOT NULL,
  hour INTEGER NOT NULL,                      -- start of the hour of death
  n INTEGER NOT NULL,
  PRIMARY KEY (cause, hour)
) STRICT, WITHOUT ROWID;

CREATE TABLE kinds (
  name TEXT PRIMARY KEY,
  paused_at INTEGER,
  paused_by TEXT,
  pause_reason TEXT
) STRICT, WITHOUT ROWID;

-- One row. Every write batch opens here: clock is the batch's one reading of the time, chain its token if it has work.
CREATE TABLE site_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,
  chain TEXT,
  clock INTEGER NOT NULL,
  replay_until INTEGER
) STRICT;
INSERT INTO site_state (id, revision, chain, clock) VALUES (1, 0, NULL, 0);

CREATE TABLE leases (
  key TEXT PRIMARY KEY,
  owner TEXT,
  fence INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO leases (key, owner, fence, expires_at) VALUES ('sweep', NULL, 0, 0);

CREATE TABLE sweeps (
  fence INTEGER PRIMARY KEY,
  started_at INTEGER NOT NULL,
  finished_at INTEGER NOT NULL,
  lost INTEGER NOT NULL,
  sent INTEGER NOT NULL,
  resent INTEGER NOT NULL,
  more INTEGER NOT NULL CHECK (more IN (0, 1)),
  error TEXT
) STRICT;

CREATE TABLE audit (
  id TEXT PRIMARY KEY,                        -- UUIDv7
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  job_id TEXT,
  before TEXT,
  after TEXT,
  reason TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_job ON audit (job_id, id) WHERE job_id IS NOT NULL;
