-- What clients have switched off: notifications of these types are not written for them.
CREATE TABLE muted_notifications (
  client_id bigint NOT NULL,
  type      text   NOT NULL,
  PRIMARY KEY (client_id, type)
);

-- One row: up to which owner the positions of an interval have been told of its funding; the interval by its last settlement.
CREATE TABLE funding_notices (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  settlement bigint  NOT NULL,
  owner      bigint  NOT NULL
);
INSERT INTO funding_notices (settlement, owner) VALUES (0, 0);
-- Intervals that were settled before are not told.
INSERT INTO consumers (name, position) SELECT 'funding notices', coalesce(max(id), 0) FROM funding_settlements;
