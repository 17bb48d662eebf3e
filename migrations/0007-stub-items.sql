-- What the stubs of a profile have stored.
CREATE TABLE stub_items (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  path    TEXT NOT NULL, -- of its collection, below the base path
  id      TEXT NOT NULL,
  value   TEXT NOT NULL, -- JSON object
  PRIMARY KEY (sandbox, path, id)
) STRICT;
