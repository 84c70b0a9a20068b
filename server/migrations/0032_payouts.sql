-- Payments by chains, and what they cost.

-- `id` begins the name of every payment at the signer, which signs one payment for a name for ever: those of another
-- database have other names. `change` numbers what happens to payouts, in the order in which it is committed.
CREATE TABLE payout_book (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  id       uuid    NOT NULL DEFAULT gen_random_uuid(),
  change   bigint  NOT NULL DEFAULT 0
);
INSERT INTO payout_book (only_row) VALUES (true);

-- Whoever takes a number is alone until the end of its transaction.
CREATE FUNCTION next_payout_change() RETURNS bigint LANGUAGE sql AS
  'UPDATE payout_book SET change = change + 1 RETURNING change';

CREATE TABLE payout_networks (
  network     text           PRIMARY KEY CHECK (network IN ('TRC20', 'ERC20', 'BEP20', 'BTC')),
  is_paused   boolean        NOT NULL DEFAULT false,
  -- Canonical; empty before the signer has named it.
  hot_address text           NOT NULL DEFAULT '',
  -- Of the hot wallet; null before the first payment, for which the chain is asked.
  next_nonce  bigint,
  -- What transactions have cost beyond the ledger's decimals, in smallest units of the chain's own coin.
  cost_rest   numeric(78, 0) NOT NULL DEFAULT 0
);
INSERT INTO payout_networks (network) VALUES ('TRC20'), ('ERC20'), ('BEP20'), ('BTC');

CREATE TABLE payouts (
  id          bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The withdrawal: one payout for each, for ever.
  reference   bigint         NOT NULL UNIQUE,
  network     text           NOT NULL REFERENCES payout_networks (network),
  coin        text           NOT NULL,
  -- Canonical.
  address     text           NOT NULL,
  -- Smallest units of the chain.
  units       numeric(78, 0) NOT NULL CHECK (units > 0),
  confirmations_required integer NOT NULL CHECK (confirmations_required > 0),
  state       text           NOT NULL DEFAULT 'PLANNED'
              CHECK (state IN ('PLANNED', 'SIGNED', 'BROADCAST', 'MINED', 'FINAL', 'FAILED')),
  waits_for   text           NOT NULL DEFAULT ''
              CHECK (waits_for IN ('', 'FUNDS', 'SIGNER', 'NODE', 'PAUSED', 'REFUSED_BY_SIGNER', 'FEE', 'WOULD_FAIL')),
  -- The hot wallet that pays, and its nonce: one for all attempts.
  sender      text           NOT NULL DEFAULT '',
  nonce       bigint,
  -- Of the attempt that counts: the mined one, or the last.
  transaction text,
  height      bigint,
  confirmations integer      NOT NULL DEFAULT 0,
  -- Smallest units of the chain's own coin; null until it is in a block.
  cost        numeric(78, 0),
  -- What the client has paid for it, in smallest units of the ledger; null where that was not known any more.
  charged     bigint,
  change      bigint         NOT NULL,
  created_at  bigint         NOT NULL,
  updated_at  bigint         NOT NULL,
  CHECK (state IN ('PLANNED', 'FAILED') OR nonce IS NOT NULL)
);
CREATE UNIQUE INDEX payouts_by_nonce ON payouts (network, sender, nonce) WHERE nonce IS NOT NULL;
-- One at a time has a nonce and no bytes: where the signer refuses it, its nonce goes to the next one.
CREATE UNIQUE INDEX payouts_taken ON payouts (network) WHERE state = 'PLANNED' AND nonce IS NOT NULL;
CREATE INDEX payouts_lately ON payouts (updated_at) WHERE state = 'FINAL';
CREATE INDEX payouts_open ON payouts (network, id) WHERE state NOT IN ('FINAL', 'FAILED');

-- Each attempt is fixed before the signer is asked, and its bytes are here before they are sent.
CREATE TABLE payout_attempts (
  payout      bigint  NOT NULL REFERENCES payouts (id),
  attempt     integer NOT NULL CHECK (attempt > 0),
  -- What decides the bytes beside the payment.
  terms       text    NOT NULL,
  -- Null until it was signed.
  raw         text,
  transaction text,
  -- The newest block when a node took it; null until then.
  sent_height bigint,
  PRIMARY KEY (payout, attempt),
  CHECK ((raw IS NULL) = (transaction IS NULL))
);
CREATE INDEX payout_attempts_unsigned ON payout_attempts (payout) WHERE raw IS NULL;

-- For the first statement of a transaction: what was read still holds. No line may end with a semicolon but the last.
CREATE FUNCTION hold_payout(of_id bigint, at_change bigint) RETURNS void LANGUAGE plpgsql AS
  'BEGIN
     PERFORM 1 FROM payouts WHERE id = of_id AND change = at_change FOR UPDATE
   ; IF NOT FOUND THEN RAISE EXCEPTION ''Payout % has moved on'', of_id
   ; END IF
   ; END';
CREATE FUNCTION hold_next_nonce(of_network text, at_nonce bigint) RETURNS void LANGUAGE plpgsql AS
  'BEGIN
     PERFORM 1 FROM payout_networks WHERE network = of_network AND next_nonce IS NOT DISTINCT FROM at_nonce
       AND NOT is_paused FOR UPDATE
   ; IF NOT FOUND THEN RAISE EXCEPTION ''The nonce of % has moved on'', of_network
   ; END IF
   ; END';

-- What final transactions have cost, as commands to the ledger: written before they are submitted.
CREATE TABLE payout_costs (
  sequence bigint  PRIMARY KEY,
  payout   bigint  NOT NULL UNIQUE REFERENCES payouts (id),
  asset    integer NOT NULL,
  -- Smallest units of the ledger.
  amount   bigint  NOT NULL CHECK (amount > 0),
  is_done  boolean NOT NULL DEFAULT false
);
CREATE INDEX payout_costs_due ON payout_costs (sequence) WHERE NOT is_done;

-- What chains hold of a coin against what the ledger says that they owe, as it was compared last; smallest units of the
-- ledger.
CREATE TABLE custody_checks (
  coin       text           PRIMARY KEY,
  ledger     numeric(40, 0) NOT NULL,
  chains     numeric(40, 0) NOT NULL,
  -- Payouts of the coin stand still until chains hold enough again.
  is_stopped boolean        NOT NULL,
  checked_at bigint         NOT NULL
);
