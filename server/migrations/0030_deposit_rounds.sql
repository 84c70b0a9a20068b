-- Crediting reads what is due and then writes: its rounds are numbered, and what one writes on the strength of what it has
-- read fails once another has written.
CREATE TABLE deposit_rounds (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  round    bigint  NOT NULL
);
INSERT INTO deposit_rounds (round) VALUES (0);

-- For the first statement of a transaction. No line may end with a semicolon but the last.
CREATE FUNCTION hold_deposit_round(at_round bigint) RETURNS void LANGUAGE plpgsql AS
  'BEGIN
     UPDATE deposit_rounds SET round = round + 1 WHERE round = at_round
   ; IF NOT FOUND THEN RAISE EXCEPTION ''Another round of crediting has written''
   ; END IF
   ; END';

-- Keeps watchers from these deposits for the rest of the transaction, and fails it where one has found any of them again.
CREATE FUNCTION hold_lost_deposits(of_ids bigint[]) RETURNS void LANGUAGE plpgsql AS
  'BEGIN
     PERFORM 1 FROM deposits WHERE id = ANY (of_ids) ORDER BY id FOR UPDATE
   ; IF EXISTS (SELECT 1 FROM deposits WHERE id = ANY (of_ids) AND (height IS NOT NULL OR state = ''REVERSED''))
     THEN RAISE EXCEPTION ''A lost deposit was found again''
   ; END IF
   ; END';
