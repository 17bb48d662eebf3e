CREATE TABLE database_users (
  sandbox       INTEGER NOT NULL,
  workspace     TEXT NOT NULL,
  id            TEXT NOT NULL,
  username      TEXT NOT NULL,
  password_hash TEXT NOT NULL, -- salted scrypt
  created       TEXT NOT NULL,
  updated       TEXT NOT NULL,
  extra         TEXT,
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
  extra      TEXT,
  PRIMARY KEY (sandbox, id)
) STRICT;

CREATE INDEX org_users_in_order ON org_users (sandbox);
