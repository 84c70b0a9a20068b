/**
 * Looks at an exchange from outside and states what must always hold. Also keeps its own books from the events alone,
 * as a server's tables do, and checks that they say the same.
 */
import { type WaitingOrder, waitingHold } from '../conditional/conditional-order.ts';
import { BUY, SELL, type Side } from '../exchange/command.ts';
import type { ExchangeEvent } from '../exchange/event.ts';
import type { Exchange, OpenOrder } from '../exchange/exchange.ts';
import { invariant } from '../invariant.ts';
import { accountKey, accountParts, Bucket, FIRST_CLIENT, Wallet } from '../ledger/account.ts';
import type { MarketSpec } from '../money/market.ts';
import { baseUnits, notional } from '../money/notional.ts';

const WHOLE_BOOK = 1_000_000;

export class Auditor {
  readonly #exchange: Exchange;
  readonly #balances = new Map<number, bigint>();
  readonly #orders = new Map<number, OpenOrder>();
  readonly #waiting = new Map<number, WaitingOrder>();
  #lastTime = 0;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Takes note of events; every event must be seen once. */
  observe(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if ('time' in event) {
        invariant(event.time >= this.#lastTime, 'time never decreases', { time: event.time });
        this.#lastTime = event.time;
      }
      if (event.kind === 'ledger') this.#observePostings(event.accounts, event.amounts);
      this.#observeWaiting(event);
      if (event.kind !== 'order-changed') continue;
      const { orderId, owner, market, side, price, quantity, remaining, priority } = event;
      const order = { orderId, owner, market, side, price, quantity, remaining, priority };
      if (event.status === 'open') this.#orders.set(orderId, order);
      else this.#orders.delete(orderId);
    }
  }

  /** Waiting orders as the events leave them, best prices included. */
  #observeWaiting(event: ExchangeEvent): void {
    switch (event.kind) {
      case 'order-waiting':
      case 'trailing-activated':
        this.#waiting.set(event.order.orderId, event.order);
        break;
      case 'order-triggered':
        invariant(this.#waiting.delete(event.order.orderId), 'an order fires once', { orderId: event.order.orderId });
        break;
      case 'waiting-ended':
        this.#waiting.delete(event.order.orderId);
        break;
      case 'trailing-moved':
        for (const order of this.#waiting.values()) {
          const { market, side, source, best } = event;
          if (order.best === 0 || order.market !== market || order.side !== side || order.source !== source) continue;
          if (side === SELL ? order.best < best : order.best > best)
            this.#waiting.set(order.orderId, { ...order, best });
        }
    }
  }

  /** Throws an `InvariantError` that names the first thing that does not add up. */
  audit(): void {
    this.#auditBalances();
    this.#auditOrders();
    for (const market of this.#exchange.markets) this.#auditBook(market);
  }

  #observePostings(accounts: readonly number[], amounts: readonly bigint[]): void {
    invariant(accounts.length === amounts.length && accounts.length >= 2, 'postings have two sides');
    invariant(new Set(accounts).size === accounts.length, 'a transaction posts to an account once');
    const sums = new Map<number, bigint>();
    accounts.forEach((key, place) => {
      const amount = amounts[place]!;
      const { asset } = accountParts(key);
      sums.set(asset, (sums.get(asset) ?? 0n) + amount);
      this.#balances.set(key, (this.#balances.get(key) ?? 0n) + amount);
    });
    for (const [asset, sum] of sums) invariant(sum === 0n, 'a transaction sums to zero', { asset, sum });
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
    const bySpec = new Map(this.#exchange.markets.map((market) => [market.id, market]));
    invariant(this.#exchange.openOrderCount() === this.#orders.size, 'the open orders are those of the events');
    for (const order of this.#orders.values()) {
      const found = this.#exchange.openOrder(order.orderId);
      const same = found !== undefined && JSON.stringify(found) === JSON.stringify(order);
      invariant(same, 'an order stands as its last event says', { orderId: order.orderId });
      const market = bySpec.get(order.market)!;
      const buys = order.side === BUY;
      const asset = buys ? market.quote.id : market.base.id;
      const key = accountKey(order.owner, Wallet.SPOT, Bucket.HELD, asset);
      const cost = buys ? notional(market, order.price, order.remaining) : baseUnits(market, order.remaining);
      held.set(key, (held.get(key) ?? 0n) + cost);
    }
    this.#auditWaiting(bySpec, held);
    for (const [key, balance] of this.#balances) {
      if (accountParts(key).bucket !== Bucket.HELD) continue;
      invariant(balance === (held.get(key) ?? 0n), 'held is what open and waiting orders can cost', { key, balance });
    }
  }

  /** Waiting orders are those of the events; what each can cost is added to what is held. */
  #auditWaiting(bySpec: ReadonlyMap<number, MarketSpec>, held: Map<number, bigint>): void {
    invariant(this.#exchange.waitingOrderCount() === this.#waiting.size, 'the waiting orders are those of the events');
    for (const order of this.#waiting.values()) {
      const found = this.#exchange.waitingOrder(order.orderId);
      invariant(same(found, order), 'an order waits as its last event says', { orderId: order.orderId });
      const market = bySpec.get(order.market)!;
      const asset = order.side === BUY ? market.quote.id : market.base.id;
      const key = accountKey(order.owner, Wallet.SPOT, Bucket.HELD, asset);
      held.set(key, (held.get(key) ?? 0n) + waitingHold(market, order));
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
      const lots = level.reduce((sum, order) => sum + order.remaining, 0);
      const listed = depth[place * 3] === price && depth[place * 3 + 1] === lots;
      invariant(listed && depth[place * 3 + 2] === level.length, 'a level adds up', { side, price, lots });
      invariant(exchange.levelQuantity(market.id, side, price) === lots, 'a level knows its lots', { price, lots });
      invariant(exchange.levelOrders(market.id, side, price) === level.length, 'a level knows its orders', { price });
      const other = side === BUY ? SELL : BUY;
      invariant(exchange.levelQuantity(market.id, other, price) === 0, 'a price has one side', { price });
    });
  }
}

function same(left: WaitingOrder | undefined, right: WaitingOrder): boolean {
  const text = (order: WaitingOrder | undefined) =>
    JSON.stringify(order, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return text(left) === text(right);
}
