-- Positions in perpetual markets as they are, with leverage that was chosen where nothing is open (direction 0). Money in
-- settlement units, times in ms.
CREATE TABLE positions (
  owner         bigint   NOT NULL,
  market        smallint NOT NULL,
  direction     smallint NOT NULL CHECK (direction IN (-1, 0, 1)),
  lots          bigint   NOT NULL CHECK (lots >= 0),
  cost          bigint   NOT NULL,
  margin        bigint   NOT NULL CHECK (margin >= 0),
  leverage      smallint NOT NULL,
  is_isolated   boolean  NOT NULL,
  funding_index numeric  NOT NULL,
  -- When the position was opened; of nothing, when it was closed.
  since         bigint   NOT NULL,
  PRIMARY KEY (owner, market)
);

-- Each change of a client's position. Ids of this table and the next two are one order: batch × 2^20 + place in the batch.
CREATE TABLE position_changes (
  id          bigint   PRIMARY KEY,
  owner       bigint   NOT NULL,
  market      smallint NOT NULL,
  time        bigint   NOT NULL,
  cause       text     NOT NULL,
  -- 0 for a change without a trade.
  trade       bigint   NOT NULL,
  direction   smallint NOT NULL,
  lots        bigint   NOT NULL,
  -- Signed lots afterwards less those before.
  lots_change bigint   NOT NULL,
  cost        bigint   NOT NULL,
  margin      bigint   NOT NULL,
  leverage    smallint NOT NULL,
  is_isolated boolean  NOT NULL,
  realised    bigint   NOT NULL,
  fee         bigint   NOT NULL,
  funding     bigint   NOT NULL
);
CREATE INDEX position_changes_of_owner ON position_changes (owner, id);
CREATE INDEX position_changes_of_market ON position_changes (owner, market, id);

-- Positions that were liquidated, and those that were closed against them (`against` is the liquidated owner, else 0; their
-- price is the closing price, else it is the mark).
CREATE TABLE position_liquidations (
  id        bigint   PRIMARY KEY,
  owner     bigint   NOT NULL,
  against   bigint   NOT NULL,
  market    smallint NOT NULL,
  time      bigint   NOT NULL,
  direction smallint NOT NULL,
  lots      bigint   NOT NULL,
  price     bigint   NOT NULL,
  value     bigint   NOT NULL,
  equity    bigint   NOT NULL,
  required  bigint   NOT NULL
);
CREATE INDEX position_liquidations_of_owner ON position_liquidations (owner, id);

-- Rates in parts per billion; prices in ticks. What each client has paid follows from this and from the changes before it.
CREATE TABLE funding_settlements (
  id          bigint   PRIMARY KEY,
  market      smallint NOT NULL,
  time        bigint   NOT NULL,
  rate        bigint   NOT NULL,
  mark        bigint   NOT NULL
);
CREATE INDEX funding_settlements_of_market ON funding_settlements (market, id);

-- How the mark and the funding of a perpetual came about: `PerpetualState` of the core.
CREATE TABLE perpetual_states (
  market          smallint PRIMARY KEY,
  index_price     bigint   NOT NULL,
  index_at        bigint   NOT NULL,
  basis_times     bigint[] NOT NULL,
  basis_ticks     bigint[] NOT NULL,
  premium_sum     numeric  NOT NULL,
  premium_count   integer  NOT NULL,
  sampled_at      bigint   NOT NULL,
  next_funding_at bigint   NOT NULL,
  funding_index   numeric  NOT NULL
);

-- What the insurance had at the end of each day (UTC) on which that changed; the day begins at `day`.
CREATE TABLE insurance_days (
  asset   smallint NOT NULL,
  day     bigint   NOT NULL,
  balance bigint   NOT NULL,
  PRIMARY KEY (asset, day)
);

-- Which warning of a margin call a client has had last, so that it comes once until the position has recovered.
CREATE TABLE margin_calls (
  owner   bigint   NOT NULL,
  -- 0 for all cross positions of the wallet together; else the isolated position's market + 1.
  account integer  NOT NULL,
  level   smallint NOT NULL,
  time    bigint   NOT NULL,
  PRIMARY KEY (owner, account)
);
