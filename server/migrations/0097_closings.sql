-- Positions that were closed or reversed by several orders at once, by the first of those; the others have the ids that follow.
-- The reason is why an order behind the last one was refused, as those of orders; 0 for none.
CREATE TABLE closings (
  order_id      bigint   PRIMARY KEY,
  last_order_id bigint   NOT NULL,
  lots          bigint   NOT NULL,
  reason        smallint NOT NULL,
  CHECK (last_order_id >= order_id AND lots > 0)
);
