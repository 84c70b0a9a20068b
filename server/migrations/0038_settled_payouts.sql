-- Those that are looked after until no chain replaces their blocks.
CREATE INDEX payouts_settled ON payouts (network, height) WHERE state = 'FINAL';
