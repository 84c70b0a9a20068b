/** How far a limit is from the market: what the exchange refuses, and what a client should look at twice. */
import {
  add,
  changePercent,
  compare,
  type Decimal,
  decimal,
  divide,
  multiply,
  rescale,
  subtract,
  ZERO,
} from '../../../lib/decimal.ts';
import { formatDecimal, formatExact, formatPercent } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { enteredPrice, type OrderContext } from './order-summary.ts';
import { isLimit, type Side, type Ticket } from './ticket.ts';

/**
 * Percent past the best price of the other side at which a limit is asked about again. A limit that means to fill at
 * once is set a fraction of a percent through the market; a wrong digit in one of the first two places is more than this.
 */
const FAR_PERCENT: Decimal = { units: 2n, scale: 0 };
/** Percent that the market may move under what a person reads before they are asked again: more than a moment brings. */
const MOVED_PERCENT: Decimal = { units: 5n, scale: 1 };
const HUNDRED: Decimal = { units: 100n, scale: 0 };

/** What a distance is counted from. */
export type MarketNow = Pick<OrderContext, 'priceScale' | 'lastPrice' | 'reference' | 'marks' | 'minimums' | 'book'>;

/** What is wrong with a price outside of the band around the reference, or the mark of a perpetual; without a band or either nothing is. */
export function bandProblem(price: Decimal, context: MarketNow): string | undefined {
  const percent = decimal(context.minimums?.price_band_percent);
  const middle = decimal(context.marks?.mark || context.reference || context.lastPrice);
  if (percent.units === 0n || middle.units === 0n) return undefined;
  const scale = context.priceScale;
  const share = (of: Decimal) => multiply(multiply(middle, of), { units: 1n, scale: 2 });
  const low = rescale(share(subtract(HUNDRED, percent)), scale, 'ceil');
  const high = rescale(share(add(HUNDRED, percent)), scale, 'floor');
  if (compare(price, low) >= 0 && compare(price, high) <= 0) return undefined;
  const values = {
    lowest: formatDecimal(low, scale),
    highest: formatDecimal(high, scale),
    percent: formatExact(percent),
  };
  return context.marks?.mark
    ? t('Use a price from {{lowest}} to {{highest}}, within {{percent}}% of the mark price', values)
    : t('Use a price from {{lowest}} to {{highest}}, within {{percent}}% of the reference price', values);
}

/** The best price that a limit could trade at: of the other side of the book, or the last one. */
export function marketPrice(side: Side, { book, priceScale, lastPrice }: MarketNow): Decimal {
  const [best] = (side === 'BUY' ? book?.asks : book?.bids)?.[0] ?? [];
  return best === undefined ? decimal(lastPrice) : { units: BigInt(best), scale: priceScale };
}

/** Percent from the market to the limit of an order that is placed now; undefined while there is none. */
export function marketDistance(ticket: Ticket, side: Side, context: OrderContext): Decimal | undefined {
  const price = isLimit(ticket.type) ? enteredPrice(ticket, side, 'price') : undefined;
  return price && distanceOf(price, side, context);
}

function distanceOf(price: Decimal, side: Side, context: MarketNow): Decimal | undefined {
  const market = marketPrice(side, context);
  return divide(multiply(subtract(price, market), HUNDRED), market, 2, 'nearest');
}

/** `farPriceWarning` of what is entered. */
export function distanceWarning(ticket: Ticket, side: Side, context: OrderContext): string | undefined {
  const price = isLimit(ticket.type) ? enteredPrice(ticket, side, 'price') : undefined;
  return price && farPriceWarning(price, side, context);
}

/** A sentence when the market is elsewhere than it was when a summary of an order was shown; undefined otherwise. */
export function movedWarning(before: Decimal, now: Decimal, scale: number): string | undefined {
  const percent = changePercent(before, now);
  if (!percent) return undefined;
  const distance = percent.units < 0n ? subtract(ZERO, percent) : percent;
  if (compare(distance, MOVED_PERCENT) < 0) return undefined;
  return t('The price has moved from {{before}} to {{now}} since this was shown. Confirm again to go on.', {
    before: formatDecimal(before, scale),
    now: formatDecimal(now, scale),
  });
}

/** A sentence when a limit is far through the market, where it would trade at once; undefined otherwise. */
export function farPriceWarning(price: Decimal, side: Side, context: MarketNow): string | undefined {
  const distance = distanceOf(price, side, context);
  if (!distance) return undefined;
  const through = side === 'BUY' ? distance : { units: -distance.units, scale: distance.scale };
  if (compare(through, FAR_PERCENT) < 0) return undefined;
  const values = { percent: formatPercent(through).slice(1), price: formatDecimal(price, context.priceScale) };
  return side === 'BUY'
    ? t('Your price is {{percent}} above the market. The order can fill immediately at up to {{price}}.', values)
    : t('Your price is {{percent}} below the market. The order can fill immediately at down to {{price}}.', values);
}
