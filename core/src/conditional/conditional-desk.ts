import { BUY, type CancelOrder, type Outcome, SELL, type Side } from '../exchange/command.ts';
import type { EventLog } from '../exchange/event-log.ts';
import type { MarketBook } from '../exchange/market-book.ts';
import type { ExchangeOptions } from '../exchange/options.ts';
import { isClient, type OrderDesk } from '../exchange/order-desk.ts';
import { OK, refused } from '../exchange/outcome.ts';
import { InvariantError } from '../invariant.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import type { Ledger } from '../ledger/ledger.ts';
import {
  type AmendConditionalOrder,
  type Leg,
  type LegChange,
  type PlaceConditionalOrder,
  placedTerms,
  type SetMarkPrice,
  type TriggerSource,
  type WaitingOrder,
  waitingHold,
} from './conditional-order.ts';
import { termsProblem, watchedPrice } from './terms.ts';
import { type Fired, TriggerWatch, type WatchListener } from './trigger-watch.ts';
import { describeWaiting, type Waiting } from './waiting.ts';
import { WaitingOrders } from './waiting-orders.ts';

/** Where waiting orders are kept by market id; undefined for a market that does not exist. */
export type MarketById = (id: number) => MarketBook | undefined;

/**
 * Takes, amends and cancels orders that wait, and places those that fire. A price only says which have fired; they are
 * placed in that order once the command that moved the price is done, and what they trade may fire others behind them.
 * Nothing that fires can wait again, so this ends.
 */
export class ConditionalDesk {
  readonly #marketById: MarketById;
  readonly #accounts: AccountTable;
  readonly #ledger: Ledger;
  readonly #log: EventLog;
  readonly #desk: OrderDesk;
  readonly #options: ExchangeOptions;
  readonly orders = new WaitingOrders();
  /** In the order in which the price reached them. */
  #fired: Fired[] = [];

  constructor(
    marketById: MarketById,
    accounts: AccountTable,
    ledger: Ledger,
    log: EventLog,
    desk: OrderDesk,
    options: ExchangeOptions,
  ) {
    this.#marketById = marketById;
    this.#accounts = accounts;
    this.#ledger = ledger;
    this.#log = log;
    this.#desk = desk;
    this.#options = options;
  }

  /** Whether orders have fired that `settle` must place before the next command. */
  get isPending(): boolean {
    return this.#fired.length > 0;
  }

