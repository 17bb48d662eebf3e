-- Rows are listed in the order of their creation, which is the order of their rowids. The column extra has the values of the fields that
-- a profile adds, as a JSON object; NULL: there are none.
CREATE TABLE workgroups (
  sandbox           INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  id                TEXT NOT NULL,
  name              TEXT NOT NULL,
  creator           TEXT NOT NULL,
  cloud_provider_id TEXT NOT NULL,
  platform          TEXT NOT NULL,
  region            TEXT NOT NULL,
  enable_allow_list INTEGER NOT NULL CHECK (enable_allow_list IN (0, 1)),
  extra             TEXT,
  PRIMARY KEY (sandbox, id)
) STRICT;

CREATE INDEX workgroups_in_order ON workgroups (sandbox);

CREATE TABLE allowed_ips (
  sandbox   INTEGER NOT NULL,
  workgroup TEXT NOT NULL,
  id        TEXT NOT NULL,
  cidr      TEXT NOT NULL, -- canonical
  note      TEXT NOT NULL,
  extra     TEXT,
  PRIMARY KEY (sandbox, workgroup, id),
  UNIQUE (sandbox, workgroup, cidr),
  FOREIGN KEY (sandbox, workgroup) REFERENCES workgroups (sandbox, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX allowed_ips_in_order ON allowed_ips (sandbox, workgroup);

CREATE TABLE databases (
  sandbox     INTEGER NOT NULL,
  id          TEXT NOT NULL,
  workgroup   TEXT NOT NULL,
  name        TEXT NOT NULL,
  svc_version TEXT NOT NULL,
  create_time TEXT NOT NULL,
  extra       TEXT,
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
  status_since        TEXT NOT NULL, -- when it entered its state
  extra               TEXT,
  PRIMARY KEY (sandbox, id),
  FOREIGN KEY (sandbox, workgroup) REFERENCES workgroups (sandbox, id) ON DELETE CASCADE,
  FOREIGN KEY (sandbox, database) REFERENCES databases (sandbox, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX workspaces_in_order ON workspaces (sandbox, workgroup);
CREATE INDEX workspaces_of_database ON workspaces (sandbox, database);

-- Deleted workspaces that a profile keeps readable for a while.
CREATE TABLE deleted_workspaces (
  sandbox    INTEGER NOT NULL,
  workgroup  TEXT NOT NULL,
  id         TEXT NOT NULL,
  workspace  TEXT NOT NULL,    -- its last values, as a JSON object
  deleted_at INTEGER NOT NULL, -- milliseconds since 1970
  PRIMARY KEY (sandbox, workgroup, id),
  FOREIGN KEY (sandbox, workgroup) REFERENCES workgroups (sandbox, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX deleted_workspaces_by_age ON deleted_workspaces (sandbox, deleted_at);
