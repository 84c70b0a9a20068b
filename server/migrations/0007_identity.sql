-- Who a client is and what he chose for himself. `mobile_key` is E.164; while `mobile_verified_at` is null it was only
-- claimed. A hash that is empty was never set, as with an account that came by wallet.
ALTER TABLE clients
  ADD COLUMN verified             boolean NOT NULL DEFAULT false,
  ADD COLUMN provider             text    NOT NULL DEFAULT 'email',
  ADD COLUMN locale               text    NOT NULL DEFAULT 'en',
  ADD COLUMN mobile_verified_at   bigint,
  ADD COLUMN name                 text    NOT NULL DEFAULT '',
  ADD COLUMN gender               text    NOT NULL DEFAULT '',
  ADD COLUMN date_of_birth        text    NOT NULL DEFAULT '',
  ADD COLUMN address              text    NOT NULL DEFAULT '',
  ADD COLUMN anti_phishing_code   text    NOT NULL DEFAULT '',
  ADD COLUMN withdraw_limit       integer CHECK (withdraw_limit IN (500, 1000, 1500)),
  ADD COLUMN one_step             boolean NOT NULL DEFAULT false,
  ADD COLUMN whitelist_only       boolean NOT NULL DEFAULT false,
  ADD COLUMN freeze_reason        text    NOT NULL DEFAULT '',
  ADD COLUMN frozen_until         bigint,
  ADD COLUMN deletion_at          bigint,
  ADD COLUMN deleted_at           bigint;
-- What was once taken as it was typed is no number that anybody can be found by.
UPDATE clients SET mobile_number = '';
CREATE UNIQUE INDEX clients_by_mobile ON clients (mobile_number) WHERE mobile_number <> '';

ALTER TABLE sessions
  ADD COLUMN way          text   NOT NULL DEFAULT 'password',
  ADD COLUMN place        text   NOT NULL DEFAULT '',
  ADD COLUMN last_used_at bigint NOT NULL DEFAULT 0;

CREATE TABLE sign_ins (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id  bigint NOT NULL REFERENCES clients (id),
  at         bigint NOT NULL,
  way        text   NOT NULL,
  outcome    text   NOT NULL,
  user_agent text   NOT NULL,
  address    text   NOT NULL,
  place      text   NOT NULL
);
CREATE INDEX sign_ins_by_client ON sign_ins (client_id, id);

-- Accounts elsewhere that sign in here: `subject` is the provider's name for the person, for a wallet its address.
CREATE TABLE identities (
  provider     text   NOT NULL,
  subject      text   NOT NULL,
  client_id    bigint NOT NULL REFERENCES clients (id),
  email        text   NOT NULL,
  connected_at bigint NOT NULL,
  PRIMARY KEY (provider, subject)
);
CREATE UNIQUE INDEX identities_by_client ON identities (client_id, provider);

CREATE TABLE past_passwords (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id bigint NOT NULL REFERENCES clients (id),
  kind      text   NOT NULL CHECK (kind IN ('password', 'transaction-password')),
  hash      text   NOT NULL
);
CREATE INDEX past_passwords_by_client ON past_passwords (client_id, kind, id);

-- What keeps withdrawals from leaving, and why. `by_id` is the operator who decided it; null follows from a change.
CREATE TABLE holds (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id bigint NOT NULL REFERENCES clients (id),
  kind      text   NOT NULL CHECK (kind IN ('password', 'transaction-password', 'factor', 'whitelist', 'operator')),
  reason    text   NOT NULL,
  from_at   bigint NOT NULL,
  until_at  bigint,
  by_id     bigint,
  lifted_at bigint
);
CREATE INDEX holds_by_client ON holds (client_id, id) WHERE lifted_at IS NULL;

-- One row: whether everybody but operators is kept out.
CREATE TABLE maintenance (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  since    bigint,
  reason   text    NOT NULL DEFAULT '',
  until_at bigint,
  by_id    bigint
);
INSERT INTO maintenance (only_row) VALUES (true);
