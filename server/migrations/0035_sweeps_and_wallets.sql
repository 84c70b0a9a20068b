-- Payments that the hot wallet does not make itself: sweeps from clients' addresses, and refills from a cold wallet.
ALTER TABLE payouts DROP CONSTRAINT payouts_purpose_check;
ALTER TABLE payouts ADD CONSTRAINT payouts_purpose_check
  CHECK (purpose IN ('withdrawal', 'top-up', 'to-cold', 'sweep', 'refill'));
-- Canonical; empty for the hot wallet.
ALTER TABLE payouts ADD COLUMN payer text NOT NULL DEFAULT '';
-- Which key of the exchange's tree pays; null for a wallet.
ALTER TABLE payouts ADD COLUMN payer_index integer;
-- In a block, and undone there: it has paid nothing but its cost.
ALTER TABLE payouts ADD COLUMN is_undone boolean NOT NULL DEFAULT false;
ALTER TABLE payouts ADD CHECK ((purpose IN ('sweep', 'refill')) = (payer <> ''));
ALTER TABLE payouts ADD CHECK ((purpose = 'sweep') = (payer_index IS NOT NULL));
-- Each payer has nonces of its own.
DROP INDEX payouts_taken;
CREATE UNIQUE INDEX payouts_taken ON payouts (network, sender) WHERE state = 'PLANNED' AND sender <> '';
CREATE INDEX payout_attempts_by_transaction ON payout_attempts (transaction) WHERE transaction IS NOT NULL;
-- What is in blocks and not final: custody asks for it each minute.
CREATE INDEX payouts_mined ON payouts (purpose) WHERE state = 'MINED';

-- The cold wallet by the signer's policy, canonical; empty where that names none.
ALTER TABLE payout_networks ADD COLUMN cold_address text NOT NULL DEFAULT '';

-- What is at the addresses of clients of what was credited, less what was swept, in smallest units of the chain: rows are
-- only added, so that none waits for another, and are folded into one for each coin where they are read.
CREATE TABLE deposit_sums (
  network text           NOT NULL,
  coin    text           NOT NULL,
  units   numeric(78, 0) NOT NULL
);
-- The same of each address, of what may leave it. Below zero where something was swept before it was unlocked.
CREATE TABLE deposit_holdings (
  network text           NOT NULL,
  coin    text           NOT NULL,
  address text           NOT NULL,
  units   numeric(78, 0) NOT NULL,
  PRIMARY KEY (network, coin, address)
);
CREATE INDEX deposit_holdings_by_units ON deposit_holdings (network, coin, units DESC);

INSERT INTO deposit_sums (network, coin, units)
  SELECT network, coin, sum(units) FROM deposits
  WHERE state IN ('CREDITED', 'UNLOCKED') AND height IS NOT NULL GROUP BY network, coin;
INSERT INTO deposit_holdings (network, coin, address, units)
  SELECT network, coin, address, sum(units) FROM deposits
  WHERE state = 'UNLOCKED' AND height IS NOT NULL GROUP BY network, coin, address;

-- Keeps both with each statement that changes deposits. No line may end with a semicolon but the last.
CREATE FUNCTION keep_deposit_sums() RETURNS trigger LANGUAGE plpgsql AS
  'BEGIN
     INSERT INTO deposit_sums (network, coin, units)
       SELECT network, coin, sum(units) FROM (
         SELECT network, coin, units FROM rows_after WHERE state IN (''CREDITED'', ''UNLOCKED'') AND height IS NOT NULL
         UNION ALL
         SELECT network, coin, -units FROM rows_before WHERE state IN (''CREDITED'', ''UNLOCKED'') AND height IS NOT NULL
       ) AS changes GROUP BY network, coin HAVING sum(units) <> 0
   ; INSERT INTO deposit_holdings (network, coin, address, units)
       SELECT network, coin, address, sum(units) FROM (
         SELECT network, coin, address, units FROM rows_after WHERE state = ''UNLOCKED'' AND height IS NOT NULL
         UNION ALL
         SELECT network, coin, address, -units FROM rows_before WHERE state = ''UNLOCKED'' AND height IS NOT NULL
       ) AS changes GROUP BY network, coin, address HAVING sum(units) <> 0 ORDER BY network, coin, address
       ON CONFLICT (network, coin, address) DO UPDATE SET units = deposit_holdings.units + excluded.units
   ; RETURN NULL
   ; END';
CREATE TRIGGER deposits_keep_sums AFTER UPDATE ON deposits
  REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
  FOR EACH STATEMENT EXECUTE FUNCTION keep_deposit_sums();

