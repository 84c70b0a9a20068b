import type { WaitingOrder } from '../conditional/conditional-order.ts';
import { hashWaitingOrder } from '../conditional/hash.ts';
import {
  type AmendOrder,
  BUY,
  type CancelAllOrders,
  type CancelOrder,
  type Command,
  type Outcome,
  type PlaceOrder,
  SELL,
  type Side,
} from '../exchange/command.ts';
import type { CancelReason, ExchangeEvent, OrderStatus } from '../exchange/event.ts';
import type { EventSink } from '../exchange/event-sink.ts';
import type { Counters, Exchange, MarketState, OpenOrder } from '../exchange/exchange.ts';
import { DEFAULT_OPTIONS, type ExchangeOptions } from '../exchange/options.ts';
import { StateHasher } from '../exchange/state-hash.ts';
import { accountKey, accountParts, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import type { LedgerReason } from '../ledger/event.ts';
import { DEFAULT_MAKER_PPM, DEFAULT_TAKER_PPM } from '../ledger/fee.ts';
import { MAXIMUM_OPEN_ORDERS } from '../matching/order-pool.ts';
import { MAXIMUM_AMOUNT } from '../money/amount.ts';
import type { MarketSpec } from '../money/market.ts';
import { maximumTicks, notional } from '../money/notional.ts';
import { divCeil, divFloor } from '../money/rounding.ts';
import { deliver } from './deliver.ts';
import { ReferenceConditionals } from './reference-conditionals.ts';
import { type Arriving, ReferenceMatching, type StopReason } from './reference-matching.ts';
import { isClient, isWithin, limitProblem, quantityProblem, type Refusal } from './reference-rules.ts';
import { ReferenceState, type Resting } from './reference-state.ts';

/** The slow twin: the same rules in the plainest words, to hold the fast exchange against. For tests only. */
export function createReferenceExchange(
  markets: readonly MarketSpec[],
  options: Partial<ExchangeOptions> = {},
): Exchange {
  return new ReferenceExchange(markets, { ...DEFAULT_OPTIONS, ...options });
}

class ReferenceExchange implements Exchange {
  readonly markets: readonly MarketSpec[];
  readonly #options: ExchangeOptions;
  readonly #state = new ReferenceState();
  readonly #conditionals: ReferenceConditionals;

  constructor(markets: readonly MarketSpec[], options: ExchangeOptions) {
    this.markets = markets;
    this.#options = options;
    const untouched = { lastPrice: 0, markPrice: 0, halted: false, traded: false };
    for (const { id } of markets) this.#state.markets.set(id, { ...untouched });
    const arrive = (time: number, order: PlaceOrder) => this.#arrive(time, order);
    this.#conditionals = new ReferenceConditionals(this.#state, markets, this.#options, arrive);
  }

  apply(time: number, command: Command): Outcome {
    const reason = this.#apply(time, command);
    this.#conditionals.settle(time);
    return reason === undefined ? { ok: true } : { ok: false, reason };
  }

  #apply(time: number, command: Command): Refusal {
    const state = this.#state;
    switch (command.kind) {
      case 'place-order':
        return this.#place(time, command);
      case 'cancel-order':
        return this.#cancel(time, command) && this.#conditionals.cancel(time, command);
      case 'cancel-all-orders':
        return this.#cancelAll(time, command);
      case 'place-conditional-order':
        return this.#conditionals.place(time, command);
      case 'amend-conditional-order':
        return this.#conditionals.amend(time, command);
      case 'set-mark-price':
        return this.#conditionals.setMarkPrice(time, command);
      case 'amend-order':
        return this.#amend(time, command);
      case 'halt-market': {
        const market = state.markets.get(command.market);
        if (market === undefined) return 'UNKNOWN_MARKET';
        market.halted = command.halted;
        state.events.push({ kind: 'market-halted', market: command.market, halted: command.halted });
        return undefined;
      }
      case 'set-fees': {
        const { owner, makerPpm, takerPpm } = command;
        if (!isClient(owner)) return 'ACCOUNT_LIMIT';
        if (![makerPpm, takerPpm].every((ppm) => isWithin(ppm, 0, 1_000_000))) return 'INVALID_FEE';
        state.fees.set(owner, { makerPpm, takerPpm });
        state.events.push({ kind: 'fees-set', owner, makerPpm, takerPpm });
        return undefined;
      }
      case 'set-reference-price': {
        const spec = this.#spec(command.market);
        const market = state.markets.get(command.market);
        if (spec === undefined || market === undefined) return 'UNKNOWN_MARKET';
        if (market.traded) return 'ALREADY_TRADED';
        if (!isWithin(command.price, 1, maximumTicks(spec))) return 'INVALID_PRICE';
        market.lastPrice = command.price;
        state.events.push({ kind: 'reference-price-set', market: command.market, price: command.price });
        return undefined;
      }
      case 'credit-development-funds':
        return this.#issue(time, SystemOwner.DEVELOPMENT, Wallet.SPOT, 'development-credit', command);
      case 'provide-house-capital':
        return this.#issue(time, SystemOwner.HOUSE_CAPITAL, Wallet.SPOT, 'house-capital', command);
      case 'grant-fee-credit':
        return this.#issue(time, SystemOwner.PROMOTIONS, Wallet.CREDIT, 'fee-credit-grant', command);
    }
  }

  #issue(
    time: number,
    source: number,
    wallet: Wallet,
    reason: LedgerReason,
    { owner, asset, amount }: { owner: number; asset: number; amount: bigint },
  ): Refusal {
    if (!isClient(owner)) return 'ACCOUNT_LIMIT';
    if (amount <= 0n || amount > 2n ** 60n || !isWithin(asset, 0, 255)) return 'INVALID_AMOUNT';
    const from = accountKey(source, Wallet.SPOT, Bucket.AVAILABLE, asset);
    if (this.#state.balance(from) - amount < -(2n ** 60n)) return 'INVALID_AMOUNT';
    const to = accountKey(owner, wallet, Bucket.AVAILABLE, asset);
    const postings = [[from, -amount] as const, [to, amount] as const];
    this.#state.post(time, reason, owner, postings, false);
    return undefined;
  }

  #place(time: number, order: PlaceOrder): Refusal {
    if (!(Number.isSafeInteger(order.orderId) && order.orderId > this.#state.lastOrderId)) return 'DUPLICATE_ID';
    if (this.#spec(order.market) === undefined) return 'UNKNOWN_MARKET';
    const refusal = this.#arrive(time, order);
    if (refusal === undefined) this.#state.lastOrderId = order.orderId;
    return refusal;
  }

  #arrive(time: number, order: PlaceOrder): Refusal {
    const spec = this.#spec(order.market)!;
    if (this.#state.markets.get(spec.id)!.halted) return 'MARKET_HALTED';
    if (!isClient(order.owner)) return 'ACCOUNT_LIMIT';
    const refusal = order.type === 'limit' ? this.#limitRefusal(spec, order) : this.#marketRefusal(time, spec, order);
    if (refusal !== undefined) return refusal;

    const { orderId, owner, market, side, type, timeInForce, price, quantity, quoteTotal } = order;
    const facts = { orderId, owner, market, side, type, timeInForce, price, quantity, quoteTotal };
    this.#state.events.push({ kind: 'order-accepted', time, ...facts });
    const arriving = this.#arriving(spec, order);
    const stop = new ReferenceMatching(this.#state, spec, time, false).run(arriving);
    const rests = type === 'limit' && (timeInForce === 'GTC' || timeInForce === 'POST_ONLY');
    if (quoteTotal > 0n) {
      arriving.quantity = arriving.traded;
      arriving.remaining = 0;
    }
    this.#finish(time, spec, arriving, price, stop, rests, type === 'market' ? 'PRICE_BAND' : 'UNFILLED_REMAINDER');
    return undefined;
  }

  #arriving(spec: MarketSpec, order: PlaceOrder): Arriving {
    const { orderId, owner, side, selfTrade, quoteTotal } = order;
    const [lowest, highest] = this.#band(spec);
    const limit = order.type === 'limit' ? order.price : side === BUY ? highest : lowest;
    const quantity = quoteTotal > 0n ? spec.maximumLots : order.quantity;
    const total = quoteTotal > 0n ? quoteTotal : undefined;
    const progress = { quantity, remaining: quantity, traded: 0, cost: 0n, decremented: false, total };
    return { orderId, owner, side, limit, selfTrade, ...progress };
  }

  /** What is left of an order after matching either rests or ends. */
  #finish(
    time: number,
    spec: MarketSpec,
    order: Arriving,
    price: number,
    stop: StopReason,
    rests: boolean,
    beyondLimit: CancelReason,
  ): void {
    const state = this.#state;
    const matching = new ReferenceMatching(state, spec, time, false);
    const { orderId, owner, side, quantity, remaining } = order;
    const resting: Resting = { orderId, owner, market: spec.id, side, price, quantity, remaining, priority: 0 };
    if (rests && (stop === 'PRICE' || stop === 'NO_ORDERS')) {
      state.lastPriority += 1;
      resting.priority = state.lastPriority;
      matching.hold(orderId, owner, side, matching.heldFor(side, price, remaining));
      state.orders.push(resting);
      matching.changed(resting, 'open', 'NONE');
      return;
    }
    const endings: Record<StopReason, readonly [OrderStatus, CancelReason]> = {
      FILLED: ['filled', 'NONE'],
      TOTAL_SPENT: ['filled', 'NONE'],
      NO_ORDERS: ['cancelled', 'UNFILLED_REMAINDER'],
      PRICE: ['cancelled', beyondLimit],
      SELF_TRADE: ['cancelled', 'SELF_TRADE'],
    };
    matching.changed(resting, ...endings[stop]);
  }

  #limitRefusal(spec: MarketSpec, order: PlaceOrder): Refusal {
    const { side, price, quantity, timeInForce, owner } = order;
    const problem = limitProblem(spec, price, quantity);
    if (problem !== undefined) return problem;
    if (order.quoteTotal !== 0n) return 'INVALID_QUANTITY';
    const [lowest, highest] = this.#band(spec);
    if (price < lowest || price > highest) return 'PRICE_OUTSIDE_BAND';
    if (timeInForce === 'POST_ONLY' && this.#crosses(spec, side, price)) return 'WOULD_TAKE';
    if (timeInForce === 'GTC' || timeInForce === 'POST_ONLY') {
      const open = this.#state.orders.filter((other) => other.owner === owner).length;
      if (open >= this.#options.maximumOpenOrdersPerOwner) return 'ACCOUNT_LIMIT';
      if (this.#state.orders.length >= MAXIMUM_OPEN_ORDERS) return 'ACCOUNT_LIMIT';
    }
    const matching = new ReferenceMatching(this.#state, spec, 0, true);
    if (this.#available(spec, side, owner) < matching.heldFor(side, price, quantity)) return 'INSUFFICIENT_FUNDS';
    if (timeInForce === 'FOK') {
      const { trial, stop } = this.#try(0, spec, order);
      if (stop !== 'FILLED' || trial.decremented) return 'NOT_FILLABLE';
    }
    return undefined;
  }

  #marketRefusal(time: number, spec: MarketSpec, order: PlaceOrder): Refusal {
    const { side, quantity, quoteTotal, owner } = order;
    const byTotal = quoteTotal !== 0n;
    if (order.price !== 0) return 'INVALID_PRICE';
    if (order.timeInForce === 'POST_ONLY') return 'WOULD_TAKE';
    if (byTotal) {
      if (quantity !== 0 || quoteTotal < 0n || quoteTotal > MAXIMUM_AMOUNT) return 'INVALID_QUANTITY';
      if (quoteTotal < spec.minimumNotional) return 'BELOW_MINIMUM_NOTIONAL';
    } else {
      const problem = quantityProblem(spec, quantity);
      if (problem !== undefined) return problem;
      const [best] = this.#state.queue(spec.id, side === BUY ? SELL : BUY);
      if (best === undefined) return 'NO_LIQUIDITY';
      if (notional(spec, best.price, quantity) < spec.minimumNotional) return 'BELOW_MINIMUM_NOTIONAL';
    }
    const { trial, stop } = this.#try(time, spec, order);
    if (trial.traded === 0) return stop === 'TOTAL_SPENT' ? 'BELOW_MINIMUM_SIZE' : 'NO_LIQUIDITY';
    if (byTotal && trial.remaining === 0) return 'ABOVE_MAXIMUM_SIZE';
    if (order.timeInForce === 'FOK') {
      if (stop !== (byTotal ? 'TOTAL_SPENT' : 'FILLED') || trial.decremented) return 'NOT_FILLABLE';
    }
    const matching = new ReferenceMatching(this.#state, spec, time, true);
    const cost = side === BUY ? trial.cost : matching.heldFor(SELL, 1, trial.traded);
    return this.#available(spec, side, owner) < cost ? 'INSUFFICIENT_FUNDS' : undefined;
  }

  /** Runs an order on a copy of everything, to see what it would do. */
  #try(time: number, spec: MarketSpec, order: PlaceOrder): { trial: Arriving; stop: StopReason } {
    const trial = this.#arriving(spec, order);
    const stop = new ReferenceMatching(this.#state.copy(), spec, time, true).run(trial);
    return { trial, stop };
  }

  #cancel(time: number, { orderId, owner }: CancelOrder): Refusal {
    const order = this.#state.orders.find((other) => other.orderId === orderId && other.owner === owner);
    if (order === undefined) return 'ORDER_NOT_FOUND';
    new ReferenceMatching(this.#state, this.#spec(order.market)!, time, false).cancel(order, 'BY_OWNER');
    return undefined;
  }

  #cancelAll(time: number, { owner, market }: CancelAllOrders): Refusal {
    if (market !== undefined && this.#spec(market) === undefined) return 'UNKNOWN_MARKET';
    const open = this.openOrdersOf(owner).map(({ orderId, market: of }) => ({ orderId, of }));
    const waiting = this.waitingOrdersOf(owner).map(({ orderId, market: of }) => ({ orderId, of }));
    for (const { orderId, of } of open) {
      if (market === undefined || of === market) this.#cancel(time, { kind: 'cancel-order', orderId, owner });
    }
    for (const { orderId, of } of waiting) {
      if (market === undefined || of === market) {
        this.#conditionals.cancel(time, { kind: 'cancel-order', orderId, owner });
      }
    }
    return undefined;
  }

  #amend(time: number, command: AmendOrder): Refusal {
    const { orderId, owner } = command;
    const order = this.#state.orders.find((other) => other.orderId === orderId && other.owner === owner);
    if (order === undefined) return 'ORDER_NOT_FOUND';
    const { price = order.price, quantity = order.quantity } = command;
    const spec = this.#spec(order.market)!;
    if (this.#state.markets.get(spec.id)!.halted) return 'MARKET_HALTED';
    if (price === order.price && quantity === order.quantity) return 'NOTHING_TO_AMEND';
    const problem = limitProblem(spec, price, quantity);
    if (problem !== undefined) return problem;
    const filled = order.quantity - order.remaining;
    if (quantity <= filled) return 'INVALID_QUANTITY';
    const matching = new ReferenceMatching(this.#state, spec, time, false);
    if (price === order.price && quantity < order.quantity) {
      const less = order.quantity - quantity;
      matching.release(order, less);
      order.quantity -= less;
      order.remaining -= less;
      matching.changed(order, 'open', 'NONE');
      return undefined;
    }
    const [lowest, highest] = this.#band(spec);
    if (price < lowest || price > highest) return 'PRICE_OUTSIDE_BAND';
    if (command.timeInForce !== 'GTC' && this.#crosses(spec, order.side, price)) return 'WOULD_TAKE';
    const { side } = order;
    const remaining = quantity - filled;
    const funds = this.#available(spec, side, owner) + matching.heldFor(side, order.price, order.remaining);
    if (funds < matching.heldFor(side, price, remaining)) return 'INSUFFICIENT_FUNDS';
    matching.release(order, order.remaining);
    matching.remove(order);
    const selfTrade = command.selfTrade ?? 'CANCEL_NEWEST';
    const progress = { quantity, remaining, traded: 0, cost: 0n, decremented: false, total: undefined };
    const arriving: Arriving = { orderId, owner, side, limit: price, selfTrade, ...progress };
    const stop = matching.run(arriving);
    this.#finish(time, spec, arriving, price, stop, true, 'NONE');
    return undefined;
  }

  #spec(market: number): MarketSpec | undefined {
    return this.markets.find((spec) => spec.id === market);
  }

  #available(spec: MarketSpec, side: Side, owner: number): bigint {
    const asset = side === BUY ? spec.quote.id : spec.base.id;
    return this.#state.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset));
  }

  #crosses(spec: MarketSpec, side: Side, price: number): boolean {
    const [best] = this.#state.queue(spec.id, side === BUY ? SELL : BUY);
    return best !== undefined && (side === BUY ? price >= best.price : price <= best.price);
  }

  /** Lowest and highest price that an order may have or trade at. */
  #band(spec: MarketSpec): [number, number] {
    const { lastPrice } = this.#state.markets.get(spec.id)!;
    const highest = maximumTicks(spec);
    if (spec.priceBandPpm === 0 || lastPrice === 0) return [1, highest];
    const low = divCeil(BigInt(lastPrice) * BigInt(1_000_000 - spec.priceBandPpm), 1_000_000n);
    const high = divFloor(BigInt(lastPrice) * BigInt(1_000_000 + spec.priceBandPpm), 1_000_000n);
    return [Math.max(1, Number(low)), Math.min(highest, Number(high))];
  }

  takeEvents(): ExchangeEvent[] {
    const { events } = this.#state;
    this.#state.events = [];
    return events;
  }

  drainEvents(sink: EventSink): void {
    deliver(this.takeEvents(), sink);
  }

  balance(key: number): bigint {
    return this.#state.balance(key);
  }

  accountsOf(owner: number): number[] {
    const keys = [...this.#state.balances.keys()];
    return keys.filter((key) => accountParts(key).owner === owner).sort((a, b) => a - b);
  }

  openOrder(orderId: number): OpenOrder | undefined {
    const order = this.#state.orders.find((other) => other.orderId === orderId);
    return order === undefined ? undefined : { ...order };
  }

  openOrdersOf(owner: number): OpenOrder[] {
    const own = this.#state.orders.filter((order) => order.owner === owner);
    return own.map((order) => ({ ...order })).sort((a, b) => a.orderId - b.orderId);
  }

  openOrderCount(): number {
    return this.#state.orders.length;
  }

  waitingOrder(orderId: number): WaitingOrder | undefined {
    return this.#conditionals.find(orderId);
  }

  waitingOrdersOf(owner: number): WaitingOrder[] {
    return this.#conditionals.all().filter((order) => order.owner === owner);
  }

  waitingOrderCount(): number {
    return this.#state.waiting.length;
  }

  isMarkWatched(market: number): boolean {
    return this.#state.waiting.some((order) => order.market === market && order.source === 'mark');
  }

  levelQuantity(market: number, side: Side, price: number): number {
    const level = this.#state.queue(market, side).filter((order) => order.price === price);
    return level.reduce((lots, order) => lots + order.remaining, 0);
  }

  levelOrders(market: number, side: Side, price: number): number {
    return this.#state.queue(market, side).filter((order) => order.price === price).length;
  }

  depth(market: number, side: Side, levels: number): number[] {
    const prices = [...new Set(this.#state.queue(market, side).map((order) => order.price))].slice(0, levels);
    return prices.flatMap((price) => [
      price,
      this.levelQuantity(market, side, price),
      this.levelOrders(market, side, price),
    ]);
  }

  bestPrice(market: number, side: Side): number {
    return this.#state.queue(market, side)[0]?.price ?? 0;
  }

  marketState(market: number): MarketState {
    return { ...this.#state.markets.get(market)! };
  }

  counters(): Counters {
    const { lastOrderId, lastTradeId, lastPriority } = this.#state;
    return { lastOrderId, lastTradeId, lastPriority };
  }

  stateHash(): string {
    const state = this.#state;
    const hasher = new StateHasher();
    const add = (...values: number[]) => {
      for (const value of values) hasher.number(value);
    };
    add(state.lastOrderId, state.lastTradeId, state.lastPriority);
    for (const { id } of this.markets) {
      const { lastPrice, markPrice, halted, traded } = state.markets.get(id)!;
      add(id, lastPrice, markPrice, (halted ? 1 : 0) + (traded ? 2 : 0));
      for (const side of [BUY, SELL] as const) {
        add(side);
        for (const order of state.queue(id, side)) {
          add(order.orderId, order.owner, order.price, order.quantity, order.remaining, order.priority);
        }
      }
    }
    for (const order of this.#conditionals.all()) hashWaitingOrder(hasher, order);
    for (const [key, amount] of [...state.balances].sort(([a], [b]) => a - b)) {
      if (amount === 0n) continue;
      add(key);
      hasher.amount(amount);
    }
    add(0);
    for (const [owner, { makerPpm, takerPpm }] of [...state.fees].sort(([a], [b]) => a - b)) {
      if (makerPpm !== DEFAULT_MAKER_PPM || takerPpm !== DEFAULT_TAKER_PPM) add(owner, makerPpm, takerPpm);
    }
    return hasher.digest();
  }

  restoreBalance(key: number, amount: bigint): void {
    this.#state.balances.set(key, amount);
  }

  restoreOrder(
    orderId: number,
    owner: number,
    market: number,
    side: Side,
    price: number,
    quantity: number,
    remaining: number,
    priority: number,
  ): void {
    this.#state.orders.push({ orderId, owner, market, side, price, quantity, remaining, priority });
  }

  restoreWaitingOrder(order: WaitingOrder): void {
    this.#state.waiting.push({ ...order });
  }

  restoreMarket(market: number, state: MarketState): void {
    this.#state.markets.set(market, { ...state });
  }

  restoreFees(owner: number, makerPpm: number, takerPpm: number): void {
    this.#state.fees.set(owner, { makerPpm, takerPpm });
  }

  restoreCounters(counters: Counters): void {
    Object.assign(this.#state, counters);
  }
}
