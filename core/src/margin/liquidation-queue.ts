/** Which accounts may have to be liquidated, in the order in which they are: those that have changed, and those that a price has reached. */
import { MinHeap } from '../collections/min-heap.ts';
import type { EventLog } from '../events/event-log.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import type { MarketBook } from '../orders/market-book.ts';
import { NET, type PositionLeg } from '../terms/order-terms.ts';
import type { Holding } from './holdings.ts';
import type { Margins } from './margins.ts';
import { INDEX_FRESH_MS } from './pricing.ts';
import { Watches } from './watches.ts';

/** What is liquidated as one: an isolated position, or all cross positions that one wallet backs. */
export interface Account {
  readonly owner: number;
  readonly asset: number;
  /** The one that is of an isolated position. */
  readonly isolated: Holding | undefined;
}

interface Queued extends Account {
  /** One of the account's. */
  readonly holding: Holding;
  /** By what accounts are in order. */
  readonly ownerNumber: number;
  readonly place: number;
  readonly leg: PositionLeg;
}

/** Isolated ones by market, long before short, and then what the wallet backs. */
const isBefore = (one: Queued, other: Queued): boolean =>
  (one.ownerNumber - other.ownerNumber || one.place - other.place || other.leg - one.leg || one.asset - other.asset) <
  0;

export interface QueueDeps {
  readonly accounts: AccountTable;
  readonly log: EventLog;
  readonly margins: Margins;
  /** By index. */
  readonly books: readonly MarketBook[];
}

export class LiquidationQueue {
  readonly #deps: QueueDeps;
  readonly #queue = new MinHeap<Queued>(isBefore);
  readonly #queued = new Set<Holding>();
  /** Of accounts that a market keeps from being looked at. */
  readonly #paused = new Set<Holding>();
  /** By index of the market. */
  readonly #watches = new Map<number, Watches>();
  readonly #trading = new Set<number>();

  constructor(deps: QueueDeps) {
    this.#deps = deps;
  }

  /** Nothing is liquidated by a price that is no mark, by an index that is lost or old, nor where trading stands still. */
  isTrading(market: number): boolean {
    const { perpetual, halted } = this.#deps.books[market]!;
    const { index, indexAt } = perpetual!.state;
    return index > 0 && this.#deps.log.time - indexAt <= INDEX_FRESH_MS && !halted;
  }

  /** Once for each command: queues what its prices have reached, and what markets that trade again have kept waiting. */
  collect(): void {
    const { books, margins } = this.#deps;
    for (const { index, perpetual, markPrice } of books) {
      if (perpetual === undefined) continue;
      const isTrading = this.isTrading(index);
      if (isTrading && !this.#trading.has(index)) this.#resume();
      if (isTrading) this.#trading.add(index);
      else this.#trading.delete(index);
      const watches = isTrading ? this.#watches.get(index) : undefined;
      watches?.take(perpetual.terms, markPrice, perpetual.fundingIndex, (holding) => margins.unwatched.add(holding));
    }
  }

  /** The account that comes first of those to be looked at. It stays until it is settled. */
  get first(): Account | undefined {
    this.#deps.margins.unwatched.take((holding) => this.#add(holding));
    return this.#queue.least;
  }

  /**
   * The first account is not to be liquidated now.
   * @param open what it has
   * @param beyond what it has beyond what it must have; undefined where that can't be said
   */
  settle(open: readonly { readonly holding: Holding }[], beyond: bigint | undefined): void {
    const { holding } = this.#queue.pop()!;
    this.#queued.delete(holding);
    if (open.length === 0) {
      // It may back another account by now.
      if (holding.position !== undefined) this.#deps.margins.unwatched.add(holding);
      return;
    }
    if (beyond === undefined) {
      this.#paused.add(holding);
      return;
    }
    const share = beyond / BigInt(open.length);
    for (const one of open) this.#watchesOf(one.holding.market).add(one.holding, share);
  }

  #resume(): void {
    for (const holding of this.#paused) this.#deps.margins.unwatched.add(holding);
    this.#paused.clear();
  }

  #add(holding: Holding): void {
    if (holding.position === undefined || this.#queued.has(holding)) return;
    const { owner, isIsolated, valuation, market } = holding;
    const place = isIsolated ? this.#deps.books[market]!.spec.id : Number.MAX_SAFE_INTEGER;
    const leg = isIsolated ? holding.leg : NET;
    const account = { owner, asset: valuation.asset, isolated: isIsolated ? holding : undefined };
    this.#queued.add(holding);
    this.#queue.push({ ...account, holding, place, leg, ownerNumber: this.#deps.accounts.ownerNumber(owner) });
  }

  #watchesOf(market: number): Watches {
    const known = this.#watches.get(market) ?? new Watches();
    this.#watches.set(market, known);
    return known;
  }
}
