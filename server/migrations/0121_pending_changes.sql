-- Changes by which an operator loosens a protection. WAITING until another operator confirms it, or its day is over where there
-- is one operator alone; CONFIRMED is taken and carried out, once or again after a crash; the others are ends.
CREATE TABLE pending_changes (
  id           bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  kind         text   NOT NULL,
  subject      text   NOT NULL,
  before       text   NOT NULL,
  after        text   NOT NULL,
  payload      text   NOT NULL,
  reason       text   NOT NULL,
  asked_by     bigint NOT NULL REFERENCES clients,
  asked_at     bigint NOT NULL,
  effective_at bigint,
  confirmed_by bigint REFERENCES clients CHECK (confirmed_by <> asked_by),
  state        text   NOT NULL CHECK (state IN ('WAITING', 'CONFIRMED', 'APPLIED', 'REVOKED', 'FAILED')),
  ended_by     bigint REFERENCES clients,
  ended_at     bigint,
  failure      text   NOT NULL DEFAULT ''
);
-- One change of the same thing at a time: of two that wait, one would be of figures that the other replaces.
CREATE UNIQUE INDEX pending_changes_open ON pending_changes (kind, subject) WHERE state IN ('WAITING', 'CONFIRMED');
