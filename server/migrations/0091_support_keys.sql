-- Who wrote a message and the Idempotency-Key that they gave it, and what they asked for: a message that is sent again, as
-- its answer was lost, is found and not written a second time.
ALTER TABLE support_messages ADD COLUMN intent_key text, ADD COLUMN intent text;
CREATE UNIQUE INDEX support_messages_by_intent ON support_messages (intent_key) WHERE intent_key IS NOT NULL;
