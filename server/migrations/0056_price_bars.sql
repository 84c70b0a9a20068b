-- Bars of what perpetuals are priced by. Kind: 0 mark, 1 index. Frame: length in ms (60000, 3600000 or 86400000). Prices in
-- ticks. There is no bar where there was no index.
CREATE TABLE price_bars (
  market smallint NOT NULL,
  kind   smallint NOT NULL,
  frame  integer  NOT NULL,
  time   bigint   NOT NULL,
  open   bigint   NOT NULL,
  high   bigint   NOT NULL,
  low    bigint   NOT NULL,
  close  bigint   NOT NULL,
  PRIMARY KEY (market, kind, frame, time)
) WITH (fillfactor = 70);
CREATE INDEX price_bars_by_age ON price_bars (frame, time);
