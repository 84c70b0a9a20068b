-- Proofs that were given before open nothing after it.
CREATE FUNCTION move_epoch(the_client bigint) RETURNS void LANGUAGE sql AS
  'UPDATE clients SET auth_epoch = auth_epoch + 1 WHERE id = the_client';

-- Leaves a client's row without a person, so that the books still add up. First in the transaction that erases the rest:
-- it fails (CB002) where the deletion is not due, or was taken back meanwhile. No line may end with a semicolon but the last.
CREATE FUNCTION begin_erasure(the_client bigint, the_moment bigint) RETURNS void LANGUAGE plpgsql AS
  'BEGIN
     UPDATE clients SET email = '''', email_key = ''deleted:'' || id, password_hash = '''',
       transaction_password_hash = '''', mobile_number = '''', mobile_verified_at = NULL, referral = '''', name = '''',
       gender = '''', date_of_birth = '''', address = '''', anti_phishing_code = '''', deletion_at = NULL,
       deleted_at = the_moment, auth_epoch = auth_epoch + 1
     WHERE id = the_client AND deletion_at <= the_moment AND deleted_at IS NULL
   ; IF NOT FOUND THEN RAISE EXCEPTION ''The deletion is not due'' USING ERRCODE = ''CB002''
   ; END IF
   ; END';
