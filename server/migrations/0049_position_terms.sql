-- The term that a position was opened with, all 0 without one: ms since 1970, and settlement units.
ALTER TABLE positions ADD COLUMN term_started_at bigint NOT NULL DEFAULT 0;
ALTER TABLE positions ADD COLUMN term_ends_at bigint NOT NULL DEFAULT 0;
ALTER TABLE positions ADD COLUMN term_target bigint NOT NULL DEFAULT 0;
ALTER TABLE positions ADD COLUMN term_floor bigint NOT NULL DEFAULT 0;
