-- What clients call their orders. Few orders have such an id, so it is beside them and costs the others nothing.
CREATE TABLE client_order_ids (
  order_id bigint PRIMARY KEY,
  client_order_id text NOT NULL
);
