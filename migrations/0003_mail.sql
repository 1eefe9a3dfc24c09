-- The local mailbox: what was "sent" where no provider is configured. Its id is the order of arrival.
CREATE TABLE outbox_mail (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,                   -- the effect's: a mail that is sent again is one mail
  job_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  sender TEXT NOT NULL,                       -- JSON, as are recipients, headers and attachments
  recipients TEXT NOT NULL,
  subject TEXT NOT NULL,
  headers TEXT NOT NULL,
  attachments TEXT NOT NULL,
  text TEXT,
  html TEXT
) STRICT;

-- The example: who signed up. A welcome mail's job carries this id and nothing else.
CREATE TABLE signups (
  id TEXT PRIMARY KEY,                        -- UUIDv7
  same_email TEXT NOT NULL UNIQUE,            -- in one spelling: the same address is one sign-up
  email TEXT NOT NULL,                        -- as it was typed
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
