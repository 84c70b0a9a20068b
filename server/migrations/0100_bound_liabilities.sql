-- Leaves of version 1 named a client by a number that the exchange alone knows, so one leaf could be shown to several
-- clients. The runs of that version keep totals and commitments; they are closed, since their proofs prove too little.
ALTER TABLE liability_runs ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE liability_runs ALTER COLUMN version DROP DEFAULT;
UPDATE liability_runs SET secret = NULL;
