-- What was held beside what a run of the proof of liabilities says is owed. Kept for good, as the run's totals are.
CREATE TABLE reserve_statements (
  batch      bigint PRIMARY KEY REFERENCES liability_runs,
  made_at    bigint NOT NULL,
  -- JSON: addresses, blocks and units, as they were signed.
  holdings   text   NOT NULL,
  -- JSON: of each hot wallet; null until the signer has signed.
  signatures text
);
