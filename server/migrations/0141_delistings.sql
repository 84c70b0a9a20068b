-- When a market ends, as its operator has announced it: from when on clients can only reduce, and when it is delisted. Ms; 0 for none.
ALTER TABLE market_states ADD COLUMN close_only_at bigint NOT NULL DEFAULT 0;
ALTER TABLE market_states ADD COLUMN ends_at bigint NOT NULL DEFAULT 0;
