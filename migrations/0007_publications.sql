-- The ledger of public pages: one row an item, such as report:2026-11-28. Counted by publication_revision, which rises by
-- one for each publish, update and withdrawal, and for nothing else.
CREATE TABLE publications (
  item TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('published', 'withdrawn')),
  version INTEGER NOT NULL CHECK (version >= 1),
  content TEXT NOT NULL,                      -- JSON
  picture TEXT,                               -- SVG; once there, it stays
  indexable INTEGER NOT NULL CHECK (indexable IN (0, 1)),  -- once 1, it stays
  token TEXT NOT NULL,                        -- of the commit that wrote this version
  published_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE site_state ADD COLUMN publication_revision INTEGER NOT NULL DEFAULT 0;
