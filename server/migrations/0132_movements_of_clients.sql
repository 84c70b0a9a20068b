-- Movements of money that are no trade's and no position's, by whom: few rows, also where a wallet trades all day.
CREATE INDEX ledger_movements ON ledger_transactions USING gin (accounts)
  WHERE reason NOT IN ('order-holds', 'trade', 'loss-covered') AND reason NOT LIKE 'position-%';
