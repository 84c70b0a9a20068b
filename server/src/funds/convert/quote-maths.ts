/**
 * What a conversion costs by the book: the price that the amount needs, and the whole lots that it moves there. Every
 * number is an integer: prices in ticks, quantities in lots, money in quote units.
 */
import { feeOf } from '@cambist/core/ledger/fee.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { baseUnits, notional, quoteUnitsPerTickLot } from '@cambist/core/money/notional.ts';
import { divCeil, divFloor } from '@cambist/core/money/rounding.ts';

export type Direction = 'BUY' | 'SELL';

/** What the client gives or wants: lots of the coin, or quote units. */
export type Size =
  | { readonly unit: 'lots'; readonly lots: number }
  | { readonly unit: 'money'; readonly money: bigint };

/** One price of the book that the conversion would trade with. */
export interface Level {
  /** Ticks. */
  readonly price: number;
  readonly lots: number;
  readonly orders: number;
}

export interface PricedSize {
  /** Ticks: the limit of the order, the worst price that the size needs and a margin for as long as the quote holds. */
  readonly price: number;
  readonly lots: number;
  /** Orders of the book that it would trade with at most. */
  readonly orders: number;
}

/** Lots at a price. What is paid for buys whole lots (down); what is wanted from a sale needs them (up). */
function lotsAt(market: MarketSpec, direction: Direction, size: Size, price: number): number {
  if (size.unit === 'lots') return size.lots;
  const perLot = BigInt(price) * quoteUnitsPerTickLot(market);
  return Number(direction === 'BUY' ? divFloor(size.money, perLot) : divCeil(size.money, perLot));
}

/**
 * A price with a margin against the client, rounded away from it: the book may move so far while the quote is held. What
 * it does not move is the client's, who trades at the prices of the book.
 */
function withMargin(direction: Direction, price: number, marginPpm: number): number {
  const [ticks, margin] = [BigInt(price), BigInt(marginPpm)];
  if (direction === 'BUY') return Number(divCeil(ticks * (1_000_000n + margin), 1_000_000n));
  return Math.max(1, Number(divFloor(ticks * (1_000_000n - margin), 1_000_000n)));
}

/**
 * The first price at which the book has enough for the size, best first.
 * @returns undefined where the book is not that deep
 */
export function priceSize(
  market: MarketSpec,
  direction: Direction,
  levels: readonly Level[],
  size: Size,
  marginPpm: number,
): PricedSize | undefined {
  let there = 0;
  let orders = 0;
  for (const level of levels) {
    there += level.lots;
    orders += level.orders;
    const price = withMargin(direction, level.price, marginPpm);
    const lots = lotsAt(market, direction, size, price);
    if (there >= lots) return { price, lots, orders };
  }
  return undefined;
}

export interface Amounts {
  /** Smallest units of what is given. */
  readonly paid: bigint;
  /** Smallest units of what is received, before the fee. */
  readonly received: bigint;
  /** At most, in what is received. */
  readonly fee: bigint;
}

/**
 * A buy pays price × lots and receives the lots; a sell the other way round. Each trade rounds its own fee up, by less
 * than a unit, so the fee of all is at most that of the sum and one unit for each further trade.
 */
export function amountsOf(
  market: MarketSpec,
  direction: Direction,
  { price, lots, orders }: PricedSize,
  feePpm: number,
): Amounts {
  const coins = baseUnits(market, lots);
  const money = notional(market, price, lots);
  const [paid, received] = direction === 'BUY' ? [money, coins] : [coins, money];
  const most = feeOf(received, feePpm) + BigInt(Math.max(0, orders - 1));
  return { paid, received, fee: feePpm === 0 ? 0n : most < received ? most : received };
}

const PERCENT_SCALE = 4;

/**
 * How much worse a price is for the client than the reference, in percent with four decimals, half away from zero;
 * below zero is better.
 * @param reference ticks, with a fraction
 */
export function spreadPercent(direction: Direction, price: number, reference: number): bigint {
  const worse = direction === 'BUY' ? price - reference : reference - price;
  return BigInt(Math.round((worse / reference) * 100 * 10 ** PERCENT_SCALE));
}
