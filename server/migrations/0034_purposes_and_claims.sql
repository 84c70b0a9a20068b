-- What a payout is for beside withdrawals, and chains that do not number the transactions of an address.
ALTER TABLE payouts ADD COLUMN purpose text NOT NULL DEFAULT 'withdrawal'
  CHECK (purpose IN ('withdrawal', 'top-up', 'to-cold'));
ALTER TABLE payouts ALTER COLUMN purpose DROP DEFAULT;
ALTER TABLE payouts DROP CONSTRAINT payouts_reference_key;
ALTER TABLE payouts ADD CONSTRAINT payouts_by_reference UNIQUE (purpose, reference);

-- What decides the bytes of a payout is fixed once it has a sender; only some chains have nonces.
ALTER TABLE payouts DROP CONSTRAINT payouts_check;
ALTER TABLE payouts ADD CHECK (state IN ('PLANNED', 'FAILED') OR sender <> '');
DROP INDEX payouts_taken;
CREATE UNIQUE INDEX payouts_taken ON payouts (network) WHERE state = 'PLANNED' AND sender <> '';
