-- Price alerts. Prices in ticks, times in ms.
CREATE TABLE price_alerts (
  id            bigint   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id     bigint   NOT NULL REFERENCES clients (id),
  market        smallint NOT NULL,
  above         boolean  NOT NULL,
  price         bigint   NOT NULL,
  -- 0 fires once; else it is silent for so long after it has fired.
  pause_minutes integer  NOT NULL,
  -- Comma separated: page, browser, mail.
  channels      text     NOT NULL,
  note          text     NOT NULL,
  locale        text     NOT NULL,
  created_at    bigint   NOT NULL,
  -- Only trades after this one count.
  after_trade   bigint   NOT NULL,
  done          boolean  NOT NULL DEFAULT false,
  paused_until  bigint   NOT NULL DEFAULT 0,
  times_fired   integer  NOT NULL DEFAULT 0,
  fired_price   bigint   NOT NULL DEFAULT 0,
  fired_at      bigint   NOT NULL DEFAULT 0
);
CREATE INDEX price_alerts_by_client ON price_alerts (client_id, id);
CREATE INDEX price_alerts_active ON price_alerts (id) WHERE NOT done;

-- What has fired, and by which trade; an alert fires once for a trade, however often that trade is looked at.
CREATE TABLE alert_firings (
  id          bigint   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id    bigint   NOT NULL,
  client_id   bigint   NOT NULL,
  market      smallint NOT NULL,
  above       boolean  NOT NULL,
  price       bigint   NOT NULL,
  note        text     NOT NULL,
  locale      text     NOT NULL,
  trade_id    bigint   NOT NULL,
  fired_price bigint   NOT NULL,
  fired_at    bigint   NOT NULL,
  -- Asked for by mail and not sent yet.
  mail_due    boolean  NOT NULL,
  UNIQUE (alert_id, trade_id)
);
CREATE INDEX alert_firings_by_client ON alert_firings (client_id, id);
CREATE INDEX alert_firings_mail_due ON alert_firings (id) WHERE mail_due;

-- Trades up to here have been looked at, and what they fired is above. One row.
CREATE TABLE alert_progress (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  last_trade bigint  NOT NULL
);
INSERT INTO alert_progress (last_trade) VALUES (0);
