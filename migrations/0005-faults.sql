-- What shall go wrong with requests. Rules are tried in the order of their numbers.
CREATE TABLE faults (
  sandbox     INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  number      INTEGER NOT NULL, -- fault-1 has the number 1
  operation   TEXT,             -- operationId; NULL: any
  workspace   TEXT,             -- id in the path; NULL: any, or none
  workgroup   TEXT,             -- id in the path; NULL: any, or none
  after       INTEGER NOT NULL, -- how many matching requests pass first
  times       INTEGER,          -- how often it fires; NULL: always
  probability REAL NOT NULL,
  phase       TEXT NOT NULL CHECK (phase IN ('before', 'after-commit')),
  effect      TEXT NOT NULL,    -- JSON object
  seen        INTEGER NOT NULL, -- matching requests
  hits        INTEGER NOT NULL, -- how often it fired
  PRIMARY KEY (sandbox, number)
) STRICT;
