-- API tokens: what is stored says nothing about what is sent. One that is revoked is gone at once, and with it its sessions.
CREATE TABLE tokens (
  id TEXT PRIMARY KEY,                        -- UUIDv7
  name TEXT NOT NULL,
  hash TEXT NOT NULL,                         -- SHA-256 of the token, in hex
  hint TEXT NOT NULL,                         -- how it begins, to know it by
  role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
  payloads INTEGER NOT NULL CHECK (payloads IN (0, 1)),
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  expires_at INTEGER,                         -- NULL: never
  last_used_at INTEGER                        -- to the hour
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX tokens_hash ON tokens (hash);
CREATE UNIQUE INDEX tokens_name ON tokens (name);

-- Who comes in through Access, by e-mail, or by the name of a service token. '' is whoever is not listed: that row comes with
-- the first admin, and until then everybody is one.
CREATE TABLE people (
  name TEXT PRIMARY KEY,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
  payloads INTEGER NOT NULL CHECK (payloads IN (0, 1)),
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;
