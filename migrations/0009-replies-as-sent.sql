-- The body of an idempotent reply is now as it was sent.
DELETE FROM idempotent_replies;
