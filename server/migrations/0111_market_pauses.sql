-- Until when a spot market pauses, ms, 0 while it does not; what its band was measured from, in ticks; and which end was reached.
ALTER TABLE market_states ADD COLUMN paused_until bigint NOT NULL DEFAULT 0;
ALTER TABLE market_states ADD COLUMN paused_at_reference bigint NOT NULL DEFAULT 0;
ALTER TABLE market_states ADD COLUMN paused_above boolean NOT NULL DEFAULT false;