  place(command: PlaceConditionalOrder): Outcome {
    const { orderId, owner } = command;
    const market = this.#marketById(command.market);
    if (!(orderId > this.#desk.lastOrderId) || !Number.isSafeInteger(orderId)) return refused('DUPLICATE_ID');
    if (market === undefined) return refused('UNKNOWN_MARKET');
    if (market.halted) return refused('MARKET_HALTED');
    if (!isClient(owner)) return refused('ACCOUNT_LIMIT');
    const problem = termsProblem(market, command);
    if (problem !== undefined) return refused(problem);
    const { maximumWaitingOrdersPerOwner, maximumWaitingOrdersPerMarket } = this.#options;
    const isFull =
      this.orders.of(owner, command.market).length >= maximumWaitingOrdersPerOwner ||
      this.orders.countIn(command.market) >= maximumWaitingOrdersPerMarket;
    if (isFull) return refused('WAITING_LIMIT');
    const best = bestAtFirst(command, watchedPrice(market, command));
    const { kind: _kind, ...terms } = command;
    const order: Waiting = { ...terms, best, group: undefined, triggers: [] };
    const paying = this.#payingAccount(market, order);
    const hold = waitingHold(market.spec, order);
    if (this.#accounts.balances[paying]! < hold) return refused('INSUFFICIENT_FUNDS');

    this.#desk.lastOrderId = orderId;
    this.orders.add(order);
    this.#watchOf(market, order.source).add(order);
    this.#log.conditional({ kind: 'order-waiting', order: describeWaiting(order) });
    this.#hold(market, order, paying, hold);
    return OK;
  }

  amend(command: AmendConditionalOrder): Outcome {
    const order = this.#ownOrder(command.orderId, command.owner);
    if (order === undefined) return refused('ORDER_NOT_FOUND');
    const market = this.#marketById(order.market)!;
    if (market.halted) return refused('MARKET_HALTED');
    const takeProfit = changedLeg(order.takeProfit, command.takeProfit);
    const stop = changedLeg(order.stop, command.stop);
    if (!isSameKind(order.takeProfit, takeProfit) || !isSameKind(order.stop, stop)) return refused('INVALID_TRIGGER');
    if (isSameLeg(order.takeProfit, takeProfit) && isSameLeg(order.stop, stop)) return refused('NOTHING_TO_AMEND');
    const amended: Waiting = { ...order, takeProfit, stop };
    const problem = termsProblem(market, amended);
    if (problem !== undefined) return refused(problem);
    const paying = this.#payingAccount(market, order);
    const [before, after] = [waitingHold(market.spec, order), waitingHold(market.spec, amended)];
    if (this.#accounts.balances[paying]! + before < after) return refused('INSUFFICIENT_FUNDS');

    const watch = this.#watchOf(market, order.source);
    watch.remove(order);
    order.takeProfit = takeProfit;
    order.stop = stop;
    watch.add(order);
    this.#log.conditional({ kind: 'order-waiting', order: describeWaiting(order) });
    if (before !== after) {
      this.#release(market, order, paying, before);
      this.#hold(market, order, paying, after);
    }
    return OK;
  }

  cancel({ orderId, owner }: CancelOrder): Outcome {
    const order = this.#ownOrder(orderId, owner);
    if (order === undefined) return refused('ORDER_NOT_FOUND');
    this.#cancel(order);
    return OK;
  }

  /** Cancels what an owner has waiting, oldest first, in one market or in all. */
  cancelAll(owner: number, market: number | undefined): void {
    for (const order of this.orders.of(owner, market)) this.#cancel(order);
  }

  setMarkPrice({ market: id, price }: SetMarkPrice): Outcome {
    const market = this.#marketById(id);
    if (market === undefined) return refused('UNKNOWN_MARKET');
    if (!Number.isInteger(price) || price < 1 || price > market.maximumTicks) return refused('INVALID_PRICE');
    market.markPrice = price;
    this.#log.conditional({ kind: 'mark-price-set', market: id, price });
    market.markWatch?.observe(price);
    return OK;
  }

  /** Places what has fired, in order, and what that fires. */
  settle(): void {
    // The list grows while it is worked off.
    for (let place = 0; place < this.#fired.length; place += 1) this.#placeFired(this.#fired[place]!);
    this.#fired = [];
  }

  restore(terms: WaitingOrder): void {
    const market = this.#marketById(terms.market);
    if (market === undefined || this.orders.find(terms.orderId) !== undefined) {
      throw new InvariantError('a restored order waits', { orderId: terms.orderId, market: terms.market });
    }
    const order: Waiting = { ...terms, group: undefined, triggers: [] };
    this.orders.add(order);
    this.#watchOf(market, order.source).add(order);
  }

  #ownOrder(orderId: number, owner: number): Waiting | undefined {
    const order = this.orders.find(orderId);
    return order?.owner === owner ? order : undefined;
  }

  #cancel(order: Waiting): void {
    const market = this.#marketById(order.market)!;
    this.#watchOf(market, order.source).remove(order);
    this.#dropIdleWatch(market, order.source);
    this.orders.remove(order);
    this.#release(market, order, this.#payingAccount(market, order), waitingHold(market.spec, order));
    this.#log.conditional({ kind: 'waiting-ended', order: describeWaiting(order), reason: 'BY_OWNER' });
  }

  #placeFired({ order, leg, price }: Fired): void {
    const market = this.#marketById(order.market)!;
    this.#dropIdleWatch(market, order.source);
    this.orders.remove(order);
    const facts = describeWaiting(order);
    this.#log.conditional({ kind: 'order-triggered', order: facts, leg, price });
    this.#release(market, order, this.#payingAccount(market, order), waitingHold(market.spec, order));
    const { orderId, owner, side, selfTrade } = order;
    const placed = { kind: 'place-order' as const, orderId, owner, market: order.market, side, selfTrade };
    const outcome = this.#desk.arrive(market, { ...placed, ...placedTerms(order, leg) });
    if (!outcome.ok) this.#log.conditional({ kind: 'waiting-ended', order: facts, reason: outcome.reason });
  }

  #payingAccount(market: MarketBook, order: Waiting): number {
    return this.#accounts.spot(this.#accounts.owner(order.owner), market.payingAsset(order.side));
  }

  #hold(market: MarketBook, { orderId, owner, side }: Waiting, paying: number, amount: bigint): void {
    this.#ledger.amounts[0] = amount;
    this.#ledger.hold(paying);
    this.#log.heldWaiting(orderId, owner, (market.place << 1) | side, this.#ledger.amounts);
  }

