-- Pairs that maintenance has halted; each is forgotten once it trades again, or an operator decides about it.
CREATE TABLE maintenance_halts (
  market integer PRIMARY KEY
);
