-- Instruments, fees and limits become state that commands change; an account's key gets room for 2^30 owners and 2^14
-- assets; transfers may be pending; the ledger no longer repeats what follows from trades.

-- owner × 8192 + wallet × 1024 + bucket × 256 + asset becomes ((owner × 16 + wallet) × 8 + bucket) × 16384 + asset.
CREATE FUNCTION wider_account(account bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS
  'SELECT ((account / 8192 * 16 + account % 8192 / 1024) * 8 + account % 1024 / 256) * 16384 + account % 256';

DROP VIEW ledger_entries;

CREATE TABLE wider_balances AS SELECT wider_account(account) AS account, amount FROM balances;
DROP TABLE balances;
ALTER TABLE wider_balances RENAME TO balances;
ALTER TABLE balances
  SET (fillfactor = 70),
  ADD PRIMARY KEY (account),
  ALTER COLUMN amount SET NOT NULL,
  -- Only the exchange's own accounts (owners below 100) may stand below zero.
  ADD CONSTRAINT balance_not_negative CHECK (amount >= 0 OR account < 100 * 2097152);

-- What is proven is what an owner has of an asset in a wallet, whatever the bucket: the account of bucket 0.
CREATE TABLE wider_reconciled AS
  SELECT wider_account(account) / 131072 * 131072 + account % 256 AS account, sum(amount)::bigint AS amount
  FROM reconciled_balances GROUP BY 1;
DROP TABLE reconciled_balances;
ALTER TABLE wider_reconciled RENAME TO reconciled_balances;
ALTER TABLE reconciled_balances ADD PRIMARY KEY (account), ALTER COLUMN amount SET NOT NULL;

UPDATE ledger_transactions SET accounts = ARRAY(
  SELECT wider_account(account) FROM unnest(accounts) WITH ORDINALITY AS old (account, place) ORDER BY place
);
DROP FUNCTION wider_account(bigint);

ALTER TABLE ledger_transactions
  ADD COLUMN transfer bigint NOT NULL DEFAULT 0,
  ADD COLUMN detail   text   NOT NULL DEFAULT '';

-- Trades after this one have no row in ledger_transactions: their postings follow from the trade.
CREATE TABLE ledger_origin (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  trade    bigint  NOT NULL
);
INSERT INTO ledger_origin (trade) SELECT last_trade FROM projection;

ALTER TABLE reconciliation ADD COLUMN trade bigint NOT NULL DEFAULT 0;
UPDATE reconciliation SET trade = (SELECT trade FROM ledger_origin);

ALTER TABLE projection ADD COLUMN last_transfer bigint NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN self_trade smallint NOT NULL DEFAULT 0;
ALTER TABLE market_states ADD COLUMN delisted boolean NOT NULL DEFAULT false;
ALTER TABLE assets DROP CONSTRAINT assets_id_check, ADD CHECK (id BETWEEN 0 AND 16383);

-- Default fees in parts per million, and how many orders there may be. Empty until the commands have set them; an
-- exchange of before has what its code said.
CREATE TABLE exchange_settings (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  maker_ppm integer NOT NULL,
  taker_ppm integer NOT NULL,
  maximum_open_orders integer NOT NULL,
  maximum_untriggered_orders integer NOT NULL,
  maximum_untriggered_orders_in_market integer NOT NULL
);
INSERT INTO exchange_settings (maker_ppm, taker_ppm, maximum_open_orders, maximum_untriggered_orders,
                               maximum_untriggered_orders_in_market)
SELECT 800, 1000, 4194304, 50, 20000 WHERE EXISTS (SELECT FROM markets);

-- Transfers that are reserved and neither posted nor voided.
CREATE TABLE pending_transfers (
  id        bigint   PRIMARY KEY,
  reason    text     NOT NULL,
  reference bigint   NOT NULL,
  payers    bigint[] NOT NULL,
  receivers bigint[] NOT NULL,
  amounts   bigint[] NOT NULL,
  detail    text     NOT NULL
);

-- The last sequence of each source of commands.
CREATE TABLE command_sources (
  source   integer PRIMARY KEY,
  sequence bigint  NOT NULL
);

-- What the rules were, and what the batch led to: replay stops where it leads to anything else. Rows of before have none.
ALTER TABLE journal ADD COLUMN version smallint NOT NULL DEFAULT 1, ADD COLUMN digest text;

-- Batches that left the journal, in segments of gzip over lines of JSON, for whoever follows or audits it.
CREATE TABLE journal_archive (
  first_batch bigint PRIMARY KEY,
  last_batch  bigint NOT NULL,
  segment     bytea  NOT NULL
);

-- Sums of a client's trades of a day (UTC, days since 1970), which the wallet's overview reads at every poll.
CREATE TABLE daily_trades (
  owner      bigint   NOT NULL,
  day        integer  NOT NULL,
  market     smallint NOT NULL,
  side       smallint NOT NULL,
  lots       bigint   NOT NULL,
  ticks_lots numeric(40, 0) NOT NULL,
  fee        numeric(40, 0) NOT NULL,
  PRIMARY KEY (owner, day, market, side)
) WITH (fillfactor = 70);
INSERT INTO daily_trades (owner, day, market, side, lots, ticks_lots, fee)
SELECT owner, day, market, side, sum(quantity), sum(price::numeric * quantity), sum(fee)
FROM (
  SELECT maker_owner AS owner, time / 86400000 AS day, market, 1 - taker_side AS side, quantity, price, maker_fee AS fee
  FROM trades WHERE time >= extract(epoch FROM now())::bigint * 1000 - 172800000
  UNION ALL
  SELECT taker_owner, time / 86400000, market, taker_side, quantity, price, taker_fee
  FROM trades WHERE time >= extract(epoch FROM now())::bigint * 1000 - 172800000
) AS sides GROUP BY owner, day, market, side;

-- Every posting: of transfers as they are stored, of trades as they follow from the trade.
CREATE VIEW ledger_entries AS
SELECT batch, sequence, reason, reference, time, account, amount,
       account / 2097152          AS owner,
       account % 2097152 / 131072 AS wallet,
       account % 131072 / 16384   AS bucket,
       account % 16384            AS asset
FROM ledger_transactions, unnest(accounts, amounts) AS entry (account, amount);

UPDATE orders SET self_trade = conditional_orders.self_trade
FROM conditional_orders WHERE orders.id = conditional_orders.id;
ALTER TABLE conditional_orders DROP COLUMN self_trade;
