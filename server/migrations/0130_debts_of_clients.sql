-- What is taken back comes out of all wallets of a client: the amount is the whole, and the rest of it is from spot.
ALTER TABLE deposit_movements ADD COLUMN funding bigint NOT NULL DEFAULT 0 CHECK (funding >= 0);
ALTER TABLE deposit_movements ADD COLUMN future bigint NOT NULL DEFAULT 0 CHECK (future >= 0);
ALTER TABLE deposit_movements ADD CHECK (funding::numeric + future::numeric <= amount::numeric);
ALTER TABLE deposit_movements ADD CHECK (source = 2 OR (funding = 0 AND future = 0));
