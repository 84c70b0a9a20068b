-- Snapshots of the engine's state are files of the data folder. A row says that its file is whole, and what its state
-- must be: a file of another database, or of a past that was taken back by a restore, has none.
CREATE TABLE snapshots (
  -- The last batch of the journal that the state holds.
  batch       bigint PRIMARY KEY,
  file        text   NOT NULL,
  -- 16 hexadecimal digits over all of the state.
  state_hash  text   NOT NULL,
  -- What a start weighs: how many orders the file restores, and how many came since.
  open_orders bigint NOT NULL,
  last_order  bigint NOT NULL,
  -- Ms since 1970.
  written_at  bigint NOT NULL
);
