/** Pure arithmetic of an order before it is sent: what it costs, what it brings, and what of it is known. */
import {
  compare,
  type Decimal,
  decimal,
  divide,
  multiply,
  parseDecimal,
  rescale,
  share,
  toShortText,
  ZERO,
} from '../../../lib/decimal.ts';
import type { BookView } from '../../../lib/order-book/book-state.ts';
import { type Impact, impactOf } from '../../../lib/order-book/market-impact.ts';
import type { Minimums } from './order-types.ts';
import { type ExitName, endsAtMarket, isConditional, type PriceName, type Side, type Ticket } from './ticket.ts';

/** What the arithmetic needs to know of the pair and of the person's funds. */
export interface OrderContext {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly priceScale: number;
  readonly quantityScale: number;
  readonly lastPrice: string;
  /** Of a spot market, what its band is measured from; empty or undefined while it is not known. */
  readonly reference?: string | undefined;
  /** Of a perpetual; empty while they are not known. */
  readonly marks?: Readonly<Record<'mark' | 'index', string>> | undefined;
  /** Undefined while it is not known: then nothing is more than there is. */
  readonly availableBase: string | undefined;
  readonly availableQuote: string | undefined;
  /** Undefined for visitors: nothing is known to be too small. */
  readonly minimums: Minimums | undefined;
  /** Undefined until the book is here; estimates then take the last price. */
  readonly book?: BookView | undefined;
}

export interface OrderSummary {
  /** Base coin; an estimate on an order by total. */
  readonly quantity: Decimal | undefined;
  /** Quote coin; an estimate on a market order by amount. */
  readonly total: Decimal | undefined;
  /** The limit, the average that the book gives a market order, or the trigger of one that waits. */
  readonly price: Decimal | undefined;
  /** In the coin that is received, at the taker's rate; of the end that brings more where there are two. */
  readonly fee: Decimal | undefined;
  /** After the fee. */
  readonly receive: Decimal | undefined;
  /** A market order that is sized by money. */
  readonly byTotal: boolean;
  /** Of a market order that goes out now. */
  readonly impact: Impact | undefined;
}

/** Totals are entered and shared out in cents. */
export const TOTAL_SCALE = 2;

/** A trailing distance is in percent with two decimals. */
const PERCENT_SCALE = 2;

/** Decimals that a field of the form may have. */
export function scaleOf(
  field: PriceName | ExitName | 'amount' | 'visible',
  ticket: Ticket,
  context: OrderContext,
): number {
  if ((field === 'takeProfitExit' || field === 'stopExit') && ticket.exitsIn === 'percent') return PERCENT_SCALE;
  if (field === 'visible') return context.quantityScale;
  if (field === 'amount') return ticket.priceType === 'AMOUNT' ? context.quantityScale : TOTAL_SCALE;
  return field === 'callback' ? PERCENT_SCALE : context.priceScale;
}

export function availableOf(side: Side, context: OrderContext): Decimal | undefined {
  const available = side === 'BUY' ? context.availableQuote : context.availableBase;
  return available === undefined ? undefined : decimal(available);
}

/** A price of the entry; undefined while it is not above zero. */
export function enteredPrice(ticket: Ticket, side: Side, name: PriceName | ExitName | 'visible'): Decimal | undefined {
  const price = parseDecimal(ticket[side][name]);
  return price && price.units > 0n ? price : undefined;
}

/** An OCO without a limit price for its stop sells or buys at market there. */
export const stopsAtMarket = (ticket: Ticket, side: Side): boolean =>
  ticket.type === 'oco' && enteredPrice(ticket, side, 'price') === undefined;

/** The price that amounts are converted with. */
export function priceOf(ticket: Ticket, side: Side, context: OrderContext): Decimal | undefined {
  const entered = (name: PriceName) => enteredPrice(ticket, side, name);
  const last = parseDecimal(context.lastPrice);
  switch (ticket.type) {
    case 'market':
      return last && last.units > 0n ? last : undefined;
    case 'stop_market':
      return entered('stop');
    case 'take_profit_market':
      return entered('takeProfit');
    case 'oco':
      return entered('price') ?? entered('stop');
    case 'trailing_stop':
      return entered('activation') ?? last;
    default:
      return entered('price');
  }
}

/** The share of the balance that the slider asks for, in the unit of the field. */
export function amountForPercent(ticket: Ticket, side: Side, percent: number, context: OrderContext): string {
  if (percent === 0) return '0';
  const price = priceOf(ticket, side, context);
  const inBase = ticket.priceType === 'AMOUNT';
  const available = availableOf(side, context);
  if (available === undefined) return '';
  const wanted = share(available, percent, side === 'BUY' ? TOTAL_SCALE : context.quantityScale);
  if (side === 'BUY') {
    if (!inBase) return toShortText(wanted);
    return price ? toShortText(divide(wanted, price, context.quantityScale, 'floor') ?? ZERO) : '';
  }
  if (inBase) return toShortText(wanted);
  return price ? toShortText(rescale(multiply(wanted, price), TOTAL_SCALE, 'floor')) : '';
}

