CREATE TABLE backups (
  sandbox      INTEGER NOT NULL,
  id           TEXT NOT NULL,
  workspace    TEXT NOT NULL,
  tag          TEXT NOT NULL,
  time         TEXT NOT NULL,
  is_automatic INTEGER NOT NULL CHECK (is_automatic IN (0, 1)),
  status       TEXT NOT NULL,
  size_bytes   INTEGER NOT NULL,
  version      TEXT NOT NULL,
  PRIMARY KEY (sandbox, id),
  FOREIGN KEY (sandbox, workspace) REFERENCES workspaces (sandbox, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX backups_in_order ON backups (sandbox, workspace);

CREATE TABLE restore_jobs (
  sandbox    INTEGER NOT NULL,
  id         TEXT NOT NULL,
  workspace  TEXT NOT NULL,
  status     TEXT NOT NULL,
  output     TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (sandbox, id),
  FOREIGN KEY (sandbox, workspace) REFERENCES workspaces (sandbox, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX restore_jobs_of_workspace ON restore_jobs (sandbox, workspace);

CREATE TABLE backup_schedules (
  sandbox           INTEGER NOT NULL,
  workspace         TEXT NOT NULL,
  schedule          TEXT NOT NULL, -- five-field cron, UTC
  pause             INTEGER NOT NULL CHECK (pause IN (0, 1)),
  max_backup_files  INTEGER NOT NULL,
  max_reserved_days INTEGER NOT NULL,
  max_retry         INTEGER NOT NULL,
  PRIMARY KEY (sandbox, workspace),
  FOREIGN KEY (sandbox, workspace) REFERENCES workspaces (sandbox, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE workspace_schedules (
  sandbox             INTEGER NOT NULL,
  workspace           TEXT NOT NULL,
  id                  TEXT NOT NULL,
  repeat              TEXT NOT NULL CHECK (repeat IN ('none', 'daily', 'weekdays', 'weekly')),
  repeat_on           TEXT, -- weekdays of a weekly one
  date                TEXT, -- of one that does not repeat
  time                TEXT NOT NULL,
  timezone            TEXT NOT NULL,
  workspace_type_name TEXT, -- NULL: the workspace is stopped
  PRIMARY KEY (sandbox, workspace, id),
  FOREIGN KEY (sandbox, workspace) REFERENCES workspaces (sandbox, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE database_users (
  sandbox       INTEGER NOT NULL,
  workspace     TEXT NOT NULL,
  id            TEXT NOT NULL,
  username      TEXT NOT NULL,
  password_hash TEXT NOT NULL, -- salted scrypt
  created       TEXT NOT NULL,
  updated       TEXT NOT NULL,
  PRIMARY KEY (sandbox, workspace, id),
  UNIQUE (sandbox, workspace, username),
  FOREIGN KEY (sandbox, workspace) REFERENCES workspaces (sandbox, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX database_users_in_order ON database_users (sandbox, workspace);

CREATE TABLE org_users (
  sandbox    INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  id         TEXT NOT NULL,
  username   TEXT NOT NULL,
  email      TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name  TEXT NOT NULL,
  enabled    INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  auth_id    TEXT NOT NULL,
  last_login TEXT,
  roles      TEXT NOT NULL, -- JSON array of names
  created    TEXT NOT NULL,
  updated    TEXT NOT NULL,
  PRIMARY KEY (sandbox, id)
) STRICT;

CREATE INDEX org_users_in_order ON org_users (sandbox);
