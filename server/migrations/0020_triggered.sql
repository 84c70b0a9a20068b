-- Alerts and conditional orders are triggered, and an order has a status: the columns say what the code says.
ALTER TABLE conditional_orders RENAME COLUMN standing TO status;
ALTER TABLE conditional_orders RENAME COLUMN fired_leg TO triggered_leg;
ALTER TABLE conditional_orders RENAME COLUMN fired_price TO triggered_price;
ALTER TABLE conditional_orders RENAME COLUMN fired_at TO triggered_at;

ALTER TABLE price_alerts RENAME COLUMN times_fired TO times_triggered;
ALTER TABLE price_alerts RENAME COLUMN fired_price TO triggered_price;
ALTER TABLE price_alerts RENAME COLUMN fired_at TO triggered_at;

ALTER TABLE alert_firings RENAME COLUMN fired_price TO triggered_price;
ALTER TABLE alert_firings RENAME COLUMN fired_at TO triggered_at;
ALTER INDEX alert_firings_by_client RENAME TO triggered_alerts_by_client;
ALTER TABLE alert_firings RENAME TO triggered_alerts;

-- A refusal that an idempotency key remembers is told by its name.
UPDATE idempotency_keys SET reason = 'UNTRIGGERED_LIMIT' WHERE reason = 'WAITING_LIMIT';
