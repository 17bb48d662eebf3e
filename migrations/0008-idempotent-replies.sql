-- Replies to requests with an Idempotency-Key, where a profile keeps them.
CREATE TABLE idempotent_replies (
  sandbox     INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  key         TEXT NOT NULL,
  fingerprint TEXT NOT NULL,   -- of the request, in hexadecimal digits
  status      INTEGER NOT NULL,
  body        TEXT NOT NULL,   -- as it was sent
  at          INTEGER NOT NULL, -- milliseconds since 1970 by the sandbox's clock
  PRIMARY KEY (sandbox, key)
) STRICT;
