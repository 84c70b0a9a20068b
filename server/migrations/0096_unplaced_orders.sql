-- Orders that a trigger placed in vain: refused, or cancelled at once with something unfilled. The id is the batch times 2^20, and the
-- place among those of the batch; the price is that of the trigger, in ticks; what became of the order is in its own row.
CREATE TABLE unplaced_orders (
  id       bigint PRIMARY KEY,
  order_id bigint NOT NULL,
  price    bigint NOT NULL
);
CREATE INDEX unplaced_orders_by_order ON unplaced_orders (order_id);
