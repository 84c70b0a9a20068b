-- The journal is the one commit of the exchange: a batch of commands, acknowledged once its row is here.
-- Everything below it is a projection that the same database holds a few milliseconds behind, exactly once.

CREATE TABLE journal (
  batch      bigint PRIMARY KEY CHECK (batch > 0),
  -- The process that wrote it; a second writer finds its number taken and stops.
  writer     text   NOT NULL,
  time       bigint NOT NULL,
  commands   text   NOT NULL
);

-- How far the tables have come, and the counters from which ids go on. One row.
CREATE TABLE projection (
  only_row      boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  batch         bigint  NOT NULL,
  last_order    bigint  NOT NULL,
  last_trade    bigint  NOT NULL,
  last_priority bigint  NOT NULL
);
INSERT INTO projection (batch, last_order, last_trade, last_priority) VALUES (0, 0, 0, 0);

-- side: 0 buy, 1 sell. type: 0 limit, 1 market. time_in_force: 0 GTC, 1 IOC, 2 FOK, 3 POST_ONLY.
-- state: 0 open, 1 filled, 2 cancelled. Prices in ticks, quantities in lots, money in smallest units (the core
-- never lets an amount leave 64 bits), times in ms.
CREATE TABLE orders (
  id            bigint   PRIMARY KEY,
  owner         bigint   NOT NULL,
  market        smallint NOT NULL,
  side          smallint NOT NULL,
  type          smallint NOT NULL,
  time_in_force smallint NOT NULL,
  price         bigint   NOT NULL,
  quantity      bigint   NOT NULL,
  quote_total   bigint NOT NULL,
  remaining     bigint   NOT NULL,
  filled        bigint   NOT NULL,
  filled_quote  bigint NOT NULL,
  fee           bigint NOT NULL,
  fee_credit    bigint NOT NULL,
  state         smallint NOT NULL,
  reason        text     NOT NULL,
  priority      bigint   NOT NULL,
  created_at    bigint   NOT NULL,
  updated_at    bigint   NOT NULL,
  CHECK (filled >= 0 AND remaining >= 0)
) WITH (fillfactor = 80);
CREATE INDEX orders_open ON orders (owner, id) WHERE state = 0;
CREATE INDEX orders_by_owner ON orders (owner, id);

CREATE TABLE trades (
  id           bigint   PRIMARY KEY,
  market       smallint NOT NULL,
  price        bigint   NOT NULL,
  quantity     bigint   NOT NULL,
  taker_side   smallint NOT NULL,
  maker_order  bigint   NOT NULL,
  taker_order  bigint   NOT NULL,
  maker_owner  bigint   NOT NULL,
  taker_owner  bigint   NOT NULL,
  maker_fee    bigint NOT NULL,
  taker_fee    bigint NOT NULL,
  maker_credit bigint NOT NULL,
  taker_credit bigint NOT NULL,
  time         bigint   NOT NULL
);
CREATE INDEX trades_by_market ON trades (market, id);
CREATE INDEX trades_by_maker ON trades (maker_owner, id);
CREATE INDEX trades_by_taker ON trades (taker_owner, id);
-- Time only ever grows with the id, so a block range index finds a day cheaply.
CREATE INDEX trades_by_time ON trades USING brin (time);

-- Double entry, append only, one compact row for each ledger transaction. An account key packs
-- owner × 8192 + wallet × 1024 + bucket × 256 + asset; the view below takes it apart.
CREATE TABLE ledger_transactions (
  batch     bigint   NOT NULL,
  sequence  integer  NOT NULL,
  reason    text     NOT NULL,
  reference bigint   NOT NULL,
  accounts  bigint[] NOT NULL,
  amounts   bigint[] NOT NULL,
  time      bigint   NOT NULL,
  PRIMARY KEY (batch, sequence),
  CHECK (cardinality(accounts) = cardinality(amounts))
);

-- Money that came or went, by whom: few rows, asked for by account.
CREATE INDEX ledger_funds ON ledger_transactions USING gin (accounts)
  WHERE reason NOT IN ('order-holds', 'trade');

CREATE VIEW ledger_entries AS
SELECT batch, sequence, reason, reference, time, account, amount,
       account / 8192          AS owner,
       account % 8192 / 1024   AS wallet,
       account % 1024 / 256    AS bucket,
       account % 256           AS asset
FROM ledger_transactions, unnest(accounts, amounts) AS entry (account, amount);

-- Only the exchange's own accounts (owners below 100) may stand below zero.
CREATE TABLE balances (
  account bigint PRIMARY KEY,
  amount  bigint NOT NULL,
  CONSTRAINT balance_not_negative CHECK (amount >= 0 OR account < 100 * 8192)
) WITH (fillfactor = 70);

-- What the reconciler has already proven: the balances as they stood after `batch`.
CREATE TABLE reconciled_balances (
  account bigint PRIMARY KEY,
  amount  bigint NOT NULL
);
CREATE TABLE reconciliation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  batch    bigint NOT NULL
);
INSERT INTO reconciliation (batch) VALUES (0);

CREATE TABLE market_states (
  market     smallint PRIMARY KEY,
  last_price bigint  NOT NULL,
  halted     boolean NOT NULL,
  traded     boolean NOT NULL
);

CREATE TABLE fee_rates (
  owner     bigint  PRIMARY KEY,
  maker_ppm integer NOT NULL,
  taker_ppm integer NOT NULL
);

CREATE TABLE idempotency_keys (
  owner       bigint NOT NULL,
  key         text   NOT NULL,
  fingerprint text   NOT NULL,
  order_id    bigint NOT NULL,
  batch       bigint NOT NULL,
  -- Empty when the command was accepted.
  reason      text   NOT NULL,
  time        bigint NOT NULL,
  PRIMARY KEY (owner, key)
);
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (time);

CREATE TABLE alarms (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind         text   NOT NULL,
  detail       text   NOT NULL,
  raised_at    bigint NOT NULL,
  -- The same finding raises one alarm until somebody has seen it.
  acknowledged_at bigint
);
CREATE UNIQUE INDEX alarms_open ON alarms (kind, md5(detail)) WHERE acknowledged_at IS NULL;

CREATE TABLE clients (
  id                   bigint GENERATED ALWAYS AS IDENTITY (START WITH 1000) PRIMARY KEY,
  email                text   NOT NULL,
  email_key            text   NOT NULL UNIQUE,
  password_hash        text   NOT NULL,
  transaction_password_hash text NOT NULL,
  mobile_number        text   NOT NULL DEFAULT '',
  referral             text   NOT NULL DEFAULT '',
  unique_id            text   NOT NULL UNIQUE,
  role                 text   NOT NULL DEFAULT 'client' CHECK (role IN ('client', 'operator')),
  status               text   NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'FREEZE_ACCOUNT')),
  created_at           bigint NOT NULL
);

CREATE TABLE verification_codes (
  email_key  text   NOT NULL,
  purpose    text   NOT NULL,
  code_hash  text   NOT NULL,
  tries_left integer NOT NULL,
  sent_at    bigint NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (email_key, purpose)
);

CREATE TABLE sessions (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_hash text   NOT NULL UNIQUE,
  client_id  bigint NOT NULL REFERENCES clients (id),
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  user_agent text   NOT NULL,
  address    text   NOT NULL,
  trading_unlocked_until bigint NOT NULL DEFAULT 0
);
CREATE INDEX sessions_by_client ON sessions (client_id);
