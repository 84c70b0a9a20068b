/**
 * Looks at an exchange from outside and states what must always hold. Also keeps its own books from the events alone,
 * as a server's tables do, and checks that they agree.
 */
import type { ExchangeEvent, OrderEvent, TransferEvent } from '../events/event.ts';
import type { EventBatch } from '../events/event-batch.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { invariant } from '../invariant.ts';
import { accountKey, accountParts, Bucket, FIRST_CLIENT, type Posting, Wallet } from '../ledger/account.ts';
import { postingsOf } from '../ledger/postings.ts';
import type { MarketSpec } from '../money/market.ts';
import { baseUnits, notional } from '../money/notional.ts';
import { type UntriggeredOrder, untriggeredHold } from '../orders/conditional/conditional-order.ts';
import type { ExitPlan } from '../orders/exits/exit-plan.ts';
import type { OpenOrder } from '../orders/order-state.ts';
import type { TwapOrder, TwapSchedule } from '../orders/twap/twap.ts';
import { BUY, SELL, type Side } from '../terms/order-terms.ts';
import { BandAuditor } from './band-auditor.ts';
import { auditOpenings } from './opening-auditor.ts';
import { PositionAuditor } from './position-auditor.ts';

const WHOLE_BOOK = 1_000_000;

export class Auditor {
  readonly #exchange: Exchange;
  readonly #positions: PositionAuditor;
  readonly #bands: BandAuditor;
  readonly #balances = new Map<number, bigint>();
  readonly #orders = new Map<number, OpenOrder>();
  readonly #untriggered = new Map<number, UntriggeredOrder>();
  readonly #exitPlans = new Map<number, ExitPlan>();
  readonly #twaps = new Map<number, TwapOrder>();
  /** Of each TWAP that is open, as its last event says. */
  readonly #schedules = new Map<number, TwapSchedule>();
  readonly #pending = new Map<number, TransferEvent>();
  /** Lots by market, side and price, from the changes alone. */
  readonly #levels = new Map<string, number>();
  #lastTime = 0;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    this.#positions = new PositionAuditor(exchange);
    this.#bands = new BandAuditor(exchange);
  }

  /** A clock that was ahead is set right: what follows may be earlier than what was. */
  setBack(time: number): void {
    this.#lastTime = time;
  }

  /** Takes note of the events of one command; every event must be seen once. */
  observe(events: readonly ExchangeEvent[]): void {
    const markets = new Map(this.#exchange.markets().map((market) => [market.id, market]));
    for (const event of events) {
      invariant(event.time >= this.#lastTime, 'time never decreases', { time: event.time });
      this.#lastTime = event.time;
      this.#observePostings(postingsOf(event, (id) => markets.get(id)!));
      this.#observeUntriggered(event);
      this.#observeExits(event);
      if (event.kind === 'order') this.#observeOrder(event);
      this.#observeTwap(event);
      this.#positions.observe(event);
      this.#bands.observe(event);
      if (event.kind === 'transfer' && event.stage === 'pending') this.#pending.set(event.transferId, event);
      if (event.kind === 'transfer' && event.stage !== 'pending') this.#pending.delete(event.transferId);
    }
    auditOpenings(this.#exchange, this.#positions, events);
  }

  /** The same for a batch, whose balances before and after must be those of the books kept here. */
  observeBatch(batch: EventBatch): void {
    const before = new Map(this.#balances);
    this.observe(batch.events());
    const changed = new Set<number>();
    for (let index = 0; index < batch.balanceCount; index += 1) {
      const key = batch.balanceKeys[index]!;
      changed.add(key);
      const was = before.get(key) ?? 0n;
      const is = this.#balances.get(key) ?? 0n;
      invariant(batch.balancesBefore[index] === was, 'a balance before a batch is that of the books', { key, was });
      invariant(batch.balances[index] === is, 'a balance after a batch is that of the books', { key, is });
    }
    for (const [key, balance] of this.#balances) {
      invariant(changed.has(key) || balance === (before.get(key) ?? 0n), 'a batch names every changed balance', {
        key,
      });
    }
  }

  #observeOrder({ order, before, resting }: OrderEvent): void {
    const { status: _status, reason: _reason, quoteTotal: _quoteTotal, ...open } = order;
    const known = this.#orders.get(order.orderId);
    const isSame = known === undefined || (known.price === before.price && shownOf(known) === before.lots);
    invariant(isSame || before.lots === 0, 'an order was what its change says', { orderId: order.orderId });
    if (resting > 0) this.#orders.set(order.orderId, open);
    else this.#orders.delete(order.orderId);
    const { market, side } = order;
    for (const [price, lots] of [[before.price, -before.lots] as const, [order.price, resting] as const]) {
      const key = `${market}/${side}/${price}`;
      this.#levels.set(key, (this.#levels.get(key) ?? 0) + lots);
    }
  }

  /** TWAPs as the events leave them: open orders of which nothing rests. A slice never takes from a book's levels. */
  #observeTwap(event: ExchangeEvent): void {
    if (event.kind === 'twap-changed') {
      const { kind: _kind, time: _time, orderId, ...schedule } = event;
      this.#schedules.set(orderId, schedule);
    }
    if (event.kind !== 'order') return;
    const { status, reason: _reason, quoteTotal: _quoteTotal, ...order } = event.order;
    const schedule = this.#schedules.get(order.orderId);
    if (schedule === undefined) return;
    invariant(event.resting === 0 && event.before.lots === 0, 'a TWAP rests in no book', { orderId: order.orderId });
    if (status === 'open') {
      this.#twaps.set(order.orderId, { ...order, ...schedule });
      return;
    }
    this.#twaps.delete(order.orderId);
    this.#schedules.delete(order.orderId);
  }

  /** Untriggered orders as the events leave them, best prices included. */
  #observeUntriggered(event: ExchangeEvent): void {
    switch (event.kind) {
      case 'order-untriggered':
      case 'trailing-activated':
        this.#untriggered.set(event.order.orderId, event.order);
        break;
      case 'order-triggered':
        invariant(this.#untriggered.delete(event.order.orderId), 'an order is triggered once', {
          orderId: event.order.orderId,
        });
        break;
      case 'untriggered-ended':
        this.#untriggered.delete(event.order.orderId);
        break;
      case 'trailing-moved':
        for (const order of this.#untriggered.values()) {
          const { market, side, source, best } = event;
          if (order.best === 0 || order.market !== market || order.side !== side || order.source !== source) continue;
          if (side === SELL ? order.best < best : order.best > best)
            this.#untriggered.set(order.orderId, { ...order, best });
        }
    }
  }

  /** Plans as the events leave them; an entry's end ends its plan. */
  #observeExits(event: ExchangeEvent): void {
    if (event.kind === 'order' && event.order.status !== 'open') this.#exitPlans.delete(event.order.orderId);
    if (event.kind !== 'exit-plan-changed') return;
    const { plan } = event;
    const isGivenUp = plan.takeProfit === undefined && plan.stop === undefined;
    if (isGivenUp || !this.#orders.has(plan.orderId)) this.#exitPlans.delete(plan.orderId);
    else this.#exitPlans.set(plan.orderId, plan);
  }

  /** Throws an `InvariantError` that names the first thing that does not add up. */
  audit(): void {
    this.#auditBalances();
    this.#auditOrders();
    this.#auditPending();
    this.#positions.audit([...this.#orders.values()]);
    this.#bands.audit();
    for (const market of this.#exchange.markets()) this.#auditBook(market);
  }

  #observePostings(postings: readonly Posting[]): void {
    const sums = new Map<number, bigint>();
    for (const { account, amount } of postings) {
      const { asset } = accountParts(account);
      sums.set(asset, (sums.get(asset) ?? 0n) + amount);
      this.#balances.set(account, (this.#balances.get(account) ?? 0n) + amount);
    }
    for (const [asset, sum] of sums) invariant(sum === 0n, 'a transaction sums to zero', { asset, sum });
  }

  /** What pending transfers reserve is in the pending accounts, and nothing else is. */
  #auditPending(): void {
    const reserved = new Map<number, bigint>();
    for (const { legs } of this.#pending.values()) {
      for (const { from, amount } of legs) {
        const { owner, wallet, asset } = accountParts(from);
        const key = accountKey(owner, wallet, Bucket.PENDING, asset);
        reserved.set(key, (reserved.get(key) ?? 0n) + amount);
      }
    }
    for (const [key, balance] of this.#balances) {
      if (accountParts(key).bucket !== Bucket.PENDING) continue;
      invariant(balance === (reserved.get(key) ?? 0n), 'pending is what pending transfers reserve', { key, balance });
    }
    const known = this.#exchange.pendingTransfers().map(({ transferId }) => transferId);
    const isSame = known.join() === [...this.#pending.keys()].sort((a, b) => a - b).join();
    invariant(isSame, 'the pending transfers are those of the events');
  }

  /** Conservation, no client below zero, and balances equal to the sum of their postings. */
  #auditBalances(): void {
    const totals = new Map<number, bigint>();
    const owners = new Set([...this.#balances.keys()].map((key) => accountParts(key).owner));
    for (const owner of owners) {
      for (const key of this.#exchange.accountsOf(owner)) {
        const balance = this.#exchange.balance(key);
        const { asset } = accountParts(key);
        invariant(owner < FIRST_CLIENT || balance >= 0n, 'a client never falls below zero', { key, balance });
        invariant(balance === this.#balances.get(key), 'a balance is the sum of its postings', { key, balance });
        totals.set(asset, (totals.get(asset) ?? 0n) + balance);
      }
    }
    for (const [asset, total] of totals) invariant(total === 0n, 'nothing is made or lost', { asset, total });
  }

  /** Open orders are those that the events left open, and what is held is what they can cost. */
  #auditOrders(): void {
    const held = new Map<number, bigint>();
    const bySpec = new Map(this.#exchange.markets().map((market) => [market.id, market]));
    invariant(this.#exchange.openOrderCount() === this.#orders.size, 'the open orders are those of the events');
    for (const order of this.#orders.values()) {
      const found = this.#exchange.openOrder(order.orderId);
      invariant(same(found, order), 'an order is as its last event says', { orderId: order.orderId });
      invariant(order.hidden === 0 || (order.visible > 0 && shownOf(order) > 0), 'what hides a part shows another', {
        orderId: order.orderId,
      });
      const market = bySpec.get(order.market)!;
      if (market.perpetual !== undefined) {
        const reserved = accountKey(order.owner, Wallet.FUTURE, Bucket.HELD, market.quote.id);
        held.set(reserved, (held.get(reserved) ?? 0n) + this.#positions.reserveOf(market, order));
        continue;
      }
      const buys = order.side === BUY;
      const asset = buys ? market.quote.id : market.base.id;
      const key = accountKey(order.owner, Wallet.SPOT, Bucket.HELD, asset);
      const cost = buys ? notional(market, order.price, order.remaining) : baseUnits(market, order.remaining);
      held.set(key, (held.get(key) ?? 0n) + cost);
    }
    this.#auditUntriggered(bySpec, held);
    this.#auditTwaps(bySpec, held);
    this.#auditExits(bySpec);
    for (const [key, balance] of this.#balances) {
      if (accountParts(key).bucket !== Bucket.HELD) continue;
      invariant(balance === (held.get(key) ?? 0n), 'held is what open and untriggered orders can cost', {
        key,
        balance,
      });
    }
  }

  /** Untriggered orders are those of the events; what each can cost is added to what is held. */
  #auditUntriggered(bySpec: ReadonlyMap<number, MarketSpec>, held: Map<number, bigint>): void {
    invariant(
      this.#exchange.untriggeredOrderCount() === this.#untriggered.size,
      'the untriggered orders are those of the events',
    );
    for (const { id } of bySpec.values()) {
      const count = [...this.#untriggered.values()].filter(({ market }) => market === id).length;
      invariant(this.#exchange.untriggeredOrdersIn(id) === count, 'each market counts its untriggered orders', { id });
    }
    for (const order of this.#untriggered.values()) {
      const found = this.#exchange.untriggeredOrder(order.orderId);
      invariant(same(found, order), 'an untriggered order is as its last event says', { orderId: order.orderId });
      const market = bySpec.get(order.market)!;
      const asset = order.side === BUY ? market.quote.id : market.base.id;
      const key = accountKey(order.owner, Wallet.SPOT, Bucket.HELD, asset);
      held.set(key, (held.get(key) ?? 0n) + untriggeredHold(market, order));
    }
  }

  /** TWAPs are those of the events; what each can cost is added to what is held. */
  #auditTwaps(bySpec: ReadonlyMap<number, MarketSpec>, held: Map<number, bigint>): void {
    invariant(this.#exchange.twaps().length === this.#twaps.size, 'the TWAPs are those of the events');
    const times = [...this.#twaps.values()].map(({ nextAt }) => nextAt);
    const next = times.length === 0 ? undefined : Math.min(...times);
    invariant(this.#exchange.nextTwapAt() === next, 'the next slice is the one that is due first');
    for (const { id } of bySpec.values()) {
      const count = [...this.#twaps.values()].filter(({ market }) => market === id).length;
      invariant(this.#exchange.twapsIn(id) === count, 'each market counts its TWAPs', { id });
    }
    for (const order of this.#twaps.values()) {
      const { orderId, remaining, hidden, done, slices, nextAt, endsAt } = order;
      invariant(same(this.#exchange.twap(orderId), order), 'a TWAP is as its last event says', { orderId });
      invariant(remaining > 0 && hidden === remaining, 'all that remains of a TWAP is hidden', { orderId });
      invariant(done <= slices && nextAt <= endsAt, 'a TWAP is within its schedule', { orderId, done, nextAt });
      const market = bySpec.get(order.market)!;
      if (market.perpetual !== undefined) {
        const reserved = accountKey(order.owner, Wallet.FUTURE, Bucket.HELD, market.quote.id);
        held.set(reserved, (held.get(reserved) ?? 0n) + this.#positions.reserveOf(market, order));
        continue;
      }
      const buys = order.side === BUY;
      const key = accountKey(order.owner, Wallet.SPOT, Bucket.HELD, buys ? market.quote.id : market.base.id);
      const cost = buys ? notional(market, order.price, remaining) : baseUnits(market, remaining);
      held.set(key, (held.get(key) ?? 0n) + cost);
    }
  }

  /** The plans are those of the events, and no exit sells more than its entry's fills brought, after fees. */
  #auditExits(bySpec: ReadonlyMap<number, MarketSpec>): void {
    const plans = this.#exchange.exitPlans();
    invariant(plans.length === this.#exitPlans.size, 'the exit plans are those of the events', { plans: plans.length });
    for (const plan of plans) {
      invariant(same(plan, this.#exitPlans.get(plan.orderId)!), 'a plan is as its last event says', {
        orderId: plan.orderId,
      });
      const entry = this.#orders.get(plan.orderId)!;
      const exit = this.#untriggered.get(plan.exitId);
      invariant((exit === undefined) === (plan.exitId === 0), 'an exit order is untriggered', { exitId: plan.exitId });
      invariant(exit === undefined || exit.entryId === plan.orderId, 'an exit knows its entry');
      const market = bySpec.get(plan.market)!;
      if (market.perpetual !== undefined) {
        const [filled, covered] = [entry.quantity - entry.remaining, Number(plan.taken) + (exit?.quantity ?? 0)];
        invariant(covered <= filled, 'exits close no more than was filled', { orderId: plan.orderId, covered, filled });
        continue;
      }
      if (entry.side !== BUY) continue;
      const brought = baseUnits(market, entry.quantity - entry.remaining) - entry.fee;
      const exits = plan.taken + (exit === undefined ? 0n : baseUnits(market, exit.quantity));
      invariant(exits <= brought, 'exits sell no more than was filled', { orderId: plan.orderId, exits, brought });
    }
  }

  #auditBook(market: MarketSpec): void {
    const exchange = this.#exchange;
    const bid = exchange.bestPrice(market.id, BUY);
    const ask = exchange.bestPrice(market.id, SELL);
    invariant(bid === 0 || ask === 0 || bid < ask, 'a book is not crossed', { bid, ask });
    for (const side of [BUY, SELL] as const) this.#auditSide(market, side);
  }

  #auditSide(market: MarketSpec, side: Side): void {
    const exchange = this.#exchange;
    const own = [...this.#orders.values()].filter((order) => order.market === market.id && order.side === side);
    const depth = exchange.depth(market.id, side, WHOLE_BOOK);
    const prices = [...new Set(own.map((order) => order.price))].sort((a, b) => (side === BUY ? b - a : a - b));
    invariant(depth.length === prices.length * 3, 'every level is in the depth', { side, market: market.id });
    prices.forEach((price, place) => {
      const level = own.filter((order) => order.price === price);
      const lots = level.reduce((sum, order) => sum + shownOf(order), 0);
      const followed = this.#levels.get(`${market.id}/${side}/${price}`) ?? 0;
      invariant(followed === lots, 'the changes of a level add up', { side, price, lots, followed });
      const listed = depth[place * 3] === price && depth[place * 3 + 1] === lots;
      invariant(listed && depth[place * 3 + 2] === level.length, 'a level adds up', { side, price, lots });
      invariant(exchange.levelQuantity(market.id, side, price) === lots, 'a level knows its lots', { price, lots });
      invariant(exchange.levelOrders(market.id, side, price) === level.length, 'a level knows its orders', { price });
      const other = side === BUY ? SELL : BUY;
      invariant(exchange.levelQuantity(market.id, other, price) === 0, 'a price has one side', { price });
    });
  }
}

/** Lots of an order that are in the book. */
const shownOf = ({ remaining, hidden }: OpenOrder) => remaining - hidden;

function same<Order extends OpenOrder | UntriggeredOrder | ExitPlan>(left: Order | undefined, right: Order): boolean {
  const text = (order: Order | undefined) =>
    JSON.stringify(
      order === undefined ? order : Object.entries(order).sort(([a], [b]) => (a < b ? -1 : 1)),
      (_, value) => (typeof value === 'bigint' ? `${value}n` : value),
    );
  return text(left) === text(right);
}
