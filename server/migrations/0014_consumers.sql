-- Who acts on what was committed, and how far each has come. The effects of a consumer are written with its position.
CREATE TABLE consumers (
  name     text   PRIMARY KEY,
  -- Of the last item handled, in the consumer's own numbering, such as the id of a trade.
  position bigint NOT NULL
);
INSERT INTO consumers (name, position) SELECT 'alerts', last_trade FROM alert_progress;
DROP TABLE alert_progress;
