CREATE TABLE runs (
  count INTEGER NOT NULL, -- how often the database was opened: each run draws its RequestIDs from a sequence of its own
  probe INTEGER NOT NULL  -- changed to find out whether anything can be written: a row that stays the same is not written
) STRICT;
INSERT INTO runs (count, probe) VALUES (0, 0);

-- State documents, kept as snapshots or as what a reset brings back. They stand apart from the rows that refer to them, because those
-- are written often or move to another sandbox, and several may share a document.
CREATE TABLE documents (
  key   INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice, so the same key is the same text
  state TEXT NOT NULL                      -- JSON
) STRICT;

-- A sandbox is one org's whole world; everything else hangs below it and goes with it. Times without another word are by the machine's
-- clock, in milliseconds since 1970.
CREATE TABLE sandboxes (
  key               INTEGER PRIMARY KEY,
  id                TEXT NOT NULL UNIQUE, -- SHA-256 of the credential, in hexadecimal digits
  org_id            TEXT NOT NULL,
  org_name          TEXT NOT NULL,
  seed              TEXT NOT NULL,        -- of its random stream
  own_seed          TEXT,                 -- of the stream that it begins with; seed is another one while it is what a document says
  draws             INTEGER NOT NULL,     -- how much of the stream is used up
  request_seed      TEXT,                 -- where its stream of RequestIDs stands, if that is one of this run of the server
  request_draws     INTEGER NOT NULL DEFAULT 0,
  -- Its time was clock_base when the machine's clock showed clock_anchor.
  clock_mode        TEXT NOT NULL DEFAULT 'real' CHECK (clock_mode IN ('real', 'frozen', 'poll')),
  clock_base        INTEGER NOT NULL DEFAULT 0,
  clock_anchor      INTEGER NOT NULL DEFAULT 0,
  clock_rate        REAL NOT NULL DEFAULT 1,
  clock_shown       INTEGER, -- what a clock in mode real has shown at the last write; after a restart it does not go back behind that
  baseline_document INTEGER REFERENCES documents (key), -- what a reset brings it back to; NULL: the baseline of the server
  -- initial: what every new one has; own: what requests have made of that; given: from a document, which nothing else would bring back
  content           TEXT NOT NULL DEFAULT 'own' CHECK (content IN ('initial', 'own', 'given')),
  created           INTEGER,
  last_used         INTEGER NOT NULL DEFAULT 0, -- may be noted up to an hour late
  expires           INTEGER           -- when a sandbox that was made for a while is gone; NULL: it stays
) STRICT;

CREATE INDEX sandboxes_expiring ON sandboxes (expires) WHERE expires IS NOT NULL;
CREATE INDEX sandboxes_by_use ON sandboxes (last_used);
CREATE INDEX sandboxes_of_document ON sandboxes (baseline_document) WHERE baseline_document IS NOT NULL;

-- Sandboxes that are removed, but whose rows are not all gone yet: many rows go in several transactions. Their ids are free already. A
-- sandbox that is still being made in several transactions is here, too, and held, like the rows in which something long is tried: if the
-- server ends before that is done, they are removed.
CREATE TABLE removals (
  sandbox INTEGER PRIMARY KEY REFERENCES sandboxes (key) ON DELETE CASCADE,
  is_held INTEGER NOT NULL DEFAULT 0 CHECK (is_held IN (0, 1))
) STRICT;
