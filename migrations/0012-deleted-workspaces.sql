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
