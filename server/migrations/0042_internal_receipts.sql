-- What a client was sent by another one within the exchange: no chain has seen it. Its ids are of the sequence of deposits,
-- so that both are read as one list, newest first.
CREATE TABLE internal_receipts (
  id          bigint  PRIMARY KEY DEFAULT nextval(pg_get_serial_sequence('deposits', 'id')),
  -- The sender's.
  withdrawal  bigint  NOT NULL UNIQUE,
  owner       bigint  NOT NULL,
  coin        text    NOT NULL,
  asset       integer NOT NULL,
  network     text    NOT NULL,
  address     text    NOT NULL,
  -- Smallest units of the ledger, what has arrived.
  amount      bigint  NOT NULL CHECK (amount > 0),
  received_at bigint  NOT NULL
);

CREATE INDEX internal_receipts_by_owner ON internal_receipts (owner, id);

INSERT INTO internal_receipts (withdrawal, owner, coin, asset, network, address, amount, received_at)
SELECT id, receiver, coin, asset, network, address, amount - fee, updated_at
FROM withdrawals WHERE receiver IS NOT NULL AND stage = 'SETTLED' ORDER BY updated_at, id;