  #release(market: MarketBook, { orderId, owner, side }: Waiting, paying: number, amount: bigint): void {
    this.#ledger.amounts[0] = amount;
    this.#ledger.release(paying);
    this.#log.releasedWaiting(orderId, owner, (market.place << 1) | side, this.#ledger.amounts);
  }

  /** The watch of a market and source, new if need be. */
  #watchOf(market: MarketBook, source: TriggerSource): TriggerWatch {
    const known = source === 'last' ? market.lastWatch : market.markWatch;
    if (known !== undefined) return known;
    const watch = this.#newWatch(market, source);
    if (source === 'last') market.lastWatch = watch;
    else market.markWatch = watch;
    return watch;
  }

  /** A market without a waiting order trades as if there were no such thing. */
  #dropIdleWatch(market: MarketBook, source: TriggerSource): void {
    if (source === 'last' && market.lastWatch?.size === 0) market.lastWatch = undefined;
    if (source === 'mark' && market.markWatch?.size === 0) market.markWatch = undefined;
  }

  #newWatch(market: MarketBook, source: TriggerSource): TriggerWatch {
    const listener: WatchListener = {
      onFired: (fired) => this.#fired.push(fired),
      onActivated: (order) => this.#log.conditional({ kind: 'trailing-activated', order: describeWaiting(order) }),
      onMoved: (side, from, best) =>
        this.#log.conditional({ kind: 'trailing-moved', market: market.spec.id, side, source: from, best }),
    };
    return new TriggerWatch(source, listener);
  }
}

/** Where trailing begins at once: at the price of now, unless the order is to wait for its activation. */
function bestAtFirst({ side, trailing }: PlaceConditionalOrder, price: number): number {
  if (trailing === undefined) return 0;
  const { activation } = trailing;
  const isActive = activation === 0 || isPast(side, price, activation);
  return isActive ? price : 0;
}

function isPast(side: Side, price: number, activation: number): boolean {
  return (side === SELL && price >= activation) || (side === BUY && price <= activation);
}

/** A change of a leg that the order does not have makes one, which the check of kinds then refuses. */
function changedLeg(before: Leg | undefined, change: LegChange | undefined): Leg | undefined {
  if (change === undefined || (change.trigger === undefined && change.price === undefined)) return before;
  return { trigger: change.trigger ?? before?.trigger ?? 0, price: change.price ?? before?.price ?? 0 };
}

function isSameKind(before: Leg | undefined, after: Leg | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return (before.price === 0) === (after.price === 0);
}

function isSameLeg(before: Leg | undefined, after: Leg | undefined): boolean {
  return before?.trigger === after?.trigger && before?.price === after?.price;
}
