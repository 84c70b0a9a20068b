-- A payout that goes along in the transaction of another: whatever becomes of that one becomes of it.
ALTER TABLE payouts ADD COLUMN carried_by bigint REFERENCES payouts (id);
CREATE INDEX payouts_carried ON payouts (carried_by) WHERE carried_by IS NOT NULL;
-- Each payer takes one at a time, with whatever goes along with it.
DROP INDEX payouts_taken;
CREATE UNIQUE INDEX payouts_taken ON payouts (network, sender) WHERE state = 'PLANNED' AND sender <> '' AND carried_by IS NULL;
