-- Positions that ended with their market, for the notices to their owners.
CREATE INDEX position_changes_settled ON position_changes (id) WHERE cause = 'settlement' AND lots = 0;
