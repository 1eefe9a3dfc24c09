-- Which commit wrote which version of an item: a commit whose reply was lost finds itself here, also when others came after it.
CREATE TABLE publication_commits (
  item TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  token TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (item, version)
) STRICT, WITHOUT ROWID;
INSERT INTO publication_commits (item, version, token, at) SELECT item, version, token, changed_at FROM publications;
