-- What became of one request is asked for by its RequestID.
CREATE INDEX timeline_of_request ON timeline (sandbox, request_id, sequence);
