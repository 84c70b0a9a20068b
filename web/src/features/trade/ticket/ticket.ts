/** What a person has entered into the order form, and how it changes. */
import type { ConditionalKind, TriggerSource } from '@cambist/contract/conditional-orders.ts';
import type { Order, timeInForce } from '@cambist/contract/trading.ts';
import type { z } from 'zod';

export type Side = Order['delegate_type'];
export type OrderType = 'market' | 'limit' | 'twap' | ConditionalKind;
/** Whether the field counts the base coin or USDT. */
export type PriceType = 'AMOUNT' | 'TOTAL';
export type TimeInForce = z.infer<typeof timeInForce>;

/** The prices that some type of order asks for; `callback` is a percentage. */
export type PriceName = 'takeProfit' | 'stop' | 'price' | 'callback' | 'activation';

/** What may be attached to a market or limit order. */
export const EXITS = ['takeProfitExit', 'stopExit'] as const;
export type ExitName = (typeof EXITS)[number];
/** How exits are entered: as prices, or as percent from the order's own price. */
export type ExitUnit = 'price' | 'percent';

export interface SideEntry extends Readonly<Record<PriceName | ExitName, string>> {
  /** Of an iceberg, in base coin. */
  readonly visible: string;
  /** As typed: base coin or USDT by `priceType`. */
  readonly amount: string;
  /** Set while the amount came from the slider: the share of the balance that the order is about. */
  readonly percent: number | undefined;
  /** Whether the client chose the price; until then a limit order begins at the last one. */
  readonly isPriceChosen: boolean;
}

export interface Ticket {
  readonly type: OrderType;
  readonly priceType: PriceType;
  readonly timeInForce: TimeInForce;
  /** Undefined while the part of the form with the exits is closed. */
  readonly exitsIn: ExitUnit | undefined;
  /** Whether a limit order shows a part of itself at a time. */
  readonly isIceberg: boolean;
  /** Of a perpetual: the order closes what is open, and opens nothing. */
  readonly isReduceOnly: boolean;
  /** The price that triggers the order or its exits. */
  readonly triggerBy: TriggerSource;
  /** Of a TWAP, as typed: how long it takes, and how far apart its slices are. */
  readonly duration: string;
  readonly interval: string;
  readonly BUY: SideEntry;
  readonly SELL: SideEntry;
}

export type TicketAction =
  | { readonly kind: 'type'; readonly type: OrderType }
  | { readonly kind: 'price-type'; readonly priceType: PriceType }
  | { readonly kind: 'time-in-force'; readonly timeInForce: TimeInForce }
  | { readonly kind: 'amount'; readonly side: Side; readonly amount: string }
  | { readonly kind: 'percent'; readonly side: Side; readonly percent: number; readonly amount: string }
  | { readonly kind: 'price'; readonly side: Side; readonly name: PriceName | ExitName; readonly price: string }
  | { readonly kind: 'iceberg'; readonly isIceberg: boolean }
  | { readonly kind: 'reduce-only'; readonly isReduceOnly: boolean }
  | { readonly kind: 'trigger-by'; readonly triggerBy: TriggerSource }
  | { readonly kind: 'visible'; readonly side: Side; readonly amount: string }
  | { readonly kind: 'schedule'; readonly duration?: string; readonly interval?: string }
  | { readonly kind: 'exits'; readonly unit: ExitUnit | undefined }
  | { readonly kind: 'take-price'; readonly price: string }
  /** The last price, for a limit order without a chosen price. */
  | { readonly kind: 'begin-at'; readonly price: string }
  | { readonly kind: 'sent'; readonly side: Side }
  | { readonly kind: 'pair' }
  /** Another terminal, with other types of orders. */
  | { readonly kind: 'terminal'; readonly priceType: PriceType; readonly triggerBy: TriggerSource };

/** What each type asks for, in the order of the form. */
export const PRICES_OF: Readonly<Record<OrderType, readonly PriceName[]>> = {
  market: [],
  limit: ['price'],
  twap: ['price'],
  stop_limit: ['stop', 'price'],
  stop_market: ['stop'],
  take_profit_limit: ['takeProfit', 'price'],
  take_profit_market: ['takeProfit'],
  oco: ['takeProfit', 'stop', 'price'],
  trailing_stop: ['callback', 'activation'],
};

/** Whether exits are attached to the order: what waits for a trigger is an exit itself, and a TWAP has none. */
export function hasExits({ type, exitsIn }: Ticket): boolean {
  return exitsIn !== undefined && (type === 'market' || type === 'limit');
}

/** Whether the order is an iceberg. */
export function showsPart({ type, isIceberg }: Ticket): boolean {
  return isIceberg && type === 'limit';
}

/** Whether the order has a limit price from the beginning, and begins at the last price. */
export function isLimit(type: OrderType): type is 'limit' | 'twap' {
  return type === 'limit' || type === 'twap';
}

