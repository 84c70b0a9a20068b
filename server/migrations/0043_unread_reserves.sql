-- What could not be read for a statement of reserves, as a list of networks and coins in JSON: its contract has not answered.
ALTER TABLE reserve_statements ADD COLUMN unread text NOT NULL DEFAULT '[]';
