-- Whether a client was told by mail that withdrawals are paused: false from before the change that pauses them until the mail
-- is in the outbox. Those of before were.
ALTER TABLE holds ADD COLUMN is_told boolean NOT NULL DEFAULT true;
CREATE INDEX holds_untold ON holds (id) WHERE NOT is_told;
