-- Kinds whose groups may hold jobs that a limit of now lets run: those that have been held since before that limit.
CREATE TABLE groups_to_free (
  kind TEXT PRIMARY KEY,
  held_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