/** Whether the order that reaches the book in the end is a market order. */
export function endsAtMarket(type: OrderType): boolean {
  return !PRICES_OF[type].includes('price');
}

/** Whether the person says how long the order stays: a market order does not stay, and a TWAP has an end of its own. */
export function hasTimeInForce(type: OrderType): boolean {
  return !endsAtMarket(type) && type !== 'twap';
}

export function isConditional(type: OrderType): type is ConditionalKind {
  return type !== 'market' && !isLimit(type);
}

const NO_EXITS = { takeProfitExit: '', stopExit: '' };
const NO_OPTIONS = { ...NO_EXITS, visible: '' };

const EMPTY: SideEntry = {
  amount: '',
  percent: undefined,
  isPriceChosen: false,
  takeProfit: '',
  stop: '',
  price: '',
  callback: '1',
  activation: '',
  ...NO_OPTIONS,
};

export const NEW_TICKET: Ticket = {
  type: 'market',
  priceType: 'AMOUNT',
  timeInForce: 'GTC',
  exitsIn: undefined,
  isIceberg: false,
  isReduceOnly: false,
  triggerBy: 'last',
  duration: '30m',
  interval: '1m',
  BUY: EMPTY,
  SELL: EMPTY,
};

function withSide(ticket: Ticket, side: Side, change: Partial<SideEntry>): Ticket {
  return { ...ticket, [side]: { ...ticket[side], ...change } };
}

function withBoth(ticket: Ticket, change: Partial<SideEntry>): Ticket {
  return withSide(withSide(ticket, 'BUY', change), 'SELL', change);
}

const SIDES: readonly Side[] = ['BUY', 'SELL'];

function withType(ticket: Ticket, type: OrderType): Ticket {
  if (type === ticket.type) return ticket;
  // The price of an order that waits for a trigger is another wish than that of one that is placed now.
  const isOtherWish = isConditional(type) || isConditional(ticket.type);
  return SIDES.reduce<Ticket>(
    (changed, side) =>
      isOtherWish || !changed[side].isPriceChosen
        ? withSide(changed, side, { price: '', isPriceChosen: false })
        : changed,
    { ...ticket, type },
  );
}

/** Once, not with every trade: a price that moves by itself is none that a client has agreed to. */
function beginAt(ticket: Ticket, price: string): Ticket {
  if (!isLimit(ticket.type)) return ticket;
  return SIDES.reduce<Ticket>((changed, side) => {
    const { isPriceChosen, price: known } = changed[side];
    return isPriceChosen || known !== '' ? changed : withSide(changed, side, { price });
  }, ticket);
}

export function ticketReducer(ticket: Ticket, action: TicketAction): Ticket {
  switch (action.kind) {
    case 'type':
      return withType(ticket, action.type);
    case 'price-type':
      return withBoth({ ...ticket, priceType: action.priceType }, { amount: '', percent: undefined });
    case 'time-in-force':
      return { ...ticket, timeInForce: action.timeInForce };
    case 'amount':
      return withSide(ticket, action.side, { amount: action.amount, percent: undefined });
    case 'percent':
      return withSide(ticket, action.side, { amount: action.amount, percent: action.percent });
    case 'price':
      return withSide(ticket, action.side, {
        [action.name]: action.price,
        ...(action.name === 'price' ? { isPriceChosen: true } : {}),
      });
    case 'exits':
      return withBoth({ ...ticket, exitsIn: action.unit }, NO_EXITS);
    case 'iceberg':
      return withBoth({ ...ticket, isIceberg: action.isIceberg }, { visible: '' });
    case 'reduce-only':
      return withBoth({ ...ticket, isReduceOnly: action.isReduceOnly }, { amount: '', percent: undefined });
    case 'trigger-by':
      return { ...ticket, triggerBy: action.triggerBy };
    case 'schedule':
      return { ...ticket, duration: action.duration ?? ticket.duration, interval: action.interval ?? ticket.interval };
    case 'visible':
      return withSide(ticket, action.side, { visible: action.amount });
    case 'take-price': {
      // A price that was pointed at while the market is chosen is a wish for a limit order at it.
      const type = endsAtMarket(ticket.type) ? 'limit' : ticket.type;
      return withBoth({ ...ticket, type }, { price: action.price, isPriceChosen: true });
    }
    case 'begin-at':
      return beginAt(ticket, action.price);
    case 'sent':
      return withSide(ticket, action.side, { amount: '', percent: undefined, ...NO_OPTIONS });
    case 'pair':
      // Another pair has other prices; nothing that was typed holds for it.
      return { ...ticket, BUY: EMPTY, SELL: EMPTY };
    case 'terminal':
      return { ...NEW_TICKET, priceType: action.priceType, triggerBy: action.triggerBy };
  }
}
