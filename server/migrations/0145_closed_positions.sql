-- Changes that closed a position: nothing is left, or the other side is open. For the list of closed positions.
CREATE INDEX position_changes_closing ON position_changes (owner, id)
  WHERE (direction * lots - lots_change) <> 0 AND (direction * lots) * (direction * lots - lots_change) <= 0;
-- Changes that opened one, of which a closed position finds its own.
CREATE INDEX position_changes_opening ON position_changes (owner, market, leg, id)
  WHERE lots <> 0 AND (direction * lots) * (direction * lots - lots_change) <= 0;
