-- Everything that happens later. Events are run in the order (due, sequence).
CREATE TABLE due_events (
  sequence   INTEGER PRIMARY KEY,
  sandbox    INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  due        INTEGER,       -- milliseconds since 1970 by the sandbox's clock; NULL: held until it is released
  kind       TEXT NOT NULL,
  resource   TEXT NOT NULL, -- id of what it happens to
  payload    TEXT NOT NULL, -- JSON object
  request_id TEXT NOT NULL  -- of the request that caused it
) STRICT;

CREATE INDEX due_events_in_order ON due_events (sandbox, due, sequence);
CREATE INDEX due_events_of_resource ON due_events (sandbox, resource);
CREATE INDEX due_events_of_kind ON due_events (sandbox, kind);

-- Everything that has happened to a state. It outlives the resource.
CREATE TABLE timeline (
  sequence   INTEGER PRIMARY KEY,
  sandbox    INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  at         INTEGER NOT NULL, -- milliseconds since 1970 by the sandbox's clock
  resource   TEXT NOT NULL,
  transition TEXT NOT NULL,
  attribute  TEXT NOT NULL,    -- the field that changed
  from_state TEXT,             -- NULL: it came into being
  to_state   TEXT NOT NULL,
  reason     TEXT,
  request_id TEXT NOT NULL
) STRICT;

CREATE INDEX timeline_in_order ON timeline (sandbox, sequence);
CREATE INDEX timeline_of_resource ON timeline (sandbox, resource, sequence);

CREATE TABLE transition_rules (
  sandbox    INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  position   INTEGER NOT NULL,
  transition TEXT NOT NULL,
  resource   TEXT,    -- NULL: any
  after      TEXT,    -- ISO 8601 duration; NULL: as the profile says
  outcome    TEXT NOT NULL CHECK (outcome IN ('complete', 'fail', 'hold')),
  reason     TEXT,    -- of a failure
  times      INTEGER, -- how often it still applies; NULL: always
  PRIMARY KEY (sandbox, position)
) STRICT;

CREATE INDEX transition_rules_of_resource ON transition_rules (sandbox, transition, resource, position);

CREATE TABLE quotas (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  name    TEXT NOT NULL,
  maximum INTEGER NOT NULL,
  PRIMARY KEY (sandbox, name)
) STRICT;

-- How requests go wrong. Rules are tried in the order of their numbers.
CREATE TABLE faults (
  sandbox     INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  number      INTEGER NOT NULL, -- fault-1 has the number 1
  operation   TEXT,             -- operationId; NULL: any
  workspace   TEXT,             -- id in the path; NULL: any, or none
  workgroup   TEXT,             -- id in the path; NULL: any, or none
  body        TEXT,             -- JSON that the body of a request must have; NULL: any body, or none
  after       INTEGER NOT NULL, -- how many matching requests pass first
  times       INTEGER,          -- how often it fires; NULL: always
  probability REAL NOT NULL,
  phase       TEXT NOT NULL CHECK (phase IN ('before', 'after-commit')),
  effect      TEXT NOT NULL,    -- JSON object
  seen        INTEGER NOT NULL, -- matching requests
  hits        INTEGER NOT NULL, -- how often it fired
  PRIMARY KEY (sandbox, number)
) STRICT;
