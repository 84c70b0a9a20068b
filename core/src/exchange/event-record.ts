/**
 * How events lie in the log's buffer. A record is one or two units of 64 bytes, read through three views: 32-bit words,
 * doubles and int64. Units start at multiples of 16 words, so the place of a field is `at | FIELD` in words and
 * `(at >> 1) | FIELD` in doubles or int64, which costs one instruction and needs no overflow check.
 *
 * Things that nearly always happen together share a record: an order that is accepted, funded and put into the book; a
 * release and the order that it belongs to; a trade, its postings and the maker. The reader tells them as separate
 * events again.
 */
import type { OrderType, TimeInForce } from './command.ts';
import type { CancelReason, OrderStatus } from './event.ts';

/** Words in a unit, and units as places in the other views. */
export const UNIT_WORDS = 16;

export const RecordKind = {
  TIME: 1,
  /** Accepted, and other records follow. */
  ACCEPTED: 2,
  /** Accepted, held and resting, all of it. */
  PLACED: 3,
  /** Held and resting, after a part was traded or after an amend. */
  RESTED: 4,
  CHANGED: 5,
  RELEASED: 6,
  /** Released, and how the order stands after it. */
  SHRUNK: 7,
  /** Two units: a trade, its postings, and how the maker stands after it. */
  TRADE: 8,
  ISSUED: 9,
  HALTED: 10,
  FEES: 11,
  REFERENCE: 12,
  /** Held for an order that waits. What is released for one is a RELEASED like any other. */
  HELD: 13,
  /** An event of a waiting order, kept as an object; QUANTITY is its place among them. */
  CONDITIONAL: 14,
} as const;

/** Words of every record. */
export const RecordWord = {
  KIND: 0,
  /** Place of the market × 2 + side. */
  BOOK_SIDE: 1,
  PRICE: 8,
  QUANTITY: 9,
  REMAINING: 10,
  /** How the order was placed, or how it stands. */
  CODES: 11,
} as const;

/** Doubles and int64 of every record. */
export const RecordDouble = {
  ORDER_ID: 1,
  OWNER: 2,
  PRIORITY: 3,
  /** Units held or released; a quote total; a trade's quote units. */
  AMOUNT: 6,
  BASE_AMOUNT: 7,
} as const;

/** The second unit of a trade: doubles and int64, and one word. */
export const TradeDouble = {
  TRADE_ID: 0,
  TAKER_ORDER_ID: 1,
  TAKER_OWNER: 2,
  BUYER_FEE: 4,
  SELLER_FEE: 5,
  BUYER_CREDIT: 6,
  SELLER_CREDIT: 7,
} as const;
export const TRADE_LOTS_WORD = 6;

/** Codes are places in these lists. */
export const TYPES: readonly OrderType[] = ['limit', 'market'];
export const TIMES_IN_FORCE: readonly TimeInForce[] = ['GTC', 'IOC', 'FOK', 'POST_ONLY'];
export const STATUSES: readonly OrderStatus[] = ['open', 'filled', 'cancelled'];
export const REASONS: readonly CancelReason[] = [
  'NONE',
  'BY_OWNER',
  'UNFILLED_REMAINDER',
  'SELF_TRADE',
  'PRICE_BAND',
  'INSUFFICIENT_FUNDS',
];

/** An order's last state, as a pair of codes: what it is and why. */
export const Ending = {
  OPEN: 0,
  FILLED: 1,
  CANCELLED_BY_OWNER: 2 | (1 << 2),
  CANCELLED_UNFILLED: 2 | (2 << 2),
  CANCELLED_SELF_TRADE: 2 | (3 << 2),
  CANCELLED_PRICE_BAND: 2 | (4 << 2),
  /** Open still, but smaller because it met an order of its own owner. */
  OPEN_AFTER_SELF_TRADE: 0 | (3 << 2),
} as const;
export type Ending = (typeof Ending)[keyof typeof Ending];
