-- In hedge mode an owner has a long and a short position side by side in a market. Leg 0 is one-way mode's only position, and
-- says the mode; 1 is the long and -1 the short of hedge mode.
ALTER TABLE positions ADD COLUMN leg smallint NOT NULL DEFAULT 0 CHECK (leg IN (-1, 0, 1));
ALTER TABLE positions ADD COLUMN is_hedged boolean NOT NULL DEFAULT false;
ALTER TABLE positions DROP CONSTRAINT positions_pkey;
ALTER TABLE positions ADD PRIMARY KEY (owner, market, leg);

ALTER TABLE position_changes ADD COLUMN leg smallint NOT NULL DEFAULT 0;
DROP INDEX position_changes_of_market;
CREATE INDEX position_changes_of_leg ON position_changes (owner, market, leg, id);

ALTER TABLE position_liquidations ADD COLUMN leg smallint NOT NULL DEFAULT 0;

-- Of a perpetual: whether the order is of a leg, which follows from its side and from whether it only reduces.
ALTER TABLE orders ADD COLUMN is_hedged smallint NOT NULL DEFAULT 0;
