/**
 * How events are laid out in the log's buffer. A record is two or three units of 64 bytes, read through three views:
 * 32-bit words, doubles and int64. Units start at multiples of 16 words, so the index of a field is `at | FIELD` in
 * words and `(at >> 1) | FIELD` in doubles or int64, which costs one instruction and needs no overflow check.
 *
 * An order's record is all that is known of it after a change. A trade's record begins with the maker's, because one
 * never comes without the other.
 */
import type { CancelReason, OrderStatus } from '../orders/order-state.ts';
import {
  BUY,
  NET,
  type OrderType,
  type PositionLeg,
  type PositionSide,
  type SelfTradeMode,
  type Side,
  type TimeInForce,
} from '../terms/order-terms.ts';

/** Words in a unit. */
export const UNIT_WORDS = 16;

export const RecordKind = {
  /** Two units. */
  ORDER: 1,
  /** Three units. */
  TRADE: 2,
  /** One unit: an event that is an object; PRICE is its index among them. */
  OBJECT: 3,
  /** One unit: a position has changed; PRICE is where its record begins, see position-records.ts. */
  POSITION: 4,
} as const;

/** Words of an order's first unit. */
export const RecordWord = {
  KIND: 0,
  /** Index of the market × 2 + side. */
  BOOK_SIDE: 1,
  PRICE: 8,
  QUANTITY: 9,
  REMAINING: 10,
  /** Status and reason, terms, and flags. */
  CODES: 11,
} as const;

/** Doubles and int64 of an order's first unit. */
export const RecordDouble = {
  ORDER_ID: 1,
  OWNER: 2,
  PRIORITY: 3,
  /** int64: units moved to held (above zero) or back (below). */
  HELD: 6,
  CREATED_AT: 7,
} as const;

/** Words of an order's second unit: what rested before. */
export const BEFORE_PRICE = 0;
export const BEFORE_LOTS = 1;
/** Of an iceberg or a TWAP: lots that are not in the book, now and before, and how many it shows at a time; 0 for other orders. */
export const HIDDEN = 12;
export const BEFORE_HIDDEN = 13;
export const VISIBLE = 14;
/** Of a trade. */
export const TRADE_LOTS = 15;

/** Doubles and int64 of an order's second unit. */
export const FigureDouble = {
  TIME: 1,
  /** int64, like the rest. */
  FILLED_VALUE: 2,
  FEE: 3,
  CREDIT: 4,
  QUOTE_TOTAL: 5,
} as const;

/** The third unit of a trade: doubles and int64. */
export const TradeDouble = {
  TRADE_ID: 0,
  TAKER_ORDER_ID: 1,
  TAKER_OWNER: 2,
  /** The market's reference price after it, in parts of a tick; 0 where it has not changed. */
  REFERENCE: 3,
  /** int64, like the rest. */
  BUYER_FEE: 4,
  SELLER_FEE: 5,
  BUYER_CREDIT: 6,
  SELLER_CREDIT: 7,
} as const;

/**
 * Codes: status in two bits, reason in four, time in force in two, type in one, self-trade mode in two, then whether the
 * order is new, whether what remains of it rests in the book, whether it only reduces a position, and whether its owner is in
 * hedge mode.
 */
export const STATUS_MASK = 3;
export const REASON_SHIFT = 2;
export const REASON_MASK = 15;
export const TERMS_SHIFT = 6;
export const IS_NEW = 1 << 11;
export const IS_RESTING = 1 << 12;
/** Of an order of a perpetual that only reduces a position. */
export const IS_REDUCING = 1 << 13;
/** Of an order of a perpetual in hedge mode, which trades one leg alone. */
export const IS_HEDGED = 1 << 14;
/** Terms: time in force in two bits, type in one, self-trade mode in two, whether the order only reduces and whether it is of a leg. */
export const TERMS_MASK = (31 << TERMS_SHIFT) | IS_REDUCING | IS_HEDGED;

/** Codes are indexes in these lists. */
export const TYPES: readonly OrderType[] = ['limit', 'market'];
export const TIMES_IN_FORCE: readonly TimeInForce[] = ['GTC', 'IOC', 'FOK', 'POST_ONLY'];
export const SELF_TRADE_MODES: readonly SelfTradeMode[] = [
  'CANCEL_NEWEST',
  'CANCEL_OLDEST',
  'CANCEL_BOTH',
  'DECREMENT',
];
export const STATUSES: readonly OrderStatus[] = ['open', 'filled', 'cancelled'];
export const REASONS: readonly CancelReason[] = [
  'NONE',
  'BY_OWNER',
  'UNFILLED_REMAINDER',
  'SELF_TRADE',
  'PRICE_BAND',
  'INSUFFICIENT_FUNDS',
  'MARKET_CLEARED',
  'TIME_UP',
  'NOTHING_TO_CLOSE',
  'LIQUIDATED',
  'BY_OPERATOR',
];

