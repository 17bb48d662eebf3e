CREATE TABLE snapshots (
  sandbox    INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  created_at TEXT NOT NULL,
  document   INTEGER NOT NULL REFERENCES documents (key),
  PRIMARY KEY (sandbox, name)
) STRICT;

CREATE INDEX snapshots_of_document ON snapshots (document);

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
