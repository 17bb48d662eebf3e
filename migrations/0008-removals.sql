-- Sandboxes that are removed, but whose rows are not all gone yet: that many go in several transactions. Their ids are free already.
CREATE TABLE removals (
  sandbox INTEGER PRIMARY KEY REFERENCES sandboxes (key) ON DELETE CASCADE
) STRICT;
