-- What a client had of a coin when a day (UTC, days since 1970) ended, in all wallets together, in its smallest units:
-- one row for each day on which it changed. The row of the current day is what there is so far. Written by the consumer
-- `daily-balances` alone.
CREATE TABLE daily_balances (
  owner   bigint         NOT NULL,
  asset   integer        NOT NULL,
  day     integer        NOT NULL,
  balance numeric(40, 0) NOT NULL,
  PRIMARY KEY (owner, asset, day)
) WITH (fillfactor = 80);

-- The last row of ledger_transactions that the consumer has handled; its position is the last trade.
CREATE TABLE daily_balances_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  batch    bigint  NOT NULL,
  sequence integer NOT NULL
);
INSERT INTO daily_balances_progress (batch, sequence) VALUES (0, 0);
