-- Withdrawals are held after a client has loosened the rules of their own withdrawals.
ALTER TABLE holds DROP CONSTRAINT holds_kind_check;
ALTER TABLE holds ADD CONSTRAINT holds_kind_check CHECK (
  kind IN ('password', 'transaction-password', 'factor', 'factors-reset', 'whitelist', 'withdrawal-rules', 'operator')
);
