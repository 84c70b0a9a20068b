/** What an order of a perpetual needs, and what it makes of a position, by the engine's own functions. */
import type { PositionSide } from '@cambist/contract/futures.ts';
import type { Order } from '@cambist/contract/trading.ts';
import { feeOf } from '@cambist/core/ledger/fee.ts';
import { type Direction, initialMargin, LONG, notionalOf, SHORT } from '@cambist/core/margin/perpetual.ts';
import { increase, type Position, reduce } from '@cambist/core/margin/position.ts';
import { liquidationPrice, type OppositeLeg } from '@cambist/core/margin/thresholds.ts';
import { lotsOf, type MarketTerms, ticksOf } from './terms.ts';

export interface OrderTerms {
  readonly side: 'BUY' | 'SELL';
  readonly ticks: number;
  readonly leverage: number;
  /** Ticks; 0 where it is not known. */
  readonly mark: number;
  /** The best bid in ticks, which a sell would meet; 0 or absent without one. */
  readonly bid?: number;
}

/** A position that an order adds to or closes. */
export interface Open {
  readonly position: Position;
  readonly isIsolated: boolean;
}

/** Lots of an order that close what is open. */
const closingLots = ({ side }: OrderTerms, lots: number, open: Position | undefined): number =>
  open !== undefined && (open.direction === LONG) === (side === 'SELL') ? Math.min(lots, open.lots) : 0;

/**
 * What must be free for an order: margin and fee of each lot at its price or at the mark, whichever is more, and of a sell at the
 * best bid where that is more still; for the lots that it opens, the loss that they begin with; and what a cross position loses where the order closes it.
 */
export function needed({ terms }: MarketTerms, order: OrderTerms, lots: number, open?: Open | undefined): bigint {
  const { side, ticks, leverage, mark, bid = 0 } = order;
  // Both grow with the price.
  const worst = mark > 0 && side === 'SELL' ? Math.max(ticks, mark, bid) : Math.max(ticks, mark);
  const lot = notionalOf(terms, worst, 1);
  const reserved = BigInt(lots) * (initialMargin(lot, leverage) + feeOf(lot, terms.takerPpm));
  const closing = closingLots(order, lots, open?.position);
  const against = side === 'BUY' ? ticks - mark : mark - ticks;
  const loss = mark > 0 && against > 0 ? notionalOf(terms, against, lots - closing) : 0n;
  const losing = closing > 0 && open?.isIsolated === false;
  const closed = losing ? reduce(terms, open.position, ticks, closing).realised : 0n;
  return reserved + loss + (closed < 0n ? -closed : 0n);
}

/** The most lots that so much is enough for. */
export function affordable(market: MarketTerms, order: OrderTerms, free: bigint, open?: Open | undefined): number {
  if (free <= 0n) return 0;
  // What an order needs grows with its lots, and is no less for any of them than for one that opens at no loss.
  let [fits, above] = [0, Number(free / needed(market, { ...order, mark: 0 }, 1)) + 1];
  while (above - fits > 1) {
    const middle = Math.floor((fits + above) / 2);
    if (needed(market, order, middle, open) <= free) fits = middle;
    else above = middle;
  }
  return fits;
}

type Waiting = Pick<
  Order,
  'coin_pair' | 'delegate_type' | 'position_side' | 'reduce_only' | 'trigger' | 'twap' | 'final_price' | 'remaining'
>;

/**
 * What the open orders of a side that may open something in a leg are worth: with the position they may be worth no more than the
 * largest position. What has not been triggered counts once it is, and what is cut up places parts that never wait.
 */
export function orderedValue(
  { symbol, market, positionSide }: { symbol: string; market: MarketTerms; positionSide: PositionSide | undefined },
  orders: readonly Waiting[],
  side: 'BUY' | 'SELL',
): bigint {
  const counts = (order: Waiting) =>
    order.coin_pair.pair_name === symbol &&
    order.delegate_type === side &&
    order.position_side === positionSide &&
    !(order.reduce_only || order.twap || order.trigger?.status === 'untriggered');
  const worth = ({ final_price: price, remaining }: Waiting) =>
    notionalOf(market.terms, ticksOf(market, price), lotsOf(market, remaining));
  return orders.filter(counts).reduce((sum, order) => sum + worth(order), 0n);
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
  const closing = closingLots(order, lots, open);
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
