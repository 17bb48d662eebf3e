-- A sandbox is one org's whole world; everything else hangs below it and goes with it.
CREATE TABLE sandboxes (
  key      INTEGER PRIMARY KEY,
  id       TEXT NOT NULL UNIQUE, -- SHA-256 of the credential, in hexadecimal digits
  org_id   TEXT NOT NULL,
  org_name TEXT NOT NULL,
  seed     TEXT NOT NULL,        -- of its random stream
  draws    INTEGER NOT NULL      -- how much of the stream is used up
) STRICT;

-- Rows are listed in the order of their creation, which is the order of their rowids.
CREATE TABLE workgroups (
  sandbox           INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  id                TEXT NOT NULL,
  name              TEXT NOT NULL,
  creator           TEXT NOT NULL,
  cloud_provider_id TEXT NOT NULL,
  platform          TEXT NOT NULL,
  region            TEXT NOT NULL,
  enable_allow_list INTEGER NOT NULL CHECK (enable_allow_list IN (0, 1)),
  PRIMARY KEY (sandbox, id)
) STRICT;

CREATE INDEX workgroups_in_order ON workgroups (sandbox);

CREATE TABLE allowed_ips (
  sandbox   INTEGER NOT NULL,
  workgroup TEXT NOT NULL,
  id        TEXT NOT NULL,
  cidr      TEXT NOT NULL, -- canonical
  note      TEXT NOT NULL,
  PRIMARY KEY (sandbox, workgroup, id),
  UNIQUE (sandbox, workgroup, cidr),
  FOREIGN KEY (sandbox, workgroup) REFERENCES workgroups (sandbox, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX allowed_ips_in_order ON allowed_ips (sandbox, workgroup);