/** How far the entered amount goes into the balance, 0 to 100; for the slider's handle. */
export function percentOf(ticket: Ticket, side: Side, context: OrderContext): number {
  const known = ticket[side].percent;
  if (known !== undefined) return known;
  const { quantity, total } = summarize(ticket, side, context);
  const used = side === 'BUY' ? total : quantity;
  const whole = availableOf(side, context);
  if (!used || !whole || whole.units <= 0n) return 0;
  const percent = divide(multiply(used, { units: 100n, scale: 0 }), whole, 0, 'nearest');
  return Math.min(100, Number(percent?.units ?? 0n));
}

interface Sizes {
  readonly quantity: Decimal | undefined;
  readonly total: Decimal | undefined;
  readonly byTotal: boolean;
}

const NOTHING: Sizes = { quantity: undefined, total: undefined, byTotal: false };

function sizedByTotal(total: Decimal, price: Decimal | undefined, scale: number): Sizes {
  return { total, quantity: price && divide(total, price, scale, 'floor'), byTotal: true };
}

function sizedByQuantity(quantity: Decimal | undefined, price: Decimal | undefined): Sizes {
  return { quantity, total: quantity && price && multiply(quantity, price), byTotal: false };
}

function sizes(ticket: Ticket, side: Side, context: OrderContext, price: Decimal | undefined): Sizes {
  const { amount, percent } = ticket[side];
  const scale = context.quantityScale;
  const atMarket = endsAtMarket(ticket.type);
  // A share of the balance in a market buy is money to spend: a quantity could outgrow the balance while prices move.
  const available = availableOf(side, context);
  if (available && percent !== undefined && percent > 0) {
    if (atMarket && side === 'BUY') return sizedByTotal(share(available, percent, TOTAL_SCALE), price, scale);
    if (side === 'SELL') return sizedByQuantity(share(available, percent, scale), price);
  }
  const entered = parseDecimal(amount);
  if (!entered) return NOTHING;
  // What waits to buy at market holds money, so its amount is turned into what it may spend.
  const holdsMoney = atMarket && isConditional(ticket.type) && side === 'BUY';
  if (ticket.priceType === 'AMOUNT') {
    if (!holdsMoney) return sizedByQuantity(entered, price);
    return price ? { ...sizedByQuantity(entered, price), ...spendable(entered, price) } : NOTHING;
  }
  if (atMarket && (holdsMoney || ticket.type === 'market')) return sizedByTotal(entered, price, scale);
  // An order at a limit counts whole lots, so its total is what those lots cost.
  return { ...sizedByQuantity(price && divide(entered, price, scale, 'floor'), price) };
}

function spendable(quantity: Decimal, price: Decimal) {
  return { total: rescale(multiply(quantity, price), TOTAL_SCALE, 'ceil'), byTotal: true };
}

function marketImpact(side: Side, context: OrderContext, { quantity, total, byTotal }: Sizes): Impact | undefined {
  const size = byTotal ? total : quantity;
  const levels = side === 'BUY' ? context.book?.asks : context.book?.bids;
  return size && levels && impactOf(levels, { size, byTotal }, context);
}

export function summarize(ticket: Ticket, side: Side, context: OrderContext): OrderSummary {
  const basis = priceOf(ticket, side, context);
  const first = sizes(ticket, side, context, basis);
  const impact = ticket.type === 'market' ? marketImpact(side, context, first) : undefined;
  const price = impact?.average ?? basis;
  const { quantity, total, byTotal } = impact ? sizes(ticket, side, context, price) : first;
  const received = side === 'BUY' ? quantity : total;
  const scale = side === 'BUY' ? 8 : 6;
  const own = received && takerFee(received, scale, context);
  const receive = received && own && { units: rescale(received, scale, 'floor').units - own.units, scale };
  const target = ticket.type === 'oco' && side === 'SELL' ? enteredPrice(ticket, side, 'takeProfit') : undefined;
  const better = target && quantity && takerFee(multiply(quantity, target), scale, context);
  const fee = better && own && compare(better, own) > 0 ? better : own;
  return { quantity, total, price, fee, receive, byTotal, impact };
}

function takerFee(received: Decimal, scale: number, { minimums }: OrderContext): Decimal {
  const percent = decimal(minimums?.taker_fee_percent);
  return rescale(multiply(received, { units: percent.units, scale: percent.scale + 2 }), scale, 'ceil');
}
