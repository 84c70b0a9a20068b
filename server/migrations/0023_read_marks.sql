-- How far a client has read lists that are kept elsewhere: fills by trade, triggered alerts by their id.
CREATE TABLE read_marks (
  client_id bigint NOT NULL REFERENCES clients (id),
  list      text   NOT NULL CHECK (list IN ('fills', 'alerts')),
  read_to   bigint NOT NULL,
  PRIMARY KEY (client_id, list)
);
