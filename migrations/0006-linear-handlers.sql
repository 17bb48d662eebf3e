-- Whatever an event does must cost the same however much there is: what was counted or looked through gets an index or a counter.
CREATE INDEX due_events_of_kind ON due_events (sandbox, kind);
CREATE INDEX transition_rules_of_resource ON transition_rules (sandbox, transition, resource, position);
CREATE INDEX backups_by_age ON backups (sandbox, workspace, time) WHERE is_automatic = 1;
CREATE INDEX backups_to_keep ON backups (sandbox, workspace) WHERE is_automatic = 1 AND status = 'Succeeded';

-- How many backups there are, of each workspace and of the whole sandbox. Triggers keep it, whoever changes a backup.
CREATE TABLE backup_counts (
  sandbox   INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  scope     TEXT NOT NULL,    -- id of the workspace; '' for the sandbox
  automatic INTEGER NOT NULL,
  manual    INTEGER NOT NULL,
  succeeded INTEGER NOT NULL, -- automatic ones that have succeeded
  PRIMARY KEY (sandbox, scope)
) STRICT;

INSERT INTO backup_counts (sandbox, scope, automatic, manual, succeeded)
  SELECT sandbox, workspace, sum(is_automatic), sum(1 - is_automatic), sum(is_automatic = 1 AND status = 'Succeeded')
    FROM backups GROUP BY sandbox, workspace
  UNION ALL
  SELECT sandbox, '', sum(is_automatic), sum(1 - is_automatic), sum(is_automatic = 1 AND status = 'Succeeded')
    FROM backups GROUP BY sandbox;

CREATE TRIGGER backups_count_insert AFTER INSERT ON backups BEGIN
  INSERT INTO backup_counts (sandbox, scope, automatic, manual, succeeded)
    VALUES (NEW.sandbox, NEW.workspace, NEW.is_automatic, 1 - NEW.is_automatic, NEW.is_automatic = 1 AND NEW.status = 'Succeeded'),
      (NEW.sandbox, '', NEW.is_automatic, 1 - NEW.is_automatic, NEW.is_automatic = 1 AND NEW.status = 'Succeeded')
    ON CONFLICT DO UPDATE SET automatic = automatic + excluded.automatic, manual = manual + excluded.manual,
      succeeded = succeeded + excluded.succeeded;
END;

CREATE TRIGGER backups_count_update AFTER UPDATE OF status ON backups
  WHEN NEW.is_automatic = 1 AND (OLD.status = 'Succeeded') <> (NEW.status = 'Succeeded') BEGIN
  UPDATE backup_counts SET succeeded = succeeded + (NEW.status = 'Succeeded') - (OLD.status = 'Succeeded')
    WHERE sandbox = NEW.sandbox AND scope IN (NEW.workspace, '');
END;

CREATE TRIGGER backups_count_delete AFTER DELETE ON backups BEGIN
  UPDATE backup_counts SET automatic = automatic - OLD.is_automatic, manual = manual - (1 - OLD.is_automatic),
      succeeded = succeeded - (OLD.is_automatic = 1 AND OLD.status = 'Succeeded')
    WHERE sandbox = OLD.sandbox AND scope IN (OLD.workspace, '');
  DELETE FROM backup_counts WHERE sandbox = OLD.sandbox AND scope = OLD.workspace AND automatic = 0 AND manual = 0;
END;

-- Sandboxes that something is tried in, which is undone if it does not come to what is wanted: see src/db/undo-log.ts.
CREATE TABLE trials (
  sandbox INTEGER PRIMARY KEY REFERENCES sandboxes (key) ON DELETE CASCADE,
  shifts  TEXT NOT NULL DEFAULT '{}' -- JSON object: by how much the rows of a table were moved
) STRICT;

-- What undoes it, newest first.
CREATE TABLE undo_log (
  sequence   INTEGER PRIMARY KEY,
  sandbox    INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  table_name TEXT NOT NULL,
  change     TEXT NOT NULL CHECK (change IN ('insert', 'update', 'delete')),
  row_id     INTEGER NOT NULL,
  old        TEXT -- JSON object of the values that the row had; NULL: there was none
) STRICT;

CREATE INDEX undo_log_in_order ON undo_log (sandbox, sequence);
