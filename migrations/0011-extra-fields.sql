-- Values of the fields that a profile adds, as a JSON object; NULL: there are none.
ALTER TABLE workgroups ADD COLUMN extra TEXT;
ALTER TABLE allowed_ips ADD COLUMN extra TEXT;
ALTER TABLE databases ADD COLUMN extra TEXT;
ALTER TABLE workspaces ADD COLUMN extra TEXT;
ALTER TABLE restore_jobs ADD COLUMN extra TEXT;
ALTER TABLE backup_schedules ADD COLUMN extra TEXT;
ALTER TABLE workspace_schedules ADD COLUMN extra TEXT;
ALTER TABLE database_users ADD COLUMN extra TEXT;
ALTER TABLE org_users ADD COLUMN extra TEXT;
