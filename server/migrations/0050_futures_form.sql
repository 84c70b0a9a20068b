-- One row: what the form of perpetuals offers. The engine and the calls are not bound by it.
CREATE TABLE futures_form (
  only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  sells_empty boolean NOT NULL DEFAULT false
);
INSERT INTO futures_form (only_row) VALUES (true);
