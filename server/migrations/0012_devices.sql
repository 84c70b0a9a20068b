-- Browsers in which an account was signed in to: a request with such a secret is not slowed by what strangers guess.
CREATE TABLE devices (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id    bigint NOT NULL REFERENCES clients (id),
  secret_hash  text   NOT NULL,
  created_at   bigint NOT NULL,
  last_used_at bigint NOT NULL,
  expires_at   bigint NOT NULL,
  -- One browser has one secret for all of its accounts.
  UNIQUE (secret_hash, client_id)
);
CREATE INDEX devices_by_client ON devices (client_id);

-- A code belongs to its asker, a network or a device: other askers share a separate number of tries, and a code that a
-- stranger asks for leaves this one good. Empty for a signed-in client.
ALTER TABLE verification_codes
  ADD COLUMN asker               text    NOT NULL DEFAULT '',
  ADD COLUMN tries_elsewhere_left integer NOT NULL DEFAULT 5;
ALTER TABLE verification_codes DROP CONSTRAINT verification_codes_pkey;
ALTER TABLE verification_codes ADD PRIMARY KEY (email_key, purpose, asker);
