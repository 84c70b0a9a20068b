-- What it takes to send a coin by a network; null where coins only come in by it.
ALTER TABLE coin_networks
  -- The least amount, fee included.
  ADD COLUMN withdraw_minimum       text CHECK (withdraw_minimum ~ '^\d+(\.\d+)?$'),
  ADD COLUMN withdraw_fee           text CHECK (withdraw_fee ~ '^\d+(\.\d+)?$'),
  -- Minutes, as people are told them; null where the chain's own estimate is.
  ADD COLUMN withdraw_arrival       text,
  -- Confirmations at which a withdrawal is settled.
  ADD COLUMN withdraw_confirmations integer CHECK (withdraw_confirmations > 0);

UPDATE coin_networks
SET withdraw_minimum = figure.minimum, withdraw_fee = figure.fee, withdraw_arrival = figure.arrival,
    withdraw_confirmations = figure.confirmations
FROM (VALUES
  ('USDT', 'TRC20', '10', '1', '2', 1),
  ('USDC', 'TRC20', '10', '1', '2', 1),
  ('USDT', 'ERC20', '30', '20', '5', 6),
  ('USDC', 'ERC20', '30', '20', '5', 6),
  ('ETH', 'ERC20', '0.01', '0.0025', NULL, 64),
  ('BTC', 'BTC', '0.0001', '0.000068', NULL, 64)
) AS figure (coin, network, minimum, fee, arrival, confirmations)
WHERE coin_networks.coin = figure.coin AND coin_networks.network = figure.network;

ALTER TABLE coin_networks ADD CHECK (
  (withdraw_minimum IS NULL) = (withdraw_fee IS NULL)
  AND (withdraw_minimum IS NULL) = (withdraw_confirmations IS NULL)
);

CREATE TABLE withdrawals (
  id            bigint   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner         bigint   NOT NULL,
  coin          text     NOT NULL,
  asset         integer  NOT NULL,
  network       text     NOT NULL,
  -- In the spelling by which it is looked up.
  address       text     NOT NULL,
  -- Smallest units of the ledger: what leaves the balance, and what of it is the fee.
  amount        bigint   NOT NULL CHECK (amount > 0),
  fee           bigint   NOT NULL CHECK (fee >= 0 AND fee < amount),
  -- Worth in the smallest units of the quote asset when it was requested: limits of 24 hours add it up.
  worth         bigint   NOT NULL CHECK (worth >= 0),
  -- The client whose deposit address it goes to; null where it leaves by the chain.
  receiver      bigint,
  stage         text     NOT NULL CHECK (stage IN ('REQUESTED', 'APPROVAL', 'APPROVED', 'SIGNING', 'BROADCAST',
                                                   'CONFIRMED', 'SETTLED', 'REFUSED', 'CANCELLED', 'FAILED')),
  -- How it ends in the ledger: written before the ledger is told, so that a restart carries out the same.
  decision      text     NOT NULL DEFAULT '' CHECK (decision IN ('', 'post', 'void')),
  -- The pending transfer that holds the amount; null until the ledger has it.
  transfer      bigint   UNIQUE,
  -- Why an operator looks at it, and how many must approve.
  reasons       text[]   NOT NULL DEFAULT '{}',
  approvals_required smallint NOT NULL DEFAULT 0 CHECK (approvals_required BETWEEN 0 AND 2),
  -- Why it was refused or has failed: a text with its values, or an operator's own words.
  reason        jsonb,
  -- The client's Idempotency-Key and what was asked under it.
  intent_key    text,
  intent        text,
  -- Of the chain, as far as they are known.
  transaction   text,
  confirmations integer  NOT NULL DEFAULT 0,
  confirmations_required integer NOT NULL DEFAULT 0,
  requested_at  bigint   NOT NULL,
  updated_at    bigint   NOT NULL
);
CREATE INDEX withdrawals_by_owner ON withdrawals (owner, id);
CREATE INDEX withdrawals_by_address ON withdrawals (owner, network, address);
CREATE INDEX withdrawals_lately ON withdrawals (owner, requested_at);
CREATE INDEX withdrawals_open ON withdrawals (id) WHERE stage NOT IN ('SETTLED', 'REFUSED', 'CANCELLED', 'FAILED');
CREATE UNIQUE INDEX withdrawals_by_intent ON withdrawals (owner, intent_key) WHERE intent_key IS NOT NULL;

-- Everything that has happened to a withdrawal. Rows are only added.
CREATE TABLE withdrawal_events (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  withdrawal bigint NOT NULL REFERENCES withdrawals (id),
  stage      text   NOT NULL,
  at         bigint NOT NULL,
  actor      text   NOT NULL CHECK (actor IN ('CLIENT', 'EXCHANGE', 'OPERATOR', 'CHAIN')),
  -- The operator or client; null for the others.
  actor_id   bigint,
  -- A text with its values.
  detail     jsonb  NOT NULL
);
CREATE INDEX withdrawal_events_by_withdrawal ON withdrawal_events (withdrawal, id);

-- Who has approved: an operator counts once.
CREATE TABLE withdrawal_approvals (
  withdrawal bigint NOT NULL REFERENCES withdrawals (id),
  operator   bigint NOT NULL,
  at         bigint NOT NULL,
  PRIMARY KEY (withdrawal, operator)
);

-- Addresses that nothing is sent to. Development adds two of its own.
CREATE TABLE fraudulent_addresses (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  network  text   NOT NULL,
  address  text   NOT NULL,
  note     text   NOT NULL,
  added_at bigint NOT NULL,
  UNIQUE (network, address)
);

-- What decides whether an operator looks at a withdrawal. Amounts are USDT.
CREATE TABLE withdrawal_policy (
  only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  approval_usdt  text    NOT NULL CHECK (approval_usdt ~ '^\d+(\.\d+)?$'),
  four_eyes_usdt text    NOT NULL CHECK (four_eyes_usdt ~ '^\d+(\.\d+)?$'),
  hourly_count   integer NOT NULL CHECK (hourly_count > 0),
  median_factor  integer NOT NULL CHECK (median_factor > 1)
);
INSERT INTO withdrawal_policy (approval_usdt, four_eyes_usdt, hourly_count, median_factor) VALUES ('10000', '100000', 10, 20);
