/** What the open orders of a leg have reserved, moved to what another leverage asks for. */
import type { EventLog } from '../events/event-log.ts';
import { isReducing, legOf } from '../events/event-record.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { OrderPool } from '../matching/order-pool.ts';
import type { MarketBook } from '../orders/market-book.ts';
import type { TwapOrder } from '../orders/twap/twap.ts';
import type { TwapProcessor } from '../orders/twap/twap-processor.ts';
import { BUY, type Side } from '../terms/order-terms.ts';
import type { Holding } from './holding.ts';
import type { PerpetualSettlement } from './perpetual-settlement.ts';

export interface OrderReservesDeps {
  readonly pool: OrderPool;
  readonly accounts: AccountTable;
  readonly ledger: Ledger;
  readonly log: EventLog;
  readonly twaps: TwapProcessor;
}

/** Of one order, resting or TWAP. */
interface ReserveChange {
  readonly order: { readonly slot: number } | TwapOrder;
  /** Settlement units that it reserves more; below zero for less. */
  readonly held: bigint;
}

export class OrderReserves {
  readonly #deps: OrderReservesDeps;

  constructor(deps: OrderReservesDeps) {
    this.#deps = deps;
  }

  /** What each order of a leg would reserve more at a leverage: those that rest, then TWAPs, the oldest first. */
  changesAt(market: MarketBook, perpetual: PerpetualSettlement, holding: Holding, leverage: number): ReserveChange[] {
    const { pool, accounts, twaps } = this.#deps;
    const more = (ticks: number, lots: number): bigint =>
      perpetual.reserveAt(leverage, ticks, lots) - perpetual.reserveAt(holding.leverage, ticks, lots);
    const resting = this.#restingOf(market, holding).map((slot) => ({
      order: { slot },
      held: more(pool.price(slot), pool.remaining(slot) + pool.hidden(slot)),
    }));
    const sliced = twaps
      .openingOf(accounts.ownerNumber(holding.owner), market, holding.leg)
      .map((order) => ({ order, held: more(order.price, order.remaining) }));
    return [...resting, ...sliced].filter(({ held }) => held !== 0n);
  }

  /** Moves each change between what is available and what is held, and says so of its order, which goes on as it was. */
  apply(market: MarketBook, { owner }: Holding, changes: readonly ReserveChange[]): void {
    const { ledger, log, twaps } = this.#deps;
    // A perpetual has one account for both sides.
    const paying = market.settlement.payingAccount(owner, BUY);
    for (const { order, held } of changes) {
      ledger.amounts[0] = held > 0n ? held : -held;
      if (held > 0n) ledger.hold(paying);
      else ledger.release(paying);
      if ('slot' in order) log.reserved(order.slot, held);
      else twaps.reserved(market, order, held);
    }
  }

  /** Slots of the orders that may open something, ascending by order id; an owner has few. */
  #restingOf(market: MarketBook, { owner, leg }: Holding): number[] {
    const { pool, accounts } = this.#deps;
    const slots: number[] = [];
    for (let slot = accounts.firstOrder(owner); slot !== 0; slot = pool.ownerNext(slot)) {
      const [bookSide, terms] = [pool.bookSide(slot), pool.terms(slot)];
      if (bookSide >> 1 !== market.index || isReducing(terms)) continue;
      if (legOf((bookSide & 1) as Side, terms) === leg) slots.push(slot);
    }
    return slots.sort((left, right) => pool.orderId(left) - pool.orderId(right));
  }
}
