-- When a workspace entered its state.
ALTER TABLE workspaces ADD COLUMN status_since TEXT NOT NULL DEFAULT '';
UPDATE workspaces SET status_since = last_modified_time;
