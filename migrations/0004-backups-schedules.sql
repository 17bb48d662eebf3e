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
CREATE INDEX backups_by_age ON backups (sandbox, workspace, time) WHERE is_automatic = 1;
CREATE INDEX backups_to_keep ON backups (sandbox, workspace) WHERE is_automatic = 1 AND status = 'Succeeded';

-- How many backups there are, of each workspace and of the whole sandbox. Triggers count, so that nothing else must.
CREATE TABLE backup_counts (
  sandbox          INTEGER NOT NULL REFERENCES sandboxes (key) ON DELETE CASCADE,
  scope            TEXT NOT NULL,    -- id of the workspace; '' for the sandbox
  automatic        INTEGER NOT NULL,
  automatic_failed INTEGER NOT NULL,
  manual           INTEGER NOT NULL,
  manual_failed    INTEGER NOT NULL,
  succeeded        INTEGER NOT NULL, -- automatic ones that have succeeded
  PRIMARY KEY (sandbox, scope)
) STRICT;

CREATE TRIGGER backups_count_insert AFTER INSERT ON backups BEGIN
  INSERT INTO backup_counts (sandbox, scope, automatic, manual, succeeded, automatic_failed, manual_failed)
    VALUES (NEW.sandbox, NEW.workspace, NEW.is_automatic, 1 - NEW.is_automatic, NEW.is_automatic = 1 AND NEW.status = 'Succeeded',
        NEW.is_automatic = 1 AND NEW.status = 'Failed', NEW.is_automatic = 0 AND NEW.status = 'Failed'),
      (NEW.sandbox, '', NEW.is_automatic, 1 - NEW.is_automatic, NEW.is_automatic = 1 AND NEW.status = 'Succeeded',
        NEW.is_automatic = 1 AND NEW.status = 'Failed', NEW.is_automatic = 0 AND NEW.status = 'Failed')
    ON CONFLICT DO UPDATE SET automatic = automatic + excluded.automatic, manual = manual + excluded.manual,
      succeeded = succeeded + excluded.succeeded, automatic_failed = automatic_failed + excluded.automatic_failed,
      manual_failed = manual_failed + excluded.manual_failed;
END;

CREATE TRIGGER backups_count_update AFTER UPDATE OF status ON backups WHEN OLD.status <> NEW.status BEGIN
  UPDATE backup_counts SET
      succeeded = succeeded + (NEW.is_automatic = 1) * ((NEW.status = 'Succeeded') - (OLD.status = 'Succeeded')),
      automatic_failed = automatic_failed + (NEW.is_automatic = 1) * ((NEW.status = 'Failed') - (OLD.status = 'Failed')),
      manual_failed = manual_failed + (NEW.is_automatic = 0) * ((NEW.status = 'Failed') - (OLD.status = 'Failed'))
    WHERE sandbox = NEW.sandbox AND scope IN (NEW.workspace, '');
END;

CREATE TRIGGER backups_count_delete AFTER DELETE ON backups BEGIN
  UPDATE backup_counts SET automatic = automatic - OLD.is_automatic, manual = manual - (1 - OLD.is_automatic),
      succeeded = succeeded - (OLD.is_automatic = 1 AND OLD.status = 'Succeeded'),
      automatic_failed = automatic_failed - (OLD.is_automatic = 1 AND OLD.status = 'Failed'),
      manual_failed = manual_failed - (OLD.is_automatic = 0 AND OLD.status = 'Failed')
    WHERE sandbox = OLD.sandbox AND scope IN (OLD.workspace, '');
  DELETE FROM backup_counts WHERE sandbox = OLD.sandbox AND scope = OLD.workspace AND automatic = 0 AND manual = 0;
END;

CREATE TABLE restore_jobs (
  sandbox    INTEGER NOT NULL,
  id         TEXT NOT NULL,
  workspace  TEXT NOT NULL,
  status     TEXT NOT NULL,
  output     TEXT NOT NULL,
  created_at TEXT NOT NULL,
  extra      TEXT,
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
  extra             TEXT,
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
  extra               TEXT,
  PRIMARY KEY (sandbox, workspace, id),
  FOREIGN KEY (sandbox, workspace) REFERENCES workspaces (sandbox, id) ON DELETE CASCADE
) STRICT;
