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
