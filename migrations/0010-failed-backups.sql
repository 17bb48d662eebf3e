-- How many of the backups have failed, because a quota may leave these out.
ALTER TABLE backup_counts ADD COLUMN automatic_failed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE backup_counts ADD COLUMN manual_failed INTEGER NOT NULL DEFAULT 0;

UPDATE backup_counts SET (automatic_failed, manual_failed) = (
  SELECT coalesce(sum(is_automatic), 0), coalesce(sum(1 - is_automatic), 0) FROM backups
    WHERE sandbox = backup_counts.sandbox AND status = 'Failed' AND (scope = '' OR workspace = scope)
);

DROP TRIGGER backups_count_insert;
DROP TRIGGER backups_count_update;
DROP TRIGGER backups_count_delete;

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
