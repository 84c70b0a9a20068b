-- Which key seals the secrets of these tables, as a keyed hash: a start with another one could open none of them.
CREATE TABLE secrets_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  fingerprint text NOT NULL
);
