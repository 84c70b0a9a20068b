/** What an order of a perpetual needs, and what it makes of a position, by the engine's own functions. */
import { feeOf } from '@cambist/core/ledger/fee.ts';
import { type Direction, initialMargin, LONG, notionalOf, SHORT } from '@cambist/core/margin/perpetual.ts';
import { increase, type Position, reduce } from '@cambist/core/margin/position.ts';
import { liquidationPrice, type OppositeLeg } from '@cambist/core/margin/thresholds.ts';
import type { MarketTerms } from './terms.ts';

export interface OrderTerms {
  readonly side: 'BUY' | 'SELL';
  readonly ticks: number;
  readonly leverage: number;
  /** Ticks; 0 where it is not known. */
  readonly mark: number;
}

/** What a lot needs to be free: margin and fee at the price or at the mark, whichever is more, and the loss that it begins with. */
export function neededForLot({ terms }: MarketTerms, { side, ticks, leverage, mark }: OrderTerms): bigint {
  const reserve = (at: number) => {
    const value = notionalOf(terms, at, 1);
    return initialMargin(value, leverage) + feeOf(value, terms.takerPpm);
  };
  const against = side === 'BUY' ? ticks - mark : mark - ticks;
  const loss = mark > 0 && against > 0 ? notionalOf(terms, against, 1) : 0n;
  // Both grow with the price.
  return reserve(Math.max(ticks, mark)) + loss;
}

/** The largest value that a position may have at a leverage. */
export const largestValue = ({ terms }: MarketTerms, leverage: number): bigint =>
  terms.tiers.findLast(({ maximumLeverage }) => maximumLeverage >= leverage)?.maximumNotional ?? 0n;

/** What is there before an order fills. */
export interface Before {
  readonly position: Position | undefined;
  /** Of an isolated position; undefined where the wallet backs it. */
  readonly margin: bigint | undefined;
  /** What backs a cross position beside its own profit. */
  readonly backing: bigint;
  /** Where both legs of hedge mode are cross. */
  readonly opposite?: OppositeLeg | undefined;
}

export interface After {
  readonly position: Position | undefined;
  /** Ticks; undefined where no price liquidates. */
  readonly liquidationPrice: number | undefined;
}

/** The position once an order has filled at its price, and where that is liquidated. */
export function afterFill(market: MarketTerms, order: OrderTerms, lots: number, before: Before): After {
  const { terms } = market;
  const direction: Direction = order.side === 'BUY' ? LONG : SHORT;
  const open = before.position;
  const closing = open !== undefined && open.direction !== direction ? Math.min(lots, open.lots) : 0;
  const reduced = open && closing > 0 ? reduce(terms, open, order.ticks, closing) : { left: open, realised: 0n };
  const opening = lots - closing;
  const position = opening > 0 ? increase(terms, reduced.left, direction, order.ticks, opening) : reduced.left;
  if (!position) return { position, liquidationPrice: undefined };
  const fee = feeOf(notionalOf(terms, order.ticks, lots), terms.takerPpm);
  const backing = () => {
    if (before.margin === undefined) return before.backing + reduced.realised - fee;
    const kept =
      open && closing > 0 ? (before.margin * BigInt(open.lots - closing)) / BigInt(open.lots) : before.margin;
    return kept + initialMargin(notionalOf(terms, order.ticks, opening), order.leverage);
  };
  return { position, liquidationPrice: liquidationPrice(terms, position, backing(), before.opposite) };
}
