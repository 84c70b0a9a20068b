/** What a person has entered into the order form, and how it changes. */
import type { Order, timeInForce } from '@cambist/contract/trading.ts';
import type { z } from 'zod';

export type Side = Order['delegate_type'];
export type OrderType = 'market' | 'limit';
/** Whether the field counts the base coin or USDT. */
export type PriceType = 'AMOUNT' | 'TOTAL';
export type TimeInForce = z.infer<typeof timeInForce>;

export interface SideEntry {
  /** As typed: base coin or USDT by `priceType`. */
  readonly amount: string;
  /** Limit price as typed. */
  readonly price: string;
  /** Set while the amount came from the slider: the share of the balance that the order is about. */
  readonly percent: number | undefined;
}

export interface Ticket {
  readonly type: OrderType;
  readonly priceType: PriceType;
  readonly timeInForce: TimeInForce;
  readonly BUY: SideEntry;
  readonly SELL: SideEntry;
}

export type TicketAction =
  | { readonly kind: 'type'; readonly type: OrderType }
  | { readonly kind: 'price-type'; readonly priceType: PriceType }
  | { readonly kind: 'time-in-force'; readonly timeInForce: TimeInForce }
  | { readonly kind: 'amount'; readonly side: Side; readonly amount: string }
  | { readonly kind: 'percent'; readonly side: Side; readonly percent: number; readonly amount: string }
  | { readonly kind: 'price'; readonly side: Side; readonly price: string }
  | { readonly kind: 'take-price'; readonly price: string }
  | { readonly kind: 'sent'; readonly side: Side }
  | { readonly kind: 'pair' };

const EMPTY: SideEntry = { amount: '', price: '', percent: undefined };

export const NEW_TICKET: Ticket = {
  type: 'market',
  priceType: 'AMOUNT',
  timeInForce: 'GTC',
  BUY: EMPTY,
  SELL: EMPTY,
};

function withSide(ticket: Ticket, side: Side, change: Partial<SideEntry>): Ticket {
  return { ...ticket, [side]: { ...ticket[side], ...change } };
}

export function ticketReducer(ticket: Ticket, action: TicketAction): Ticket {
  switch (action.kind) {
    case 'type':
      return { ...ticket, type: action.type };
    case 'price-type': {
      const cleared = { amount: '', percent: undefined };
      return withSide(withSide({ ...ticket, priceType: action.priceType }, 'BUY', cleared), 'SELL', cleared);
    }
    case 'time-in-force':
      return { ...ticket, timeInForce: action.timeInForce };
    case 'amount':
      return withSide(ticket, action.side, { amount: action.amount, percent: undefined });
    case 'percent':
      return withSide(ticket, action.side, { amount: action.amount, percent: action.percent });
    case 'price':
      return withSide(ticket, action.side, { price: action.price });
    case 'take-price': {
      // A price that was pointed at is a wish for a limit order at it.
      const price = { price: action.price };
      return withSide(withSide({ ...ticket, type: 'limit' }, 'BUY', price), 'SELL', price);
    }
    case 'sent':
      return withSide(ticket, action.side, { amount: '', percent: undefined });
    case 'pair':
      // Another pair has other prices; nothing that was typed holds for it.
      return { ...ticket, BUY: EMPTY, SELL: EMPTY };
  }
}

/** Keeps digits and one point, and no more decimals than count. */
export function cleanDecimal(text: string, scale: number): string {
  const kept = text.replace(/,/g, '.').replace(/[^\d.]/g, '');
  const [whole = '', ...rest] = kept.split('.');
  if (rest.length === 0) return whole;
  return scale === 0 ? whole : `${whole}.${rest.join('').slice(0, scale)}`;
}
