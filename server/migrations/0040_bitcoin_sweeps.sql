-- A chain of outputs has no balance to pay from: what a client's address pays with is decided when its payment is planned, as
-- JSON, and all of it is paid. Null where the payer has a balance.
ALTER TABLE payouts ADD COLUMN payer_coins text;
ALTER TABLE payouts ADD CHECK (payer_coins IS NULL OR purpose = 'sweep');

-- Of such a chain: a final payment has spent it.
ALTER TABLE deposits ADD COLUMN is_swept boolean NOT NULL DEFAULT false;
-- What may be worth a sweep, the largest first.
CREATE INDEX deposits_unswept ON deposits (network, units DESC) WHERE network = 'BTC' AND NOT is_swept;
