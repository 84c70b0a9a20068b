/** Pure arithmetic of an order before it is sent: what it costs, what it brings, whether it can be sent, and its call. */

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
import type { BodyOfOrder, Minimums } from './order-types.ts';
import type { Side, Ticket } from './ticket.ts';

/** What the arithmetic needs to know of the pair and of the person's funds. */
export interface OrderContext {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly priceScale: number;
  readonly quantityScale: number;
  readonly lastPrice: string;
  readonly availableBase: string;
  readonly availableQuote: string;
  /** Undefined for visitors: nothing is known to be too small. */
  readonly minimums: Minimums | undefined;
}

export interface OrderSummary {
  /** Base coin; an estimate on a market order by total. */
  readonly quantity: Decimal | undefined;
  /** Quote coin; an estimate on a market order by amount. */
  readonly total: Decimal | undefined;
  /** The limit, or the last price that a market order is estimated with. */
  readonly price: Decimal | undefined;
  /** In the coin that is received, at the taker's rate. */
  readonly fee: Decimal | undefined;
  /** After the fee. */
  readonly receive: Decimal | undefined;
  /** A market buy that spends a fixed total. */
  readonly byTotal: boolean;
}

/** Totals are entered and shared out in cents. */
export const TOTAL_SCALE = 2;

export function availableOf(side: Side, context: OrderContext): Decimal {
  return decimal(side === 'BUY' ? context.availableQuote : context.availableBase);
}

function priceOf(ticket: Ticket, side: Side, context: OrderContext): Decimal | undefined {
  const price = ticket.type === 'limit' ? parseDecimal(ticket[side].price) : parseDecimal(context.lastPrice);
  return price && price.units > 0n ? price : undefined;
}

/** The share of the balance that the slider asks for, in the unit of the field. */
export function amountForPercent(ticket: Ticket, side: Side, percent: number, context: OrderContext): string {
  if (percent === 0) return '0';
  const price = priceOf(ticket, side, context);
  const inBase = ticket.priceType === 'AMOUNT';
  const wanted = share(availableOf(side, context), percent, side === 'BUY' ? TOTAL_SCALE : context.quantityScale);
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
  if (!used || whole.units <= 0n) return 0;
  const percent = divide(multiply(used, { units: 100n, scale: 0 }), whole, 0, 'nearest');
  return Math.min(100, Number(percent?.units ?? 0n));
}

function sizes(ticket: Ticket, side: Side, context: OrderContext, price: Decimal | undefined) {
  const { amount, percent } = ticket[side];
  const entered = parseDecimal(amount);
  // A share of the balance in a market buy is money to spend: a quantity could outgrow the balance while prices move.
  const spends = ticket.type === 'market' && side === 'BUY' && percent !== undefined && percent > 0;
  if (spends) {
    const total = share(availableOf('BUY', context), percent, TOTAL_SCALE);
    return { total, quantity: price && divide(total, price, context.quantityScale, 'floor'), byTotal: true };
  }
  if (side === 'SELL' && percent !== undefined && percent > 0) {
    const quantity = share(availableOf('SELL', context), percent, context.quantityScale);
    return { quantity, total: price && multiply(quantity, price), byTotal: false };
  }
  if (!entered) return { total: undefined, quantity: undefined, byTotal: false };
  if (ticket.priceType === 'AMOUNT') {
    return { quantity: entered, total: price && multiply(entered, price), byTotal: false };
  }
  const quantity = price && divide(entered, price, context.quantityScale, 'floor');
  // A limit order counts whole lots, so its total is what those lots cost.
  const total = ticket.type === 'limit' && quantity && price ? multiply(quantity, price) : entered;
  return { total, quantity, byTotal: ticket.type === 'market' };
}

export function summarize(ticket: Ticket, side: Side, context: OrderContext): OrderSummary {
  const price = priceOf(ticket, side, context);
  const { quantity, total, byTotal } = sizes(ticket, side, context, price);
  const received = side === 'BUY' ? quantity : total;
  const percent = decimal(context.minimums?.taker_fee_percent);
  const scale = side === 'BUY' ? 8 : 6;
  const exactFee = received && multiply(received, { units: percent.units, scale: percent.scale + 2 });
  const fee = exactFee && rescale(exactFee, scale, 'ceil');
  const receive = received && fee && { units: rescale(received, scale, 'floor').units - fee.units, scale };
  return { quantity, total, price, fee, receive, byTotal };
}

function tooSmall(ticket: Ticket, side: Side, summary: OrderSummary, context: OrderContext): string | undefined {
  const { minimums } = context;
  if (!minimums) return undefined;
  const smallest = side === 'BUY' ? minimums.account_balance_limit_spot : minimums.minimum_sell;
  const word = side === 'BUY' ? 'buy' : 'sell';
  const refusal = (value: string) => `Amount must be greater than minimum ${word} amount (${value})`;
  const counted = ticket.priceType === 'AMOUNT' || ticket.type === 'limit';
  if (counted && smallest !== '0' && summary.quantity && compare(summary.quantity, decimal(smallest)) < 0) {
    return refusal(`${toShortText(decimal(smallest))} ${context.base}`);
  }
  const least = minimums.minimum_total;
  if (least !== '0' && summary.total && compare(summary.total, decimal(least)) < 0) {
    return refusal(`${toShortText(decimal(least))} ${context.quote}`);
  }
  return undefined;
}

export interface OrderErrors {
  readonly price?: string;
  readonly amount?: string;
}

/** Everything that is wrong with the entry, with the exact texts of the specification; empty when it can be sent. */
export function orderErrors(ticket: Ticket, side: Side, context: OrderContext): OrderErrors {
  const summary = summarize(ticket, side, context);
  const price = ticket.type === 'limit' && !summary.price ? { price: 'Price is required' } : {};
  const entered = parseDecimal(ticket[side].amount);
  if (!entered || entered.units === 0n) return { ...price, amount: 'Amount is required' };
  const small = tooSmall(ticket, side, summary, context);
  if (small) return { ...price, amount: small };
  const needed = side === 'BUY' ? summary.total : summary.quantity;
  const available = availableOf(side, context);
  if (needed && compare(needed, available) > 0) {
    const coin = side === 'BUY' ? context.quote : context.base;
    return { ...price, amount: `Insufficient balance (${toShortText(available)} ${coin})` };
  }
  return price;
}

/** The call of an entry without errors. Decimals are written the one way that the engine reads. */
export function orderBody(ticket: Ticket, side: Side, context: OrderContext): BodyOfOrder {
  const { quantity, total, price, byTotal } = summarize(ticket, side, context);
  const size = byTotal
    ? { quote_total: toShortText(total ?? ZERO) }
    : { quantity: toShortText(rescale(quantity ?? ZERO, context.quantityScale, 'floor')) };
  const common = { symbol: context.symbol, side, type: ticket.type, ...size };
  if (ticket.type === 'market') return common;
  return { ...common, price: toShortText(price ?? ZERO), time_in_force: ticket.timeInForce };
}
