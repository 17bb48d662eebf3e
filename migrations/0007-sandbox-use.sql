-- When it was made and when it was used last, by the machine's clock in milliseconds since 1970. The last use may be noted up to an
-- hour late. NULL: it was made before that was kept.
ALTER TABLE sandboxes ADD COLUMN created INTEGER;
ALTER TABLE sandboxes ADD COLUMN last_used INTEGER NOT NULL DEFAULT 0;
UPDATE sandboxes SET last_used = unixepoch() * 1000;

CREATE INDEX sandboxes_by_use ON sandboxes (last_used);

-- What its clock in mode real has shown when something was written last; after a restart it does not go back behind that.
ALTER TABLE sandboxes ADD COLUMN clock_shown INTEGER;

-- Where its stream of RequestIDs stands, if that is one of this run of the server.
ALTER TABLE sandboxes ADD COLUMN request_seed TEXT;
ALTER TABLE sandboxes ADD COLUMN request_draws INTEGER NOT NULL DEFAULT 0;

-- What is changed to find out whether anything can be written: a row that stays the same is not written at all.
ALTER TABLE runs ADD COLUMN probe INTEGER NOT NULL DEFAULT 0;
