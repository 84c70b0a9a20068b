/** What the newest public trades were: who took, and how large. The pie of the overview shows it. */
import { add, compare, type Decimal, decimal, multiply, ratio, rescale, ZERO } from '../../../lib/decimal.ts';
import type { PublicTrade } from '../trades/use-recent-trades.ts';

export type FlowKind = 'large-buy' | 'small-buy' | 'small-sell' | 'large-sell';

export interface FlowShare {
  readonly kind: FlowKind;
  /** USDT. */
  readonly total: Decimal;
  /** Of all, 0 to 1; for drawing. */
  readonly share: number;
}

const KINDS: readonly FlowKind[] = ['large-buy', 'small-buy', 'small-sell', 'large-sell'];
const TOTAL_SCALE = 2;

/** A trade is large when it is above the mean of those counted. */
export function tradeFlow(trades: readonly PublicTrade[]): FlowShare[] {
  const valued = trades.map(({ px, sz, side }) => ({ side, total: multiply(decimal(px), decimal(sz)) }));
  const whole = valued.reduce<Decimal>((sum, { total }) => add(sum, total), ZERO);
  const count = { units: BigInt(valued.length), scale: 0 };
  const isLarge = (total: Decimal) => compare(multiply(total, count), whole) > 0;
  return KINDS.map((kind) => {
    const [size, side] = kind.split('-');
    const mine = valued.filter((trade) => trade.side === side && isLarge(trade.total) === (size === 'large'));
    const total = mine.reduce<Decimal>((sum, trade) => add(sum, trade.total), ZERO);
    return { kind, total: rescale(total, TOTAL_SCALE, 'floor'), share: ratio(total, whole) };
  });
}
