-- What a perpetual has beside a spot market. Rates are in parts per million.
CREATE TABLE perpetual_markets (
  market    smallint PRIMARY KEY REFERENCES markets (id),
  maker_ppm integer  NOT NULL,
  taker_ppm integer  NOT NULL
);

-- Ascending by value: up to which value of a position, in quote units, which leverage is allowed, and what must be kept of
-- the part of a value that lies in the tier.
CREATE TABLE risk_tiers (
  market           smallint NOT NULL REFERENCES markets (id),
  tier             smallint NOT NULL,
  maximum_notional bigint   NOT NULL,
  maximum_leverage smallint NOT NULL,
  maintenance_ppm  integer  NOT NULL,
  PRIMARY KEY (market, tier)
);

-- Of a perpetual: whether the order opens nothing.
ALTER TABLE orders ADD COLUMN reduce_only smallint NOT NULL DEFAULT 0;