-- Whether deposits of a network are swept, and from which worth on, as a multiple of what it costs.
CREATE TABLE sweep_policy (
  network        text    PRIMARY KEY CHECK (network IN ('TRC20', 'ERC20', 'BEP20', 'BTC')),
  is_on          boolean NOT NULL DEFAULT true,
  least_multiple integer NOT NULL DEFAULT 20 CHECK (least_multiple BETWEEN 1 AND 100000)
);
INSERT INTO sweep_policy (network) VALUES ('TRC20'), ('ERC20'), ('BEP20'), ('BTC');

-- What brings deposits of a coin from the address of a client to the hot wallet. Its payments are payouts that name it.
CREATE TABLE sweeps (
  id         bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  network    text           NOT NULL REFERENCES sweep_policy (network),
  coin       text           NOT NULL,
  -- Canonical, and which key of the exchange's tree it is.
  address    text           NOT NULL,
  key_index  integer        NOT NULL,
  state      text           NOT NULL DEFAULT 'PLANNED'
             CHECK (state IN ('PLANNED', 'TOPPING_UP', 'SENDING', 'FINAL', 'FAILED')),
  -- Why it waits, or has ended without having moved anything.
  waits_for  text           NOT NULL DEFAULT ''
             CHECK (waits_for IN ('', 'NODE', 'FEE', 'WOULD_FAIL', 'NOT_WORTH', 'PAYMENT')),
  -- Smallest units of the chain: what is swept, and what is sent to the address for gas; null before that is decided.
  units      numeric(78, 0) CHECK (units > 0),
  top_up     numeric(78, 0) CHECK (top_up > 0),
  created_at bigint         NOT NULL,
  updated_at bigint         NOT NULL,
  CHECK (state NOT IN ('SENDING', 'FINAL') OR units IS NOT NULL),
  CHECK (state <> 'TOPPING_UP' OR top_up IS NOT NULL)
);
-- An address sends one thing at a time.
CREATE UNIQUE INDEX sweeps_underway ON sweeps (network, address) WHERE state NOT IN ('FINAL', 'FAILED');
-- For the first statement of a transaction: what was read still holds. No line may end with a semicolon but the last.
CREATE FUNCTION hold_sweep(of_id bigint, at_state text) RETURNS void LANGUAGE plpgsql AS
  'BEGIN
     PERFORM 1 FROM sweeps WHERE id = of_id AND state = at_state FOR UPDATE
   ; IF NOT FOUND THEN RAISE EXCEPTION ''Sweep % has moved on'', of_id
   ; END IF
   ; END';
CREATE INDEX sweeps_lately ON sweeps (updated_at);

-- How much of a coin the hot wallet is to have: above `high` the rest goes to the cold wallet, down to `target`; below `low` a
-- refill up to `target` is asked for. Smallest units of the chain.
CREATE TABLE wallet_bounds (
  network text           NOT NULL REFERENCES sweep_policy (network),
  coin    text           NOT NULL,
  low     numeric(78, 0) NOT NULL CHECK (low >= 0),
  target  numeric(78, 0) NOT NULL,
  high    numeric(78, 0) NOT NULL,
  PRIMARY KEY (network, coin),
  CHECK (low <= target AND target <= high)
);

-- What goes to the cold wallet, and what is asked of it. The payment is a payout that names it.
CREATE TABLE wallet_moves (
  id           bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind         text           NOT NULL CHECK (kind IN ('to-cold', 'refill')),
  network      text           NOT NULL,
  coin         text           NOT NULL,
  -- Of the token; null for the chain's own coin.
  contract     text,
  -- Canonical addresses of both wallets, as they were when it was planned.
  hot_address  text           NOT NULL,
  cold_address text           NOT NULL,
  units        numeric(78, 0) NOT NULL CHECK (units > 0),
  -- Of a refill: what decides the bytes beside the payment.
  terms        text,
  -- A refill is PLANNED until it comes back signed.
  state        text           NOT NULL DEFAULT 'PLANNED'
               CHECK (state IN ('PLANNED', 'SENDING', 'FINAL', 'FAILED', 'CANCELLED')),
  created_at   bigint         NOT NULL,
  updated_at   bigint         NOT NULL,
  CHECK ((kind = 'refill') = (terms IS NOT NULL))
);
CREATE UNIQUE INDEX wallet_moves_underway ON wallet_moves (network, coin) WHERE state IN ('PLANNED', 'SENDING');
-- A cold wallet signs one after another.
CREATE UNIQUE INDEX wallet_moves_asked ON wallet_moves (network) WHERE kind = 'refill' AND state IN ('PLANNED', 'SENDING');

-- For the first statement of a transaction: what was read still holds. No line may end with a semicolon but the last.
CREATE FUNCTION hold_wallet_move(of_id bigint, at_state text) RETURNS void LANGUAGE plpgsql AS
  'BEGIN
     PERFORM 1 FROM wallet_moves WHERE id = of_id AND state = at_state FOR UPDATE
   ; IF NOT FOUND THEN RAISE EXCEPTION ''Move % has moved on'', of_id
   ; END IF
   ; END';
