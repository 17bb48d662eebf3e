-- What a reset brings a sandbox back to, as a state document (JSON); NULL: the baseline of the server.
ALTER TABLE sandboxes ADD COLUMN baseline TEXT;
-- When the machine's clock shows this, in milliseconds since 1970, a sandbox that was made for a while is gone. NULL: it stays.
ALTER TABLE sandboxes ADD COLUMN expires INTEGER;

-- Of the stream of ids that it begins with; seed is another one while the sandbox is what a document says.
ALTER TABLE sandboxes ADD COLUMN own_seed TEXT;
UPDATE sandboxes SET own_seed = seed;

CREATE INDEX sandboxes_expiring ON sandboxes (expires) WHERE expires IS NOT NULL;

CREATE TABLE snapshots (
  sandbox    INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  created_at TEXT NOT NULL,
  state      TEXT NOT NULL, -- state document (JSON)
  PRIMARY KEY (sandbox, name)
) STRICT;
