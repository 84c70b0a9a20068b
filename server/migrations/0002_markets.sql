-- What is traded. Ids and scales never change once written: books, balances and history are counted in them.

CREATE TABLE assets (
  id    smallint PRIMARY KEY CHECK (id BETWEEN 0 AND 255),
  code  text     NOT NULL UNIQUE,
  scale smallint NOT NULL
);

CREATE TABLE markets (
  id              smallint PRIMARY KEY,
  symbol          text     NOT NULL UNIQUE,
  base            smallint NOT NULL REFERENCES assets (id),
  quote           smallint NOT NULL REFERENCES assets (id),
  tick_scale      smallint NOT NULL,
  lot_scale       smallint NOT NULL,
  -- Lots, lots, quote units, parts per million.
  minimum_lots    bigint   NOT NULL,
  maximum_lots    bigint   NOT NULL,
  minimum_notional numeric(30, 0) NOT NULL,
  price_band_ppm  integer  NOT NULL
);

CREATE TABLE favorites (
  client_id bigint   NOT NULL,
  market    smallint NOT NULL REFERENCES markets (id),
  added_at  bigint   NOT NULL,
  PRIMARY KEY (client_id, market)
);

-- From these three the history before the first trade is made again, bar by bar.
CREATE TABLE history_seeds (
  market smallint PRIMARY KEY REFERENCES markets (id),
  seed   bigint   NOT NULL,
  -- Start of the first live minute, ms; price in ticks.
  anchor bigint   NOT NULL,
  price  bigint   NOT NULL
);

-- Bars as they stand after trade `bar_checkpoint.last_trade`; what came later is added from `trades` on start.
-- Frame: length in ms (60000, 3600000 or 86400000). Prices in ticks, volume in lots, turnover in ticks × lots.
CREATE TABLE bars (
  market   smallint NOT NULL,
  frame    integer  NOT NULL,
  time     bigint   NOT NULL,
  open     bigint   NOT NULL,
  high     bigint   NOT NULL,
  low      bigint   NOT NULL,
  close    bigint   NOT NULL,
  volume   float8   NOT NULL,
  turnover float8   NOT NULL,
  PRIMARY KEY (market, frame, time)
);
CREATE INDEX bars_by_age ON bars (frame, time);

CREATE TABLE bar_checkpoint (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  last_trade bigint  NOT NULL
);
INSERT INTO bar_checkpoint (last_trade) VALUES (0);
