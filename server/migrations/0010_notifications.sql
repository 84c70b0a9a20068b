-- What clients are told. Texts are kept as their English keys with values, and said in the reader's language.
CREATE TABLE notifications (
  id         bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id  bigint  NOT NULL REFERENCES clients (id),
  type       text    NOT NULL,
  title      jsonb   NOT NULL,
  body       jsonb   NOT NULL,
  path       text    NOT NULL,
  is_read    boolean NOT NULL DEFAULT false,
  created_at bigint  NOT NULL
);
CREATE INDEX notifications_by_client ON notifications (client_id, id);
CREATE INDEX notifications_unread ON notifications (client_id, id) WHERE NOT is_read;
