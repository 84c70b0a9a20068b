-- What operators have said of the server's clock. `accepted` grows with each acceptance of a clock that was set forward. Batches up to
-- `set_back_after` were written by a clock that was ahead: the next ones may have earlier times.
CREATE TABLE clock (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  accepted bigint NOT NULL DEFAULT 0,
  set_back_after bigint NOT NULL DEFAULT 0
);
INSERT INTO clock DEFAULT VALUES;
