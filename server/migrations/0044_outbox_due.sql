-- In the order in which messages are taken: those that are waited for first.
DROP INDEX outbox_due;
CREATE INDEX outbox_due ON outbox ((max_attempts <> 1), due_at, id) WHERE state = 'waiting';
