/** Pure arithmetic of an order of a perpetual before it is sent: what it needs, how large it may be, and where it ends. */
import type { FuturesPosition } from '@cambist/contract/futures.ts';
import { feeOf } from '@cambist/core/ledger/fee.ts';
import { notionalOf } from '@cambist/core/margin/perpetual.ts';
import { type Decimal, decimal, multiply, parseDecimal, rescale, toShortText, toText } from '../../../lib/decimal.ts';
import { formatDecimal, formatExact } from '../../../lib/format.ts';
import { positionOf } from '../../../lib/futures/figures.ts';
import {
  affordable,
  afterFill,
  largestValue,
  needed,
  type Open,
  type OrderTerms,
} from '../../../lib/futures/orders.ts';
import { lotsOf, type MarketTerms, priceText, ticksOf, USDT_SCALE, unitsOf, usdt } from '../../../lib/futures/terms.ts';
import { t } from '../../../lib/i18n.ts';
import { type Impact, impactOf } from '../../../lib/order-book/market-impact.ts';
import { exitsRequest } from '../ticket/exits.ts';
import { visibleRequest } from '../ticket/iceberg.ts';
import { entryErrors, fieldErrors, type OrderErrors } from '../ticket/order-errors.ts';
import { timeTerms, triggerTerms } from '../ticket/order-request.ts';
import { enteredPrice, priceOf, TOTAL_SCALE } from '../ticket/order-summary.ts';
import type { OrderRequest } from '../ticket/order-types.ts';
import { endsAtMarket, isConditional, type Side, type Ticket } from '../ticket/ticket.ts';
import { twapRequest } from '../ticket/twap.ts';
import type { FuturesContext, FuturesState, FuturesSummary } from './futures-state.ts';
import { termBounds, termErrors, termOffered, termRequest } from './term-choice.ts';

/** With the leg that an order of a side trades. */
export function atLeg(ticket: Ticket, side: Side, context: FuturesContext): FuturesContext {
  const { futures } = context;
  if (!futures.legs) return context;
  const positionSide = (side === 'BUY') === ticket.isReduceOnly ? 'short' : 'long';
  return { ...context, futures: { ...futures, ...futures.legs[positionSide], positionSide } };
}

/** A market order may meet worse prices than the best one; so much of the most that is affordable is left for them. */
const MARKET_ROOM_PERCENT = 99n;

/** Of a short position, where an operator has switched them off. */
export const notOffered = (): string =>
  t('This exchange does not offer short positions here. Open positions can be closed in the list of positions.');

/** Why a side takes no orders: an operator can switch short positions off in the form. What only reduces opens none. */
export function closedReason(ticket: Ticket, side: Side, { futures }: FuturesContext): string | undefined {
  if (side === 'BUY' || ticket.isReduceOnly || futures.sellsEmpty) return undefined;
  return notOffered();
}

const closes = (side: Side, position: FuturesPosition): boolean => (position.side === 'long') === (side === 'SELL');

function termsAt(ticks: number, side: Side, { futures, marks: { mark }, book }: FuturesContext): OrderTerms {
  const { market, leverage } = futures;
  return { side, ticks, leverage, mark: mark === '' ? 0 : ticksOf(market, mark), bid: book?.bids[0]?.[0] ?? 0 };
}

const openOf = ({ market, position, isIsolated }: FuturesState): Open | undefined =>
  position && { position: positionOf(market, position), isIsolated };

/** The most that can be ordered at a price. */
function maximumLots(ticket: Ticket, side: Side, ticks: number, context: FuturesContext): number {
  const { futures } = context;
  const { market, free, position } = futures;
  const closing = position && closes(side, position) ? lotsOf(market, position.quantity) : 0;
  if (ticket.isReduceOnly) return closing;
  const lot = notionalOf(market.terms, ticks, 1);
  const afforded = affordable(market, termsAt(ticks, side, context), unitsOf(free ?? '0'), openOf(futures));
  const own = closing > 0 ? 0n : unitsOf(position?.cost ?? '0');
  const left = largestValue(market, futures.leverage) - own - futures.ordered[side];
  // Beside orders that reach the limit even what only closes is refused, unless it says that it only reduces.
  if (left < 0n) return 0;
  const room = left / lot + BigInt(closing);
  const most = BigInt(afforded) < room ? BigInt(afforded) : room;
  if (most <= 0n) return 0;
  return Number(endsAtMarket(ticket.type) ? (most * MARKET_ROOM_PERCENT) / 100n : most);
}

/**
 * The price at which an order must afford its margin and fee, where that is above its own: the mark, or of a sell the best bid if that
 * is higher. Undefined where its own price decides, and for what only reduces or is triggered later.
 */
export function affordedAt(ticket: Ticket, side: Side, context: FuturesContext): 'mark' | 'bid' | undefined {
  const ticks = ticket.type === 'limit' && !ticket.isReduceOnly ? basisTicks(ticket, side, context) : undefined;
  if (ticks === undefined) return undefined;
  const { mark, bid = 0 } = termsAt(ticks, side, context);
  // Without a mark the engine asks for the order's own price alone.
  if (mark === 0) return undefined;
  if (side === 'SELL' && bid > Math.max(ticks, mark)) return 'bid';
  return mark > ticks ? 'mark' : undefined;
}

