-- Withdrawals are held after the exchange has removed the second factors of a client who had lost them.
ALTER TABLE holds DROP CONSTRAINT holds_kind_check;
ALTER TABLE holds ADD CONSTRAINT holds_kind_check CHECK (
  kind IN ('password', 'transaction-password', 'factor', 'factors-reset', 'whitelist', 'operator')
);
