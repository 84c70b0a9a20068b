import type { EventBatch, EventReader } from '../../events/event-batch.ts';
import type { EventLog } from '../../events/event-log.ts';
import { namedLeg } from '../../events/event-record.ts';
import type { AccountTable } from '../../ledger/account-table.ts';
import type { PerpetualSettlement } from '../../margin/perpetual-settlement.ts';
import type { MarketSpec } from '../../money/market.ts';
import { baseUnits } from '../../money/notional.ts';
import { MAXIMUM_INT32 } from '../../money/price.ts';
import { BUY, type PositionSide, SELL, type Side } from '../../terms/order-terms.ts';
import type { RejectReason } from '../../terms/outcome.ts';
import { TRIGGERS_ANY_SIZE } from '../../terms/rules.ts';
import type { PlaceOrder } from '../commands.ts';
import { type ConditionalTerms, type UntriggeredOrder, untriggeredHold } from '../conditional/conditional-order.ts';
import type { ConditionalProcessor, MarketById } from '../conditional/conditional-processor.ts';
import { watchedPrice } from '../conditional/terms.ts';
import type { MarketBook } from '../market-book.ts';
import type { AttachesExits } from '../order-processor.ts';
import type { CancelReason } from '../order-state.ts';
import { reduces } from '../order-terms.ts';
import { type ExitPlan, type ExitSize, type ExitTerms, exitLots, exitSideProblem, exitSize } from './exit-plan.ts';
import type { ExitPlans } from './exit-plans.ts';

/** What an exit of a perpetual says beside its size. */
type PositionTerms = Pick<ConditionalTerms, 'reduceOnly' | 'positionSide'>;

