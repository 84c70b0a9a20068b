-- The secret is sealed with the server's key. `last_step` is the newest time step whose code was used.
CREATE TABLE totp (
  client_id  bigint PRIMARY KEY REFERENCES clients (id),
  secret     text   NOT NULL,
  enabled_at bigint,
  last_step  bigint NOT NULL DEFAULT 0
);

CREATE TABLE recovery_codes (
  client_id bigint NOT NULL REFERENCES clients (id),
  code_hash text   NOT NULL,
  PRIMARY KEY (client_id, code_hash)
);

CREATE TABLE passkeys (
  id            bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id     bigint  NOT NULL REFERENCES clients (id),
  credential_id text    NOT NULL UNIQUE,
  public_key    text    NOT NULL,
  counter       bigint  NOT NULL,
  transports    text    NOT NULL,
  backed_up     boolean NOT NULL,
  label         text    NOT NULL,
  created_at    bigint  NOT NULL,
  last_used_at  bigint
);
CREATE INDEX passkeys_by_client ON passkeys (client_id);

CREATE TABLE whitelist (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id  bigint NOT NULL REFERENCES clients (id),
  label      text   NOT NULL,
  coin       text   NOT NULL,
  network    text   NOT NULL,
  address    text   NOT NULL,
  created_at bigint NOT NULL,
  active_at  bigint NOT NULL,
  UNIQUE (client_id, coin, network, address)
);

CREATE TABLE api_keys (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id    bigint NOT NULL REFERENCES clients (id),
  key_hash     text   NOT NULL UNIQUE,
  prefix       text   NOT NULL,
  label        text   NOT NULL,
  permissions  text   NOT NULL,
  created_at   bigint NOT NULL,
  expires_at   bigint NOT NULL,
  last_used_at bigint
);
CREATE INDEX api_keys_by_client ON api_keys (client_id);

-- The document is sealed: it holds everything about a person in one place.
CREATE TABLE data_exports (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id  bigint NOT NULL REFERENCES clients (id),
  state      text   NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'ready', 'failed')),
  document   text   NOT NULL DEFAULT '',
  asked_at   bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX data_exports_by_client ON data_exports (client_id);
