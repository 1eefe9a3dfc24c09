-- Submissions are numbered per submitter and day (days since 1970, UTC): dense, and at most so many.
CREATE TABLE submitters (
  name TEXT PRIMARY KEY,
  daily_limit INTEGER CHECK (daily_limit >= 0)  -- NULL: none
) STRICT, WITHOUT ROWID;

-- One row counts for a whole day: first to last are the numbers that the latest call took.
CREATE TABLE daily_numbers (
  submitter TEXT NOT NULL,
  day INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (submitter, day)
) STRICT, WITHOUT ROWID;
