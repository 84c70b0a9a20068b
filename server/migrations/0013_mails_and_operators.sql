-- A mail that could not be sent is tried again after a while, and given up after so many attempts.
ALTER TABLE alert_firings
  ADD COLUMN mail_attempts integer NOT NULL DEFAULT 0,
  ADD COLUMN mail_after    bigint  NOT NULL DEFAULT 0;
DROP INDEX alert_firings_mail_due;
CREATE INDEX alert_firings_mail_due ON alert_firings (mail_after, id) WHERE mail_due;
CREATE INDEX alert_firings_mail_due_by_client ON alert_firings (client_id) WHERE mail_due;

-- An account without an address gets none.
UPDATE alert_firings SET mail_due = false
WHERE mail_due AND client_id IN (SELECT id FROM clients WHERE email = '');

-- How an operator sets both passwords: a link that is good once and for a day. One for each operator.
CREATE TABLE operator_links (
  client_id  bigint PRIMARY KEY REFERENCES clients (id),
  token_hash text   NOT NULL UNIQUE,
  expires_at bigint NOT NULL
);

-- What the operator command has decided and the server, which keeps sessions and keys in memory, has yet to carry out:
-- it ends them, and leaves a removed account's row without a person.
CREATE TABLE pending_revocations (
  id         bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id  bigint  NOT NULL REFERENCES clients (id),
  is_removed boolean NOT NULL
);
