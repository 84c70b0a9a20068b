-- The form of perpetuals offers short positions from the start. Where an operator has used the switch, it stays as they left it.
ALTER TABLE futures_form ALTER COLUMN sells_empty SET DEFAULT true;
UPDATE futures_form SET sells_empty = true WHERE NOT EXISTS (SELECT FROM audit WHERE act = 'set-futures-form');
