-- When the slices of TWAPs are placed. The order itself is in `orders` like any other, open until its end. The row stays
-- as it was when the order ended. Times in ms.
CREATE TABLE twaps (
  order_id bigint PRIMARY KEY,
  interval_ms integer NOT NULL,
  slices integer NOT NULL,
  done integer NOT NULL,
  next_at bigint NOT NULL,
  ends_at bigint NOT NULL
);
