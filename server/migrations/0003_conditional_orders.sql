-- Orders that wait for a price stand in `orders` from the beginning, so that each has one history: state 3 waits, and
-- becomes 0 when it is placed, or 2 when it ends without that. What it waits for is here, and stays here.
DROP INDEX orders_open;
CREATE INDEX orders_open ON orders (owner, id) WHERE state IN (0, 3);

-- Prices in ticks; 0 where an order has none. source: 0 last price, 1 mark price. self_trade: 0 CANCEL_NEWEST,
-- 1 CANCEL_OLDEST, 2 CANCEL_BOTH, 3 DECREMENT.
CREATE TABLE conditional_orders (
  id             bigint   PRIMARY KEY,
  market         smallint NOT NULL,
  side           smallint NOT NULL,
  source         smallint NOT NULL,
  self_trade     smallint NOT NULL,
  profit_trigger bigint   NOT NULL,
  profit_price   bigint   NOT NULL,
  stop_trigger   bigint   NOT NULL,
  stop_price     bigint   NOT NULL,
  callback_ppm   integer  NOT NULL,
  callback_ticks bigint   NOT NULL,
  activation     bigint   NOT NULL,
  -- The best price since a trailing order began to follow; 0 before.
  best           bigint   NOT NULL,
  -- 0 waits, 1 was placed, 2 ended without that.
  standing       smallint NOT NULL,
  -- What fired ('take-profit', 'stop', 'trailing'), at which price and when; '', 0 and 0 before.
  fired_leg      text     NOT NULL,
  fired_price    bigint   NOT NULL,
  fired_at       bigint   NOT NULL
) WITH (fillfactor = 80);
-- A new best price reaches every order that trails it, by one statement.
CREATE INDEX conditional_orders_trailing ON conditional_orders (market, side, source) WHERE standing = 0 AND best > 0;

ALTER TABLE market_states ADD COLUMN mark_price bigint NOT NULL DEFAULT 0;
