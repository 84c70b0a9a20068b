-- Take-profit and stop-loss attached to entry orders. Few orders have them, so they are beside their order. The row stays
-- as it was when the entry ended; one without triggers was given up.
CREATE TABLE exit_plans (
  order_id bigint PRIMARY KEY,
  source smallint NOT NULL,
  profit_trigger bigint NOT NULL,
  profit_price bigint NOT NULL,
  stop_trigger bigint NOT NULL,
  stop_price bigint NOT NULL,
  exit_id bigint NOT NULL,
  taken bigint NOT NULL
);

-- Of an exit order, the entry whose fills it exits; 0 for an order that was placed for itself.
ALTER TABLE conditional_orders ADD COLUMN entry_id bigint NOT NULL DEFAULT 0;

-- Open orders of which the book has a part at a time: how many lots of them it shows at most, and how many are not in it.
CREATE TABLE icebergs (
  order_id bigint PRIMARY KEY,
  visible bigint NOT NULL,
  hidden bigint NOT NULL
);
