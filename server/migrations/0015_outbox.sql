-- What leaves the process: mail, text messages. A row is leased while it is sent, tried again when that fails, and dead
-- when every attempt has failed. Times in ms.
CREATE TABLE outbox (
  id           bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Names the message: a second one with the same key is the same message.
  key          text    NOT NULL UNIQUE,
  channel      text    NOT NULL,
  -- An address, a number, or client:<id>.
  recipient    text    NOT NULL,
  -- What it is about, such as code or alert.
  kind         text    NOT NULL,
  -- Encrypted; empty once the message is sent or has expired.
  payload      text    NOT NULL,
  -- 1 for a message whose sender waits for the only attempt.
  max_attempts integer NOT NULL,
  attempts     integer NOT NULL DEFAULT 0,
  state        text    NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'dead')),
  error        text    NOT NULL DEFAULT '',
  created_at   bigint  NOT NULL,
  due_at       bigint  NOT NULL,
  expires_at   bigint  NOT NULL,
  leased_until bigint  NOT NULL DEFAULT 0
);
CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'waiting';
CREATE INDEX outbox_by_recipient ON outbox (recipient) WHERE state = 'waiting';
CREATE INDEX outbox_ended ON outbox (state, id) WHERE state <> 'waiting';

-- Mails of alerts go through the outbox as well.
ALTER TABLE alert_firings DROP COLUMN mail_due, DROP COLUMN mail_attempts, DROP COLUMN mail_after;