/** Attaches exits to entries, and covers what is filled of an entry by its exit order. */
export class ExitProcessor implements AttachesExits {
  readonly #marketById: MarketById;
  readonly #accounts: AccountTable;
  readonly #log: EventLog;
  readonly #plans: ExitPlans;
  readonly #conditionals: ConditionalProcessor;
  readonly #reader: EventReader = {
    order: (batch, at) => this.#followOrder(batch, at),
    object: (event) => {
      if (event.kind === 'order-triggered') this.#followTriggered(event.order);
      if (event.kind === 'untriggered-ended') this.#followEnded(event.order, event.reason);
    },
  };

  constructor(
    marketById: MarketById,
    accounts: AccountTable,
    log: EventLog,
    plans: ExitPlans,
    conditionals: ConditionalProcessor,
  ) {
    this.#marketById = marketById;
    this.#accounts = accounts;
    this.#log = log;
    this.#plans = plans;
    this.#conditionals = conditionals;
  }

  /** Why an entry can't be placed with such exits. Entries with exits count as untriggered orders do. */
  problem(market: MarketBook, order: PlaceOrder, exits: ExitTerms): RejectReason | undefined {
    if (market.perpetual !== undefined && reduces(order)) return 'EXITS_NEED_ENTRY';
    const legs = [exits.takeProfit, exits.stop].filter((leg) => leg !== undefined);
    if (legs.length === 0) return 'INVALID_TRIGGER';
    for (const { trigger, price } of legs) {
      if (!isWithin(trigger, 1, market.maximumTicks)) return 'INVALID_TRIGGER';
      if (!isWithin(price, 0, market.maximumTicks)) return 'INVALID_PRICE';
    }
    const watched = watchedPrice(market, exits);
    const price = order.type === 'limit' ? order.price : watched;
    if (price === 0 || (exits.source !== 'last' && watched === 0)) return 'NO_PRICE';
    // One that fills at once does so near the price of now, however far its limit is.
    const isTaking = order.type === 'limit' && watched > 0 && price > 0 && market.book.crosses(order.side, price);
    return (
      exitSideProblem(order.side, price, exits) ??
      (isTaking ? exitSideProblem(order.side, watched, exits) : undefined) ??
      (this.#conditionals.isFull(order.owner, market.spec.id, true) ? 'UNTRIGGERED_LIMIT' : undefined)
    );
  }

  /** Of an entry that was just placed; its events follow. */
  attach({ orderId, owner, market }: PlaceOrder, { source, takeProfit, stop }: ExitTerms): void {
    this.#change({ orderId, owner, market, source, takeProfit, stop, exitId: 0, taken: 0n });
  }

  /** Covers what was filled by the events from an index on, and forgets the plans of entries that have ended. */
  follow(from: number): void {
    const { batch } = this.#log;
    batch.readBetween(from, batch.end, [this.#reader]);
  }

  #followOrder(batch: EventBatch, at: number): void {
    const plan = this.#plans.find(batch.orderId(at));
    if (plan === undefined) return;
    const market = this.#marketById(plan.market)!;
    const side = batch.side(at);
    const exitSide = side === BUY ? SELL : BUY;
    const filled = batch.quantity(at) - batch.remaining(at);
    if (market.perpetual !== undefined) {
      this.#coverPosition(market, market.perpetual, plan, exitSide, BigInt(filled) - plan.taken);
    } else {
      const brought = side === BUY ? baseUnits(market.spec, filled) : batch.filledValue(at);
      this.#cover(market, plan, exitSide, brought - batch.fee(at) - plan.taken);
    }
    if (batch.status(at) !== 'open') this.#plans.remove(plan.orderId);
  }

  /**
   * Brings the exit order up to the lots that it is due, as far as they are open: what closed something needs no exit.
   * @param due lots that no triggered exit took
   */
  #coverPosition(market: MarketBook, perpetual: PerpetualSettlement, plan: ExitPlan, side: Side, due: bigint): void {
    const exit = plan.exitId === 0 ? undefined : this.#conditionals.orders.find(plan.exitId);
    if (exit === undefined && plan.exitId !== 0) return;
    const covered = BigInt(exit?.quantity ?? 0);
    if (due <= covered) return;
    const owner = this.#accounts.owner(plan.owner);
    const positionSide = perpetual.isHedged(owner) ? closedBy(side) : undefined;
    const open = BigInt(perpetual.openLotsOf(owner, side, namedLeg(positionSide)));
    const wanted = due < open ? due : open > covered ? open : covered;
    const known = due > wanted ? { ...plan, taken: plan.taken + due - wanted } : plan;
    const size = wanted > covered ? exitLots(this.#mostLots(market), wanted) : undefined;
    if (size !== undefined && exit === undefined) {
      this.#placeExit(market, known, side, { ...size, reduceOnly: true, positionSide });
    } else {
      if (known !== plan) this.#change(known);
      if (size !== undefined && exit !== undefined) this.#conditionals.growExit(market, exit, size);
    }
  }

  /**
   * Brings the exit order up to what it is due. What rounding left over before may have been spent since, so it takes
   * no more than is available.
   */
  #cover(market: MarketBook, plan: ExitPlan, side: Side, due: bigint): void {
    const exit = plan.exitId === 0 ? undefined : this.#conditionals.orders.find(plan.exitId);
    // It ended in the same command; an event further on says how.
    if (exit === undefined && plan.exitId !== 0) return;
    const paying = market.settlement.payingAccount(this.#accounts.owner(plan.owner), side);
    const within = this.#accounts.balances[paying]! + (exit === undefined ? 0n : untriggeredHold(market.spec, exit));
    const size = exitSize(market.spec, side, exit ?? plan, due < within ? due : within, this.#mostLots(market));
    if (size === undefined) return;
    if (exit !== undefined) {
      this.#conditionals.growExit(market, exit, size);
      return;
    }
    this.#placeExit(market, plan, side, size);
  }

  /** Lots that an exit may have: what its entry has filled was an order, if the market's largest is smaller by now. */
  #mostLots({ spec }: MarketBook): number {
    return this.#conditionals.rules < TRIGGERS_ANY_SIZE ? spec.maximumLots : MAXIMUM_INT32;
  }

  #placeExit(market: MarketBook, plan: ExitPlan, side: Side, size: ExitSize & PositionTerms): void {
    const { owner, source, takeProfit, stop, orderId: entryId } = plan;
    const terms = { owner, market: plan.market, side, source, takeProfit, stop, trailing: undefined, entryId, ...size };
    const exitId = this.#conditionals.nextExitId();
    this.#change({ ...plan, exitId });
    // An exit that meets its own entry must go on: the entry's rest gives way.
    this.#conditionals.placeExit(market, exitId, { ...terms, timeInForce: 'GTC', selfTrade: 'CANCEL_OLDEST' });
  }

  #followTriggered(exit: UntriggeredOrder): void {
    const plan = this.#plans.ofExit(exit.orderId);
    if (plan === undefined) return;
    const { spec } = this.#marketById(plan.market)!;
    this.#change({ ...plan, exitId: 0, taken: plan.taken + takenBy(spec, exit) });
  }

  /** An owner who cancels the exit order while the entry is open wants no other; later lots of a position that was closed have one. */
  #followEnded(exit: UntriggeredOrder, reason: CancelReason | RejectReason): void {
    const plan = this.#plans.ofExit(exit.orderId);
    if (plan === undefined) return;
    if (reason === 'NOTHING_TO_CLOSE') {
      this.#followTriggered(exit);
      return;
    }
    this.#plans.remove(plan.orderId);
    const none = { takeProfit: undefined, stop: undefined, exitId: 0 };
    this.#log.object({ kind: 'exit-plan-changed', plan: { ...plan, ...none } });
  }

  #change(plan: ExitPlan): void {
    this.#plans.put(plan);
    this.#log.object({ kind: 'exit-plan-changed', plan });
  }
}

/** What an exit order takes of what its entry brought. */
function takenBy(spec: MarketSpec, exit: UntriggeredOrder): bigint {
  return spec.perpetual === undefined ? untriggeredHold(spec, exit) : BigInt(exit.quantity);
}

/** The leg that orders of a side close in hedge mode. */
const closedBy = (side: Side): PositionSide => (side === SELL ? 'long' : 'short');

function isWithin(value: number, low: number, high: number): boolean {
  return Number.isInteger(value) && value >= low && value <= high;
}
