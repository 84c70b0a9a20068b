-- What the last price has passed of the triggers that wait for it, and nothing confirms yet: a JSON list of the falling and of the rising
-- prices, each with the ms since which; empty while there is none.
ALTER TABLE market_states ADD COLUMN passed_prices text NOT NULL DEFAULT '';
