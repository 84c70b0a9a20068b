-- What the chain's own coin is worth in USDT as an operator has said, and when: used where no market has a price of it.
ALTER TABLE sweep_policy ADD COLUMN coin_price text CHECK (coin_price ~ '^[0-9]{1,10}([.][0-9]{1,8})?$');
ALTER TABLE sweep_policy ADD COLUMN coin_price_at bigint;
ALTER TABLE sweep_policy ADD CHECK ((coin_price IS NULL) = (coin_price_at IS NULL));

-- Costs of chains whose own coin no deposit is made in were not booked: they go to the ledger with the next one.
UPDATE payout_networks SET cost_rest = cost_rest + (
    SELECT coalesce(sum(cost), 0) FROM payouts
    WHERE payouts.network = payout_networks.network AND state IN ('FINAL', 'FAILED') AND carried_by IS NULL)
  WHERE NOT EXISTS (
    SELECT FROM coin_networks WHERE coin_networks.network = payout_networks.network AND contract IS NULL);
