-- Runs of the proof of liabilities. A run is of one batch of the journal; its trees are files, kept for the newest runs,
-- and with them the secret by which clients' salts and parts were made. Totals and roots are kept for good.
CREATE TABLE liability_runs (
  batch      bigint PRIMARY KEY,
  state_hash text   NOT NULL,
  commitment text   NOT NULL,
  made_at    bigint NOT NULL,
  -- Encrypted; null once the files are gone.
  secret     text
);

CREATE TABLE liability_totals (
  batch   bigint  NOT NULL REFERENCES liability_runs,
  asset   integer NOT NULL,
  coin    text    NOT NULL,
  scale   integer NOT NULL,
  total   bigint  NOT NULL CHECK (total >= 0),
  leaves  integer NOT NULL,
  clients integer NOT NULL,
  root    text    NOT NULL,
  PRIMARY KEY (batch, asset)
);
