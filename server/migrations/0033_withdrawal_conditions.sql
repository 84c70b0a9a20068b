-- What transactions of withdrawals ask for. Each function fails with CB003 and the name of the condition that does not hold,
-- so that nothing of the transaction is done. No line inside may end with a semicolon.

-- When the browser of a session was first seen with its client; 0 for sessions of before.
ALTER TABLE sessions ADD COLUMN device_since bigint NOT NULL DEFAULT 0;

-- Keeps the client's row, and fails while nothing may leave the account: restricted, frozen, or closed.
CREATE FUNCTION hold_unrestricted(the_client bigint, the_moment bigint) RETURNS void LANGUAGE plpgsql AS
  'BEGIN
     PERFORM 1 FROM clients WHERE id = the_client FOR NO KEY UPDATE
   ; IF NOT EXISTS (SELECT 1 FROM clients WHERE id = the_client AND deleted_at IS NULL
                      AND (status <> ''FREEZE_ACCOUNT'' OR frozen_until <= the_moment))
        OR EXISTS (SELECT 1 FROM holds WHERE client_id = the_client AND lifted_at IS NULL
                     AND (until_at IS NULL OR until_at > the_moment))
     THEN RAISE EXCEPTION ''restricted'' USING ERRCODE = ''CB003''
   ; END IF
   ; END';

-- Uses a code up, and fails where another request has used it or a newer one has taken its place.
CREATE FUNCTION use_verification_code(the_target text, the_purpose text, the_hash text) RETURNS void LANGUAGE plpgsql AS
  'BEGIN
     DELETE FROM verification_codes WHERE email_key = the_target AND purpose = the_purpose AND code_hash = the_hash
   ; IF NOT FOUND THEN RAISE EXCEPTION ''code'' USING ERRCODE = ''CB003''
   ; END IF
   ; END';

-- Fails for a client who owes what a reversed deposit had brought.
CREATE FUNCTION hold_no_debt(the_owner bigint) RETURNS void LANGUAGE plpgsql AS
  'BEGIN
     IF EXISTS (SELECT 1 FROM deposit_debts WHERE owner = the_owner)
     THEN RAISE EXCEPTION ''debt'' USING ERRCODE = ''CB003''
   ; END IF
   ; END';

-- Keeps a withdrawal, and fails unless it is at one of these stages with this decision.
CREATE FUNCTION hold_withdrawal(the_id bigint, at_stages text[], with_decision text) RETURNS void LANGUAGE plpgsql AS
  'BEGIN
     PERFORM 1 FROM withdrawals WHERE id = the_id AND stage = ANY (at_stages) AND decision = with_decision FOR UPDATE
   ; IF NOT FOUND THEN RAISE EXCEPTION ''stage'' USING ERRCODE = ''CB003''
   ; END IF
   ; END';

-- Fails where one more withdrawal of this worth would exceed what may leave since a moment, or how many may since another.
-- A limit that is null is none. The client's row must be kept already, so that of many at once each sees those before it.
CREATE FUNCTION hold_withdrawal_limits(the_owner bigint, the_worth bigint, worth_since bigint, count_since bigint,
  day_limit bigint, own_limit bigint, unproven_limit bigint, count_limit bigint) RETURNS void LANGUAGE plpgsql AS
  'DECLARE used numeric
   ; recent bigint
   ; BEGIN
     SELECT coalesce(sum(worth), 0) INTO used FROM withdrawals
     WHERE owner = the_owner AND requested_at > worth_since AND stage NOT IN (''REFUSED'', ''CANCELLED'', ''FAILED'')
   ; SELECT count(*) INTO recent FROM withdrawals WHERE owner = the_owner AND requested_at > count_since
   ; IF recent >= count_limit THEN RAISE EXCEPTION ''hourly'' USING ERRCODE = ''CB003''
   ; END IF
   ; IF used + the_worth > day_limit THEN RAISE EXCEPTION ''day'' USING ERRCODE = ''CB003''
   ; END IF
   ; IF used + the_worth > own_limit THEN RAISE EXCEPTION ''own'' USING ERRCODE = ''CB003''
   ; END IF
   ; IF used + the_worth > unproven_limit THEN RAISE EXCEPTION ''one-step'' USING ERRCODE = ''CB003''
   ; END IF
   ; END';

-- Of two operators who change one figure each, the second sees that both do not fit together.
ALTER TABLE coin_networks ADD CHECK (withdraw_fee::numeric < withdraw_minimum::numeric);
