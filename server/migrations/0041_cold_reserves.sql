-- Statements of what cold wallets hold, signed on machines without a network and brought back as files. One for an address.
CREATE TABLE cold_reserve_signatures (
  batch     bigint NOT NULL REFERENCES reserve_statements,
  address   text   NOT NULL,
  signature text   NOT NULL,
  added_at  bigint NOT NULL,
  PRIMARY KEY (batch, address)
);
