/**
 * Auto-deleveraging: when a liquidation finds neither a price nor an insurance fund, the positions of the other side close
 * against it, those first that have won the most with the least of their own.
 */
import { BILLION } from './mark-price.ts';
import { notionalOf, type PerpetualTerms } from './perpetual.ts';
import { type Position, unrealised } from './position.ts';

/**
 * Where a position stands, higher is earlier: profit rate × effective leverage for one that has won, profit rate ÷ effective
 * leverage for one that has lost (the rank of OKX, Binance and BitMEX), in parts per billion rounded towards zero.
 * Effective leverage is the value at the mark over what the position has, which is at least one unit.
 */
export function deleveragingRank(terms: PerpetualTerms, position: Position, backing: bigint, mark: number): bigint {
  const profit = unrealised(terms, position, mark);
  const value = notionalOf(terms, mark, position.lots);
  const has = backing + profit;
  const own = has < 1n ? 1n : has;
  if (profit > 0n) return (profit * value * BILLION) / (position.cost * own);
  return (profit * own * BILLION) / (position.cost * value);
}