/** At which price an order is counted: its limit, or where it would be at market. */
function basisTicks(ticket: Ticket, side: Side, context: FuturesContext): number | undefined {
  const price = priceOf(ticket, side, context);
  const ticks = price && ticksOf(context.futures.market, toText(price));
  return ticks && ticks > 0 ? ticks : undefined;
}

function lotsAt(ticket: Ticket, side: Side, ticks: number, most: number, { market }: FuturesState): number {
  const { amount, percent } = ticket[side];
  if (percent !== undefined) return Math.floor((most * percent) / 100);
  const entered = parseDecimal(amount);
  if (!entered) return 0;
  if (ticket.priceType === 'AMOUNT') return lotsOf(market, toText(entered));
  return Number(unitsOf(toText(entered)) / notionalOf(market.terms, ticks, 1));
}

/** The average of what a market order would fill as a price of the market, rounded against its owner. */
const filledTicks = ({ average }: Impact, side: Side, { priceScale }: MarketTerms): number =>
  Number(rescale(average, priceScale, side === 'BUY' ? 'ceil' : 'floor').units);

export function summarizeFutures(ticket: Ticket, side: Side, context: FuturesContext): FuturesSummary {
  const { futures, book } = context;
  const { market } = futures;
  const basis = basisTicks(ticket, side, context);
  const nothing = { value: undefined, impact: undefined, cost: undefined, fee: undefined };
  if (basis === undefined) return { lots: 0, ticks: basis, maximumLots: 0, ...nothing };
  const most = maximumLots(ticket, side, basis, context);
  const lots = lotsAt(ticket, side, basis, most, futures);
  if (lots === 0) return { lots, ticks: basis, maximumLots: most, ...nothing };
  const levels = side === 'BUY' ? book?.asks : book?.bids;
  const size = { units: BigInt(lots), scale: market.quantityScale };
  const impact = ticket.type === 'market' && levels ? impactOf(levels, { size, byTotal: false }, context) : undefined;
  const ticks = impact ? filledTicks(impact, side, market) : basis;
  const value = impact
    ? rescale(multiply(impact.average, size), USDT_SCALE, 'nearest').units
    : notionalOf(market.terms, ticks, lots);
  const cost = needed(market, termsAt(ticks, side, context), lots, openOf(futures));
  return {
    lots,
    ticks,
    value: usdt(value),
    impact,
    cost: usdt(ticket.isReduceOnly ? 0n : cost),
    fee: usdt(feeOf(value, market.terms.takerPpm)),
    maximumLots: most,
  };
}

/** Where the position is liquidated once the order has filled; undefined while it is not known. */
export function liquidationAfter(
  side: Side,
  { lots, ticks }: FuturesSummary,
  context: FuturesContext,
): { readonly price: Decimal | undefined } | undefined {
  const { futures } = context;
  const { market, position, isIsolated, crossBacking, opposite } = futures;
  if (lots === 0 || ticks === undefined || (!isIsolated && crossBacking === undefined)) return undefined;
  const after = afterFill(market, termsAt(ticks, side, context), lots, {
    position: position && positionOf(market, position),
    margin: isIsolated ? unitsOf(position?.margin ?? '0') - unitsOf(position?.funding_owed ?? '0') : undefined,
    backing: crossBacking ?? 0n,
    opposite: isIsolated ? undefined : opposite,
  });
  const { liquidationPrice: end } = after;
  return { price: end === undefined ? undefined : priceText(market, end) };
}

/** So many lots in the unit of the field. */
function amountOf(ticket: Ticket, lots: number, ticks: number, { market }: FuturesState): Decimal {
  if (ticket.priceType === 'AMOUNT') return { units: BigInt(lots), scale: market.quantityScale };
  return usdt(notionalOf(market.terms, ticks, lots));
}

export function amountForShare(
  ticket: Ticket,
  side: Side,
  percent: number,
  context: FuturesContext,
): string | undefined {
  if (percent === 0) return '0';
  const ticks = basisTicks(ticket, side, context);
  if (ticks === undefined || (!ticket.isReduceOnly && context.futures.free === undefined)) return undefined;
  const lots = Math.floor((maximumLots(ticket, side, ticks, context) * percent) / 100);
  const amount = amountOf(ticket, lots, ticks, context.futures);
  // Totals are entered in cents.
  return toShortText(ticket.priceType === 'AMOUNT' ? amount : rescale(amount, TOTAL_SCALE, 'floor'));
}

export function shareOf(ticket: Ticket, side: Side, context: FuturesContext): number {
  const { percent } = ticket[side];
  if (percent !== undefined) return percent;
  const { lots, maximumLots: most } = summarizeFutures(ticket, side, context);
  return most === 0 ? 0 : Math.min(100, Math.round((lots / most) * 100));
}

