/** What owners have chosen and set aside in perpetual markets: for whoever compares it with orders and balances. */
import type { Statement } from '../../platform/database.ts';

/** Of one owner in one market. */
export type PositionTerms = {
  readonly owner: number;
  readonly market: number;
  readonly leverage: number;
  /** Of an isolated position, in settlement units. */
  readonly margin: bigint;
};

/** Of the owners from one number up to another, both included; none of those who never chose nor opened anything. */
export const positionTermsBetween = (first: number, last: number): Statement => ({
  sql: `SELECT owner, market::int8, leverage::int8, margin::numeric FROM positions WHERE owner BETWEEN $1 AND $2`,
  parameters: [first, last],
});
