-- Counts the changes of what proves a client (passwords, factors, connections) and the endings of all sessions. What was
-- proven under an older number opens, unlocks and confirms nothing.
ALTER TABLE clients ADD COLUMN auth_epoch bigint NOT NULL DEFAULT 0;

-- Takes the client's row for the rest of the transaction, and fails it where the session is gone (CB001) or the epoch has
-- moved on (CB002); what is null is not asked. Every transaction that grants, revokes or counts something of a client
-- begins with it, so that of two the second sees all of the first. No line may end with a semicolon but the last.
CREATE FUNCTION hold_authority(the_client bigint, the_session bigint, the_epoch bigint) RETURNS void LANGUAGE plpgsql AS
  'DECLARE current_epoch bigint
   ; BEGIN
     PERFORM 1 FROM clients WHERE id = the_client FOR NO KEY UPDATE
   ; SELECT auth_epoch INTO current_epoch FROM clients WHERE id = the_client
   ; IF current_epoch IS NULL OR the_session IS NOT NULL AND NOT EXISTS
        (SELECT 1 FROM sessions WHERE id = the_session AND client_id = the_client)
     THEN RAISE EXCEPTION ''The session has ended'' USING ERRCODE = ''CB001''
   ; END IF
   ; IF current_epoch <> the_epoch THEN RAISE EXCEPTION ''The proof is outdated'' USING ERRCODE = ''CB002''
   ; END IF
   ; END';
