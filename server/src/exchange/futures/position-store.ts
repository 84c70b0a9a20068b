/** Positions as the table has them, with what their owners have chosen: for whoever compares them with something else. */
import type { Statement } from '../../platform/database.ts';
import { TERM } from './term-columns.ts';

/** Of one owner's leg in one market; direction 0 where nothing is open. Money in settlement units. */
export type StoredPosition = {
  readonly owner: number;
  readonly market: number;
  readonly leg: number;
  readonly direction: number;
  readonly lots: number;
  readonly cost: bigint;
  /** Of an isolated position. */
  readonly margin: bigint;
  readonly leverage: number;
  readonly isIsolated: boolean;
  readonly isHedged: boolean;
  readonly fundingIndex: bigint;
  /** Beginning, end, target and floor, as one text. */
  readonly term: string;
};

/** Of the owners from one number up to another, both included; none of those who never chose nor opened anything. */
export const positionsBetween = (first: number, last: number): Statement => ({
  sql: `SELECT owner, market::int8, leg::int8, direction::int8, lots, cost::numeric, margin::numeric, leverage::int8,
               is_isolated AS "isIsolated", is_hedged AS "isHedged", funding_index AS "fundingIndex",
               concat_ws(' ', ${TERM.join(', ')}) AS term
        FROM positions WHERE owner BETWEEN $1 AND $2`,
  parameters: [first, last],
});
