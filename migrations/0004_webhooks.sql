-- Saved receivers of webhooks. Written by app/lifecycle/endpoints.ts; disabled also by a delivery that was answered 410.
CREATE TABLE endpoints (
  id TEXT PRIMARY KEY,                        -- UUIDv7
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('standard', 'slack', 'service')),
  address TEXT NOT NULL,                      -- a URL; of a service its path
  service TEXT,                               -- name of the service binding
  headers TEXT NOT NULL,                      -- JSON object of custom headers
  secret TEXT,                                -- signs; shown once, read only where a request is made
  previous_secret TEXT,                       -- signs beside it until previous_until
  previous_until INTEGER,
  created_at INTEGER NOT NULL,
  disabled_at INTEGER,
  disabled_reason TEXT,
  CHECK ((type = 'service') = (service IS NOT NULL)),
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL)),
  CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
) STRICT, WITHOUT ROWID;

-- One row for each endpoint of an event, first written when its first try has ended, then by each further try.
CREATE TABLE deliveries (
  fanout_id TEXT NOT NULL,                    -- the job that holds the event
  n INTEGER NOT NULL CHECK (n >= 0),          -- place in its list of endpoints
  endpoint_id TEXT,                           -- of a saved endpoint
  type TEXT NOT NULL CHECK (type IN ('standard', 'slack', 'service')),
  target TEXT NOT NULL,                       -- as it is shown: without what gives access
  webhook_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('delivered', 'retrying', 'failed', 'skipped')),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  http_status INTEGER,                        -- of the last answer
  duration_ms INTEGER,
  signed INTEGER NOT NULL CHECK (signed IN (0, 1)),
  delay_ms INTEGER,                           -- from the first try to the second
  job_id TEXT,                                -- the delivery job that goes on with it
  at INTEGER NOT NULL,                        -- end of the last try
  error TEXT,
  answer TEXT,
  PRIMARY KEY (fanout_id, n)
) STRICT, WITHOUT ROWID;
-- What an endpoint was sent, newest event first.
CREATE INDEX deliveries_endpoint ON deliveries (endpoint_id, fanout_id, n) WHERE endpoint_id IS NOT NULL;