/** An amount in the unit of the field, for a sentence. */
function shownAmount(ticket: Ticket, amount: Decimal, { base, quote, quantityScale }: FuturesContext): string {
  return ticket.priceType === 'AMOUNT'
    ? `${formatDecimal(amount, quantityScale, 0)} ${base}`
    : `${formatDecimal(amount, TOTAL_SCALE)} ${quote}`;
}

function tooSmall(
  ticket: Ticket,
  side: Side,
  lots: number,
  ticks: number,
  context: FuturesContext,
): string | undefined {
  const { minimums } = context;
  if (!minimums || ticket.isReduceOnly) return undefined;
  const refusal = (value: string) =>
    side === 'BUY'
      ? t('Amount must be greater than minimum buy amount ({{value}})', { value })
      : t('Amount must be greater than minimum sell amount ({{value}})', { value });
  const { market } = context.futures;
  const smallest = side === 'BUY' ? minimums.account_balance_limit_spot : minimums.minimum_sell;
  if (smallest !== '0' && lots < lotsOf(market, smallest)) {
    const inCoins = decimal(smallest);
    return refusal(
      shownAmount(
        ticket,
        ticket.priceType === 'AMOUNT' ? inCoins : multiply(inCoins, priceText(market, ticks)),
        context,
      ),
    );
  }
  const least = minimums.minimum_total;
  const value = notionalOf(market.terms, ticks, lots);
  return least !== '0' && value < unitsOf(least)
    ? refusal(`${formatExact(decimal(least))} ${context.quote}`)
    : undefined;
}

function amountError(ticket: Ticket, side: Side, context: FuturesContext): string | undefined {
  const entered = parseDecimal(ticket[side].amount);
  if (!entered || entered.units === 0n) return t('Amount is required');
  const { lots, ticks } = summarizeFutures(ticket, side, context);
  if (ticks === undefined) return undefined;
  const small = tooSmall(ticket, side, lots, ticks, context);
  if (small) return small;
  return lots === 0 ? t('Amount is required') : excessError(ticket, side, context);
}

/** Of an order for more than there is, or than can be closed: it is stated while it is typed. */
export function excessError(ticket: Ticket, side: Side, context: FuturesContext): string | undefined {
  const { lots, ticks, maximumLots: most } = summarizeFutures(ticket, side, context);
  if (ticks === undefined) return undefined;
  // What waits asks for its margin, or for what it closes, when it is triggered.
  if (lots <= most || isConditional(ticket.type)) return undefined;
  if (!ticket.isReduceOnly && context.futures.free === undefined) return undefined;
  const balance = shownAmount(ticket, amountOf(ticket, most, ticks, context.futures), context);
  return ticket.isReduceOnly
    ? t('Only {{amount}} can be closed', { amount: balance })
    : t('Insufficient balance ({{balance}})', { balance });
}

export function futuresErrors(ticket: Ticket, side: Side, context: FuturesContext): OrderErrors {
  const summary = summarizeFutures(ticket, side, context);
  const amount = amountError(ticket, side, context);
  const { term } = context.futures;
  const offer = termOffered(ticket, context.futures);
  const bounds = offer && termBounds(offer, summary, context.futures);
  const wrong = term && termErrors(term, bounds);
  return {
    ...fieldErrors(ticket, side, quantityOf(summary, context), context),
    ...(amount && { amount }),
    ...wrong,
    ...entryErrors(ticket, side, context),
  };
}

const quantityOf = ({ lots }: FuturesSummary, { futures }: FuturesContext): Decimal | undefined =>
  lots === 0 ? undefined : { units: BigInt(lots), scale: futures.market.quantityScale };

/** In the coin that is traded; undefined for less than a lot. */
export const futuresQuantity = (ticket: Ticket, side: Side, context: FuturesContext): Decimal | undefined =>
  quantityOf(summarizeFutures(ticket, side, context), context);

export function futuresRequest(ticket: Ticket, side: Side, context: FuturesContext): OrderRequest {
  const { lots } = summarizeFutures(ticket, side, context);
  const quantity = toShortText({ units: BigInt(lots), scale: context.futures.market.quantityScale });
  const { positionSide } = context.futures;
  const ofPosition = {
    ...(ticket.isReduceOnly && { reduce_only: true }),
    ...(positionSide && { position_side: positionSide }),
  };
  const { type, triggerBy: trigger_by } = ticket;
  const own = { symbol: context.symbol, side, quantity, ...ofPosition };
  if (isConditional(type)) {
    return { conditional: true, body: { ...own, ...triggerTerms(ticket, type, side), trigger_by } };
  }
  const exits = ticket.isReduceOnly ? undefined : exitsRequest(ticket, side, context);
  const common = { ...own, ...(exits && { exits: { ...exits, trigger_by } }) };
  const { term } = context.futures;
  const bound = term && termOffered(ticket, context.futures) ? termRequest(term) : {};
  if (type === 'market') return { conditional: false, body: { ...common, ...bound, type } };
  const price = toShortText(enteredPrice(ticket, side, 'price') ?? decimal('0'));
  const beside = { ...timeTerms(ticket), ...visibleRequest(ticket, side), ...twapRequest(ticket) };
  return { conditional: false, body: { ...common, type: 'limit', price, ...beside } };
}
