-- What the band of a spot market is measured from, in 2^-20 ticks, and from when on its last price moves it, ms; 0 before it has one.
ALTER TABLE market_states ADD COLUMN reference bigint NOT NULL DEFAULT 0;
ALTER TABLE market_states ADD COLUMN reference_at bigint NOT NULL DEFAULT 0;
