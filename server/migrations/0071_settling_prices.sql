-- The price at which the positions of a perpetual are being settled: what is left after an interruption is settled at the same.
CREATE TABLE settling_prices (
  market bigint PRIMARY KEY,
  -- Ticks.
  price  bigint NOT NULL
);
