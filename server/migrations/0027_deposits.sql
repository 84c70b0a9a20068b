-- Coins as they travel by networks, and what comes in by them.

-- A coin on a network. Texts and figures are the operator's to change; decimals are text, since a chain may have more of
-- them than the ledger.
CREATE TABLE coin_networks (
  coin            text     NOT NULL,
  network         text     NOT NULL CHECK (network IN ('TRC20', 'ERC20', 'BEP20', 'BTC')),
  -- The order in which they are shown.
  position        smallint NOT NULL,
  name            text     NOT NULL,
  -- Minutes, as people are told them.
  arrival         text     NOT NULL,
  -- Confirmations, as people are told them.
  confirmation    integer  NOT NULL CHECK (confirmation > 0),
  minimum         text     NOT NULL CHECK (minimum ~ '^\d+(\.\d+)?$'),
  gas_fee         text     NOT NULL CHECK (gas_fee ~ '^\d+(\.\d+)?$'),
  -- The least that is credited.
  deposit_minimum text     NOT NULL CHECK (deposit_minimum ~ '^\d+(\.\d+)?$'),
  -- Confirmations at which an amount is credited, and at which it may leave again.
  credited_at     integer  NOT NULL CHECK (credited_at > 0),
  unlocked_at     integer  NOT NULL CHECK (unlocked_at >= credited_at),
  -- Decimals of the coin's smallest unit on this chain.
  chain_scale     smallint NOT NULL CHECK (chain_scale BETWEEN 0 AND 30),
  -- Of the token; null for the chain's own coin.
  contract        text,
  PRIMARY KEY (coin, network)
);
CREATE UNIQUE INDEX coin_networks_by_contract ON coin_networks (network, coalesce(lower(contract), ''));

