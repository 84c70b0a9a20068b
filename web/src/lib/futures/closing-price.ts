/** The price that closing a position would get: what the book would fill, or the mark where no book is known. */
import type { FuturesPosition } from '@cambist/contract/futures.ts';
import { type Decimal, decimal, divide, multiply, rescale, subtract } from '../decimal.ts';
import { formatDecimal } from '../format.ts';
import type { BookView } from '../order-book/book-state.ts';
import { impactOf } from '../order-book/market-impact.ts';

export interface ClosingPrice {
  readonly price: Decimal;
  readonly from: 'book' | 'mark';
}

type Closed = Pick<FuturesPosition, 'side' | 'mark_price' | 'quantity'>;

/** The market of a position with the decimals of its price and its lots. */
export const bookMarketOf = (position: Closed & Pick<FuturesPosition, 'coin_pair'>) => ({
  pair_name: position.coin_pair.pair_name,
  price_scale: decimal(position.mark_price).scale,
  quantity_scale: decimal(position.quantity).scale,
});

/** The average is rounded against the owner. A book that is too thin is estimated by what it has. */
export function closingPrice(
  position: Closed,
  quantity: Decimal | undefined,
  book: BookView | undefined,
): ClosingPrice {
  const mark = decimal(position.mark_price);
  const isLong = position.side === 'long';
  const levels = isLong ? book?.bids : book?.asks;
  const scales = { priceScale: mark.scale, quantityScale: decimal(position.quantity).scale };
  const impact = quantity && levels && impactOf(levels, { size: quantity, byTotal: false }, scales);
  if (!impact) return { price: mark, from: 'mark' };
  return { price: rescale(impact.average, mark.scale, isLong ? 'floor' : 'ceil'), from: 'book' };
}

/** What closing so much at a price brings, in USDT before its fee. */
export function realisedAt(
  { side, quantity: open, cost: paid }: Pick<FuturesPosition, 'side' | 'quantity' | 'cost'>,
  quantity: Decimal,
  price: Decimal,
): Decimal {
  const whole = decimal(paid);
  const cost = divide(multiply(whole, quantity), decimal(open), whole.scale, 'nearest') ?? whole;
  const worth = multiply(quantity, price);
  return side === 'long' ? subtract(worth, cost) : subtract(cost, worth);
}

/** The price of an estimate after the name of its source. The names are the caller's, so that each screen brings its own texts. */
export function closingPriceText(
  { price, from }: ClosingPrice,
  names: Readonly<Record<ClosingPrice['from'], string>>,
): string {
  return `${names[from]} ≈ ${formatDecimal(price, price.scale)}`;
}
