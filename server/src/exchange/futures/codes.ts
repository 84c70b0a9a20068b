/** Codes of a change of a position, read by the database: see `ChangeCode`. */
import { ChangeCode } from '@cambist/core/events/position-records.ts';

const { CAUSE_MASK, LEG_SHIFT, LEG_MASK, IS_ISOLATED, IS_HEDGED, LEVERAGE_SHIFT } = ChangeCode;

/** A cause is one more than its index: arrays of SQL count from 1. Types are those of the columns. */
const COLUMNS = Object.entries({
  cause: `(codes & ${CAUSE_MASK}) + 1`,
  leg: `(((codes >> ${LEG_SHIFT}) & ${LEG_MASK}) - 1)::smallint`,
  leverage: `(codes >> ${LEVERAGE_SHIFT})::smallint`,
  is_isolated: `codes & ${IS_ISOLATED} <> 0`,
  is_hedged: `codes & ${IS_HEDGED} <> 0`,
}).map(([name, value]) => `${value} AS ${name}`);

/** A table of changes with its codes as columns. */
export const decoded = (table: string): string => `(SELECT *, ${COLUMNS.join(', ')} FROM ${table})`;
