-- Addresses and networks from which a key is good, separated by commas; empty: from anywhere.
ALTER TABLE api_keys ADD COLUMN networks text NOT NULL DEFAULT '';
