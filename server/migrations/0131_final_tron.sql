-- A block of TRON is taken back in an instant and final a minute later: a deposit is credited once its block is final.
-- An operator's own figure stays.
UPDATE coin_networks SET credited_at = unlocked_at WHERE network = 'TRC20' AND credited_at = 1;
