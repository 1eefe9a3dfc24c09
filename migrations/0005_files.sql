-- Uploaded files: a row for what lies in R2 under files/<id>/. It is there before its object, and goes after it.
CREATE TABLE files (
  id TEXT PRIMARY KEY,                        -- UUIDv7
  name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('uploading', 'stored', 'removing')),
  size INTEGER CHECK (size >= 0),             -- while uploading: as declared, NULL where a form does not say
  upload_id TEXT,                             -- R2's name of an upload in parts
  reading TEXT NOT NULL,                      -- JSON: how its first job reads it
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  stored_at INTEGER,
  CHECK (state <> 'stored' OR (size IS NOT NULL AND stored_at IS NOT NULL AND upload_id IS NULL))
) STRICT, WITHOUT ROWID;
-- What nobody will finish any more.
CREATE INDEX files_unfinished ON files (created_at) WHERE state <> 'stored';

-- Parts that R2 has acknowledged, while their file is uploading.
CREATE TABLE file_parts (
  file_id TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 10000),
  etag TEXT NOT NULL,
  PRIMARY KEY (file_id, number)
) STRICT, WITHOUT ROWID;

-- Derived files being written in parts, a row each before the first part: what a lost attempt leaves is found by it.
CREATE TABLE derived_uploads (
  job_id TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  file_id TEXT NOT NULL,
  upload_id TEXT NOT NULL,
  PRIMARY KEY (job_id, attempt)
) STRICT, WITHOUT ROWID;
