-- How many trades were there before a transfer was posted: the id of the last one. Trades and transfers are thereby one
-- sequence for whoever follows both.
ALTER TABLE ledger_transactions ADD COLUMN after_trade bigint NOT NULL DEFAULT 0;

-- Of transfers of before, the last trade of an earlier time. Ids and times grow together, so it is found by halves.
-- Rows of trades are left alone: their postings follow from the trades.
UPDATE ledger_transactions AS posted SET after_trade = greatest(0, (
  WITH RECURSIVE search (low, high) AS (
    SELECT 0::bigint, coalesce(max(id), 0) + 1 FROM trades
    UNION ALL
    SELECT CASE WHEN probe.time < posted.time THEN probe.id + 1 ELSE low END,
           CASE WHEN probe.time < posted.time THEN high ELSE (low + high) / 2 END
    FROM search, LATERAL (
      SELECT id, time FROM trades WHERE id >= (low + high) / 2 ORDER BY id LIMIT 1
    ) AS probe
    WHERE low < high
  )
  SELECT max(low) FROM search
) - 1)
WHERE reason NOT IN ('order-holds', 'trade');

-- What a client's coins have cost and what their sales have gained, by weighted average. Quantities are in the coin's
-- smallest units, money in USDT's. Written by the consumer `cost-basis` alone.
CREATE TABLE cost_basis (
  owner             bigint         NOT NULL,
  asset             integer        NOT NULL,
  quantity          numeric(40, 0) NOT NULL CHECK (quantity >= 0),
  cost              numeric(40, 0) NOT NULL CHECK (cost >= 0),
  -- Some of the coins came in while no price was known, so what all of them have cost is not known.
  unpriced          boolean        NOT NULL,
  realized          numeric(40, 0) NOT NULL,
  -- The last day (UTC, days since 1970) on which something was sold, and what that day's sales have gained.
  day               integer        NOT NULL,
  realized_of_day   numeric(40, 0) NOT NULL,
  -- The last day on which coins of unknown cost were sold; −1 for none.
  unpriced_sale_day integer        NOT NULL,
  PRIMARY KEY (owner, asset)
) WITH (fillfactor = 70);

-- The last row of ledger_transactions that the consumer has handled; its position is the last trade.
CREATE TABLE cost_basis_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  batch    bigint  NOT NULL,
  sequence integer NOT NULL
);
INSERT INTO cost_basis_progress (batch, sequence) VALUES (0, 0);

-- A conversion is an order with a name that no client can give. Those of the last day are known by their keys.
INSERT INTO client_order_ids (order_id, client_order_id)
SELECT order_id, 'convert:' || order_id FROM idempotency_keys JOIN orders ON orders.id = order_id
WHERE key LIKE 'convert:%' AND orders.state IN (1, 2)
ON CONFLICT DO NOTHING;
