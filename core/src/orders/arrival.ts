/** What the matcher trades with: an order that was just taken, or one that leaves its place in the queue. */
import { TERMS_MASK } from '../events/event-record.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import type { OrderPool } from '../matching/order-pool.ts';
import type { PlaceOrder } from './commands.ts';
import type { MarketBook } from './market-book.ts';
import type { Matcher } from './matcher.ts';

/** An order that the core places for its owner: one that was triggered, or a part of a larger one. */
export interface Placing {
  readonly createdAt: number;
  /** Whether it has had no event under its id yet. */
  readonly isNew: boolean;
  /** Whether it may be as small as it is: what an entry filled must have its exit however little that is. */
  readonly isAnySize: boolean;
  /** What rests to close the same gives way to it, but for these; undefined where it gives way itself. */
  readonly spared: ReadonlySet<number> | undefined;
  /** Of a part behind the first, the worst price that the first could trade at; else 0. It is not asked again what the first was. */
  readonly worst: number;
}

/** Makes an order the arriving one; whether it is new and since when it exists is known. Arguments cost no object. */
export function arrive(
  { taker, arriving }: Matcher,
  accounts: AccountTable,
  market: MarketBook,
  order: PlaceOrder,
  owner: number,
  paying: number,
  terms: number,
): void {
  taker.owner = owner;
  taker.orderId = order.orderId;
  taker.paying = paying;
  taker.feePpm = accounts.takerPpm(owner);
  taker.terms = terms;
  arriving.orderId = order.orderId;
  arriving.ownerNumber = order.owner;
  arriving.bookSide = (market.index << 1) | order.side;
  arriving.price = order.price;
  arriving.terms = terms;
  arriving.quoteTotal = order.quoteTotal;
  arriving.visible = order.visible ?? 0;
  arriving.figures.fill(0n);
}

/** Makes the order of a slot the arriving one, at a new price, with its age, terms and figures. */
export function arriveAgain(
  { taker, arriving }: Matcher,
  pool: OrderPool,
  accounts: AccountTable,
  slot: number,
  price: number,
): void {
  taker.owner = pool.owner(slot);
  taker.orderId = pool.orderId(slot);
  taker.paying = pool.paying(slot);
  taker.feePpm = accounts.takerPpm(taker.owner);
  arriving.orderId = taker.orderId;
  arriving.ownerNumber = accounts.ownerNumber(taker.owner);
  arriving.bookSide = pool.bookSide(slot);
  arriving.price = price;
  arriving.terms = pool.terms(slot) & TERMS_MASK;
  taker.terms = arriving.terms;
  arriving.isNew = false;
  arriving.createdAt = pool.createdAt(slot);
  arriving.quoteTotal = 0n;
  arriving.visible = pool.visible(slot);
  arriving.figures[0] = pool.filledValue(slot);
  arriving.figures[1] = pool.fee(slot);
  arriving.figures[2] = pool.credit(slot);
}
