-- What the body of a request must have so that a rule applies to it; NULL: any body, or none.
ALTER TABLE faults ADD COLUMN body TEXT; -- JSON
