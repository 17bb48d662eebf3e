-- How often the database was opened: each run draws its RequestIDs from a sequence of its own.
CREATE TABLE runs (count INTEGER NOT NULL) STRICT;
INSERT INTO runs (count) VALUES (0);

-- A sandbox's clock: its time was clock_base when the wall clock showed clock_anchor, both in milliseconds since 1970.
ALTER TABLE sandboxes ADD COLUMN clock_mode TEXT NOT NULL DEFAULT 'real' CHECK (clock_mode IN ('real', 'frozen', 'poll'));
ALTER TABLE sandboxes ADD COLUMN clock_base INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sandboxes ADD COLUMN clock_anchor INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sandboxes ADD COLUMN clock_rate REAL NOT NULL DEFAULT 1;

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

CREATE TABLE quotas (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  name    TEXT NOT NULL,
  maximum INTEGER NOT NULL,
  PRIMARY KEY (sandbox, name)
) STRICT;

CREATE TABLE databases (
  sandbox     INTEGER NOT NULL,
  id          TEXT NOT NULL,
  workgroup   TEXT NOT NULL,
  name        TEXT NOT NULL,
  svc_version TEXT NOT NULL,
  create_time TEXT NOT NULL,
  PRIMARY KEY (sandbox, id),
  FOREIGN KEY (sandbox, workgroup) REFERENCES workgroups (sandbox, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX databases_in_order ON databases (sandbox, workgroup);

CREATE TABLE workspaces (
  sandbox             INTEGER NOT NULL,
  id                  TEXT NOT NULL,
  workgroup           TEXT NOT NULL,
  database            TEXT NOT NULL,
  name                TEXT NOT NULL,
  creator             TEXT NOT NULL,
  status              TEXT NOT NULL,
  refresh_status      TEXT NOT NULL,
  refresh_message     TEXT NOT NULL,
  snapshot_time       TEXT,
  svc_version         TEXT NOT NULL,
  version_number      INTEGER NOT NULL,
  type_name           TEXT NOT NULL,
  is_rw               INTEGER NOT NULL CHECK (is_rw IN (0, 1)),
  enable_ha           INTEGER NOT NULL CHECK (enable_ha IN (0, 1)),
  enable_auto_start   INTEGER NOT NULL CHECK (enable_auto_start IN (0, 1)),
  auto_stop_minutes   INTEGER NOT NULL,
  addons              TEXT NOT NULL, -- JSON array
  agent_config        TEXT NOT NULL, -- JSON object
  solution_catalog_id TEXT,
  last_active         INTEGER NOT NULL, -- when it became Active or last saw data-plane activity, in milliseconds since 1970
  created_at          TEXT NOT NULL,
  last_modified_time  TEXT NOT NULL,
  PRIMARY KEY (sandbox, id),
  FOREIGN KEY (sandbox, workgroup) REFERENCES workgroups (sandbox, id) ON DELETE CASCADE,
  FOREIGN KEY (sandbox, database) REFERENCES databases (sandbox, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX workspaces_in_order ON workspaces (sandbox, workgroup);
CREATE INDEX workspaces_of_database ON workspaces (sandbox, database);
