-- Transfers between a client's own wallets. The money is in the ledger; a row says what confirms it and how far that is.
-- wallets: 0 spot, 1 future, 2 funding. state: 0 pending, 1 completed, 2 reversed.
CREATE TABLE transfers (
  -- The ledger's own transfer id.
  id          bigint   PRIMARY KEY,
  owner       bigint   NOT NULL,
  from_wallet smallint NOT NULL,
  to_wallet   smallint NOT NULL,
  asset       integer  NOT NULL,
  amount      bigint   NOT NULL CHECK (amount > 0),
  -- The batch of the journal that reserved the amount.
  batch       bigint   NOT NULL,
  -- How many witnesses must confirm it, and when each did: ms since 1970 by name.
  required    smallint NOT NULL CHECK (required > 0),
  confirmed   jsonb    NOT NULL DEFAULT '{}',
  -- Written before the ledger is told, so that a restart carries out the same: empty, post or void.
  decision    text     NOT NULL DEFAULT '' CHECK (decision IN ('', 'post', 'void')),
  -- Why it was voided.
  reason      text     NOT NULL DEFAULT '',
  state       smallint NOT NULL DEFAULT 0,
  created_at  bigint   NOT NULL,
  updated_at  bigint   NOT NULL,
  CHECK (from_wallet <> to_wallet),
  CHECK (state = 0 OR decision <> '')
);
CREATE INDEX transfers_by_owner ON transfers (owner, id);
CREATE INDEX transfers_pending ON transfers (id) WHERE state = 0;
