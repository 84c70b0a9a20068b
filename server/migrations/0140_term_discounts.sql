-- What the term of a position takes off the fees of closing after its end, in settlement units; 0 without one.
ALTER TABLE positions ADD COLUMN term_discount bigint NOT NULL DEFAULT 0;
