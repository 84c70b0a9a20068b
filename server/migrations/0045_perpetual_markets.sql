-- What a perpetual has beside a spot market. Fees and the distance of the mark from the index are in parts per million, rates
-- of funding in parts per billion; the impact value is in quote units.
CREATE TABLE perpetual_markets (
  market              smallint PRIMARY KEY REFERENCES markets (id),
  maker_ppm           integer  NOT NULL,
  taker_ppm           integer  NOT NULL,
  mark_clamp_ppm      integer  NOT NULL,
  funding_interval_ms bigint   NOT NULL,
  interest_ppb        integer  NOT NULL,
  damp_ppb            integer  NOT NULL,
  cap_ppb             integer  NOT NULL,
  impact_value        bigint   NOT NULL
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

-- What positions in perpetuals have brought each client on a day (UTC, days since 1970), fees and funding taken off, which the
-- wallet's overview reads at every poll.
CREATE TABLE daily_positions (
  owner  bigint   NOT NULL,
  day    integer  NOT NULL,
  asset  smallint NOT NULL,
  amount numeric(40, 0) NOT NULL,
  PRIMARY KEY (owner, day, asset)
) WITH (fillfactor = 70);