/** An order's last state, as a pair of codes: what it is and why. */
export const Ending = {
  OPEN: 0,
  FILLED: 1,
  CANCELLED_BY_OWNER: 2 | (1 << 2),
  CANCELLED_UNFILLED: 2 | (2 << 2),
  CANCELLED_SELF_TRADE: 2 | (3 << 2),
  CANCELLED_PRICE_BAND: 2 | (4 << 2),
  CANCELLED_MARKET_CLEARED: 2 | (6 << 2),
  CANCELLED_TIME_UP: 2 | (7 << 2),
  /** It only reduced, and a later order closes the same. */
  CANCELLED_NOTHING_TO_CLOSE: 2 | (8 << 2),
  /** Its reserve had to pay for a loss. */
  CANCELLED_LIQUIDATED: 2 | (9 << 2),
  CANCELLED_BY_OPERATOR: 2 | (10 << 2),
  /** Open still, but smaller because it met an order of its own owner. */
  OPEN_AFTER_SELF_TRADE: 0 | (3 << 2),
} as const;
export type Ending = (typeof Ending)[keyof typeof Ending];

/** An order's terms as codes, in place. */
export function termsCode(
  type: OrderType,
  timeInForce: TimeInForce,
  selfTrade: SelfTradeMode,
  reduceOnly = false,
  isHedged = false,
): number {
  const terms = (timeInForceCode(timeInForce) << 6) | ((type === 'limit' ? 0 : 1) << 8);
  const flags = (reduceOnly ? IS_REDUCING : 0) | (isHedged ? IS_HEDGED : 0);
  return terms | (selfTradeCode(selfTrade) << 9) | flags;
}

function timeInForceCode(timeInForce: TimeInForce): number {
  switch (timeInForce) {
    case 'GTC':
      return 0;
    case 'IOC':
      return 1;
    case 'FOK':
      return 2;
    case 'POST_ONLY':
      return 3;
  }
}

function selfTradeCode(mode: SelfTradeMode): number {
  switch (mode) {
    case 'CANCEL_NEWEST':
      return 0;
    case 'CANCEL_OLDEST':
      return 1;
    case 'CANCEL_BOTH':
      return 2;
    case 'DECREMENT':
      return 3;
  }
}

export const isReducing = (codes: number): boolean => (codes & IS_REDUCING) !== 0;

/** What an order of a side trades of its owner's: in hedge mode a buy opens the long leg or closes the short one, a sell the reverse. */
export function legOf(side: Side, codes: number): PositionLeg {
  if ((codes & IS_HEDGED) === 0) return NET;
  return (side === BUY) === isReducing(codes) ? -1 : 1;
}

/** A leg as orders and answers name it; undefined for one-way mode. */
export const positionSideOf = (leg: PositionLeg): PositionSide | undefined =>
  leg === NET ? undefined : leg > 0 ? 'long' : 'short';

/** The leg that a position side names. */
export const namedLeg = (positionSide: PositionSide | undefined): PositionLeg =>
  positionSide === undefined ? NET : positionSide === 'long' ? 1 : -1;

/** What orders of perpetuals say beside other terms. */
export interface PositionTerms {
  readonly reduceOnly?: true;
  readonly positionSide?: PositionSide;
}

/** What an order's record says of positions, where it is of one. */
export function positionTermsOf(side: Side, codes: number): PositionTerms | undefined {
  if ((codes & (IS_REDUCING | IS_HEDGED)) === 0) return undefined;
  const positionSide = positionSideOf(legOf(side, codes));
  return { ...(isReducing(codes) && { reduceOnly: true }), ...(positionSide && { positionSide }) };
}

export const typeOf = (codes: number): OrderType => TYPES[(codes >> 8) & 1]!;
export const timeInForceOf = (codes: number): TimeInForce => TIMES_IN_FORCE[(codes >> 6) & 3]!;
export const selfTradeOf = (codes: number): SelfTradeMode => SELF_TRADE_MODES[(codes >> 9) & 3]!;