INSERT INTO coin_networks (coin, network, position, name, arrival, confirmation, minimum, gas_fee, deposit_minimum,
  credited_at, unlocked_at, chain_scale, contract) VALUES
  ('USDT', 'TRC20', 0, 'Tron (TRC20)', '2', 1, '0.01', '0', '1', 1, 20, 6, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'),
  ('USDT', 'ERC20', 1, 'Ethereum (ERC20)', '4–5', 6, '0.01', '0', '1', 6, 64, 6, '0xdAC17F958D2ee523a2206206994597C13D831ec7'),
  ('USDT', 'BEP20', 2, 'BNB Smart Chain (BEP20)', '4–5', 6, '0.01', '0', '1', 15, 15, 18, '0x55d398326f99059fF775485246999027B3197955'),
  ('USDC', 'TRC20', 3, 'Tron (TRC20)', '2', 1, '0.01', '0', '1', 1, 20, 6, 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8'),
  ('USDC', 'ERC20', 4, 'Ethereum (ERC20)', '4–5', 6, '0.01', '0', '1', 6, 64, 6, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
  ('USDC', 'BEP20', 5, 'BNB Smart Chain (BEP20)', '4–5', 6, '0.01', '0', '1', 15, 15, 18, '0x8AC76a51cc950d9822D68b83fE1Ad97Cd580d32d'),
  ('ETH', 'ERC20', 6, 'Ethereum (ERC20)', '4–5', 6, '0.000000001', '0', '0.0013', 6, 64, 18, NULL),
  ('BTC', 'BTC', 7, 'Bitcoin', '5', 6, '0.001', '0', '0.0013', 6, 6, 8, NULL);

-- Which key of the exchange's tree is a client's, in every family of addresses. A number is never given twice.
CREATE TABLE deposit_keys (
  client_id bigint  PRIMARY KEY,
  key_index integer NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE
);

-- Addresses that were shown. They stay when their client leaves: what comes to them is never another client's.
CREATE TABLE deposit_addresses (
  family     text   NOT NULL CHECK (family IN ('EVM', 'BTC', 'TRON')),
  -- In the spelling by which it is looked up: lower case where the chain does not tell them apart.
  address    text   NOT NULL,
  client_id  bigint NOT NULL REFERENCES deposit_keys (client_id),
  created_at bigint NOT NULL,
  PRIMARY KEY (family, address),
  UNIQUE (family, client_id)
);

-- How far each chain was read.
CREATE TABLE chain_cursors (
  network       text   PRIMARY KEY,
  height        bigint NOT NULL,
  hash          text   NOT NULL,
  -- What stops the reading: PAUSED by an operator, SPLIT where no common block was found.
  stopped       text   NOT NULL DEFAULT '' CHECK (stopped IN ('', 'PAUSED', 'SPLIT')),
  -- The greatest height that was read. What a branch had and the chain no longer has is decided once the chain that took
  -- its place was read as far.
  highest       bigint NOT NULL,
  updated_at    bigint NOT NULL
);

-- The last blocks that were read, to find where a new branch begins.
CREATE TABLE chain_blocks (
  network text   NOT NULL REFERENCES chain_cursors (network),
  height  bigint NOT NULL,
  hash    text   NOT NULL,
  parent  text   NOT NULL,
  PRIMARY KEY (network, height)
);

-- For the first statement of a transaction: fails unless a chain was read up to this block and no further. No line may end
-- with a semicolon but the last.
CREATE FUNCTION hold_chain_cursor(of_network text, at_hash text) RETURNS void LANGUAGE plpgsql AS
  'BEGIN
     PERFORM 1 FROM chain_cursors WHERE network = of_network AND hash = at_hash FOR UPDATE
   ; IF NOT FOUND THEN RAISE EXCEPTION ''The cursor of % has moved'', of_network
   ; END IF
   ; END';

CREATE TABLE deposits (
  id          bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner       bigint         NOT NULL,
  coin        text           NOT NULL,
  asset       integer        NOT NULL,
  network     text           NOT NULL,
  address     text           NOT NULL,
  transaction text           NOT NULL,
  -- Which of the transaction's payments it is.
  output      text           NOT NULL,
  -- Smallest units of the chain.
  units       numeric(78, 0) NOT NULL CHECK (units > 0),
  -- Smallest units of the ledger: what the units come to, and once credited what was credited.
  amount      bigint         NOT NULL CHECK (amount >= 0),
  -- Its block in the chain as it is now; null while no block of the chain has it.
  height      bigint,
  state       text           NOT NULL
              CHECK (state IN ('SEEN', 'CREDITED', 'UNLOCKED', 'BELOW_MINIMUM', 'REVERSED')),
  is_below    boolean        NOT NULL,
  -- The ledger refused it: an operator looks at it.
  is_refused  boolean        NOT NULL DEFAULT false,
  seen_at     bigint         NOT NULL,
  updated_at  bigint         NOT NULL,
  -- A transaction that is mined again may do something else: then it is another deposit.
  UNIQUE (network, transaction, output, address, coin, units)
);
CREATE INDEX deposits_by_owner ON deposits (owner, id);
CREATE INDEX deposits_open ON deposits (network, height) WHERE state IN ('SEEN', 'CREDITED');
CREATE INDEX deposits_by_height ON deposits (network, height);
CREATE INDEX deposits_lost ON deposits (network) WHERE height IS NULL AND state <> 'REVERSED';

-- What the chain has at an address beyond the ledger's decimals. Below zero where a credit that it had completed was
-- taken back.
CREATE TABLE deposit_dust (
  network text           NOT NULL,
  address text           NOT NULL,
  coin    text           NOT NULL,
  units   numeric(78, 0) NOT NULL,
  PRIMARY KEY (network, address, coin)
);

-- What was credited, is no longer in the chain, and had been spent.
CREATE TABLE deposit_debts (
  owner  bigint  NOT NULL,
  asset  integer NOT NULL,
  amount bigint  NOT NULL CHECK (amount > 0),
  PRIMARY KEY (owner, asset)
);

-- Commands to the ledger by their source and sequence, written before they are submitted.
-- source 1: credits, with their deposit; source 2: amounts taken back.
CREATE TABLE deposit_movements (
  source   smallint NOT NULL CHECK (source IN (1, 2)),
  sequence bigint   NOT NULL,
  deposit  bigint   REFERENCES deposits (id),
  owner    bigint   NOT NULL,
  asset    integer  NOT NULL,
  amount   bigint   NOT NULL CHECK (amount > 0),
  is_done  boolean  NOT NULL DEFAULT false,
  PRIMARY KEY (source, sequence),
  CHECK ((source = 1) = (deposit IS NOT NULL))
);
CREATE INDEX deposit_movements_due ON deposit_movements (source, sequence) WHERE NOT is_done;
-- A deposit is under way to the ledger once at a time.
CREATE UNIQUE INDEX deposit_movements_under_way ON deposit_movements (deposit) WHERE NOT is_done AND deposit IS NOT NULL;

-- What came to an address of ours and is not credited by itself: a token that is not listed, or an amount that the
-- ledger cannot hold.
CREATE TABLE unlisted_deposits (
  network     text           NOT NULL,
  transaction text           NOT NULL,
  output      text           NOT NULL,
  address     text           NOT NULL,
  owner       bigint         NOT NULL,
  contract    text           NOT NULL,
  units       numeric(78, 0) NOT NULL,
  height      bigint         NOT NULL,
  seen_at     bigint         NOT NULL,
  PRIMARY KEY (network, transaction, output)
);
CREATE INDEX unlisted_deposits_by_address ON unlisted_deposits (network, address);
