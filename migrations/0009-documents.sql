-- State documents that are kept, as snapshots or as what a reset brings back. They stand apart from the rows that refer to them: those
-- are written often, or move to another sandbox, and several may share a document.
CREATE TABLE documents (
  key   INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice, so the same key is the same text
  state TEXT NOT NULL                      -- JSON
) STRICT;

INSERT INTO documents (key, state) SELECT key, baseline FROM sandboxes WHERE baseline IS NOT NULL;
ALTER TABLE sandboxes ADD COLUMN baseline_document INTEGER REFERENCES documents (key);
UPDATE sandboxes SET baseline_document = key WHERE baseline IS NOT NULL;
ALTER TABLE sandboxes DROP COLUMN baseline;

ALTER TABLE snapshots RENAME TO old_snapshots;
CREATE TABLE snapshots (
  sandbox    INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  created_at TEXT NOT NULL,
  document   INTEGER NOT NULL REFERENCES documents (key),
  PRIMARY KEY (sandbox, name)
) STRICT;
INSERT INTO documents (key, state)
  SELECT rowid + (SELECT coalesce(max(key), 0) FROM sandboxes), state FROM old_snapshots;
INSERT INTO snapshots (sandbox, name, created_at, document)
  SELECT sandbox, name, created_at, rowid + (SELECT coalesce(max(key), 0) FROM sandboxes) FROM old_snapshots;
DROP TABLE old_snapshots;

CREATE INDEX snapshots_of_document ON snapshots (document);
CREATE INDEX sandboxes_of_document ON sandboxes (baseline_document) WHERE baseline_document IS NOT NULL;

-- A document goes with the last row that refers to it.
CREATE TRIGGER snapshots_document_delete AFTER DELETE ON snapshots BEGIN
  DELETE FROM documents WHERE key = OLD.document
    AND NOT EXISTS (SELECT 1 FROM snapshots WHERE document = OLD.document)
    AND NOT EXISTS (SELECT 1 FROM sandboxes WHERE baseline_document = OLD.document);
END;

CREATE TRIGGER snapshots_document_update AFTER UPDATE OF document ON snapshots WHEN OLD.document <> NEW.document BEGIN
  DELETE FROM documents WHERE key = OLD.document
    AND NOT EXISTS (SELECT 1 FROM snapshots WHERE document = OLD.document)
    AND NOT EXISTS (SELECT 1 FROM sandboxes WHERE baseline_document = OLD.document);
END;

CREATE TRIGGER sandboxes_document_delete AFTER DELETE ON sandboxes WHEN OLD.baseline_document IS NOT NULL BEGIN
  DELETE FROM documents WHERE key = OLD.baseline_document
    AND NOT EXISTS (SELECT 1 FROM snapshots WHERE document = OLD.baseline_document)
    AND NOT EXISTS (SELECT 1 FROM sandboxes WHERE baseline_document = OLD.baseline_document);
END;

CREATE TRIGGER sandboxes_document_update AFTER UPDATE OF baseline_document ON sandboxes
  WHEN OLD.baseline_document IS NOT NULL AND OLD.baseline_document IS NOT NEW.baseline_document BEGIN
  DELETE FROM documents WHERE key = OLD.baseline_document
    AND NOT EXISTS (SELECT 1 FROM snapshots WHERE document = OLD.baseline_document)
    AND NOT EXISTS (SELECT 1 FROM sandboxes WHERE baseline_document = OLD.baseline_document);
END;

-- A sandbox that is still being made, in several transactions, stands here too: should the server end meanwhile, it is removed. So that it
-- is not removed before, it is held.
ALTER TABLE removals ADD COLUMN is_held INTEGER NOT NULL DEFAULT 0 CHECK (is_held IN (0, 1));
