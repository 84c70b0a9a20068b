/** What a person has entered into the order form, and how it changes. */
import type { ConditionalKind } from '@cambist/contract/conditional-orders.ts';
import type { Order, timeInForce } from '@cambist/contract/trading.ts';
import type { z } from 'zod';

export type Side = Order['delegate_type'];
export type OrderType = 'market' | 'limit' | ConditionalKind;
/** Whether the field counts the base coin or USDT. */
export type PriceType = 'AMOUNT' | 'TOTAL';
export type TimeInForce = z.infer<typeof timeInForce>;

/** The prices that some type of order asks for; `callback` is a percentage. */
export type PriceName = 'takeProfit' | 'stop' | 'price' | 'callback' | 'activation';

export interface SideEntry extends Readonly<Record<PriceName, string>> {
  /** As typed: base coin or USDT by `priceType`. */
  readonly amount: string;
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
  | { readonly kind: 'price'; readonly side: Side; readonly name: PriceName; readonly price: string }
  | { readonly kind: 'take-price'; readonly price: string }
  | { readonly kind: 'sent'; readonly side: Side }
  | { readonly kind: 'pair' };

/** What each type asks for, in the order of the form. */
export const PRICES_OF: Readonly<Record<OrderType, readonly PriceName[]>> = {
  market: [],
  limit: ['price'],
  stop_limit: ['stop', 'price'],
  stop_market: ['stop'],
  take_profit_limit: ['takeProfit', 'price'],
  take_profit_market: ['takeProfit'],
  oco: ['takeProfit', 'stop', 'price'],
  trailing_stop: ['callback', 'activation'],
};

/** Whether the order that reaches the book in the end is a market order. */
export function endsAtMarket(type: OrderType): boolean {
  return !PRICES_OF[type].includes('price');
}

export function isConditional(type: OrderType): type is ConditionalKind {
  return type !== 'market' && type !== 'limit';
}

const EMPTY: SideEntry = {
  amount: '',
  percent: undefined,
  takeProfit: '',
  stop: '',
  price: '',
  callback: '1',
  activation: '',
};

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

function withBoth(ticket: Ticket, change: Partial<SideEntry>): Ticket {
  return withSide(withSide(ticket, 'BUY', change), 'SELL', change);
}

export function ticketReducer(ticket: Ticket, action: TicketAction): Ticket {
  switch (action.kind) {
    case 'type':
      if (action.type === ticket.type) return ticket;
      // The price of an order that waits for a trigger is another wish than that of one that is placed now.
      if (isConditional(action.type) || isConditional(ticket.type)) {
        return withBoth({ ...ticket, type: action.type }, { price: '' });
      }
      return { ...ticket, type: action.type };
    case 'price-type':
      return withBoth({ ...ticket, priceType: action.priceType }, { amount: '', percent: undefined });
    case 'time-in-force':
      return { ...ticket, timeInForce: action.timeInForce };
    case 'amount':
      return withSide(ticket, action.side, { amount: action.amount, percent: undefined });
    case 'percent':
      return withSide(ticket, action.side, { amount: action.amount, percent: action.percent });
    case 'price':
      return withSide(ticket, action.side, { [action.name]: action.price });
    case 'take-price': {
      // A price that was pointed at while the market is chosen is a wish for a limit order at it.
      const type = endsAtMarket(ticket.type) ? 'limit' : ticket.type;
      return withBoth({ ...ticket, type }, { price: action.price });
    }
    case 'sent':
      return withSide(ticket, action.side, { amount: '', percent: undefined });
    case 'pair':
      // Another pair has other prices; nothing that was typed holds for it.
      return { ...ticket, BUY: EMPTY, SELL: EMPTY };
  }
}
