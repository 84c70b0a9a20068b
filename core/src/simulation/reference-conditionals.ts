/** Waiting orders of the reference exchange: one list, looked through from end to end at every price. */
import type {
  AmendConditionalOrder,
  ConditionalTerms,
  FiredLeg,
  Leg,
  PlaceConditionalOrder,
  SetMarkPrice,
  TriggerSource,
  WaitingOrder,
} from '../conditional/conditional-order.ts';
import { BUY, type CancelOrder, type PlaceOrder, SELL } from '../exchange/command.ts';
import type { ExchangeOptions } from '../exchange/options.ts';
import { invariant } from '../invariant.ts';
import { accountKey, Bucket, Wallet } from '../ledger/account.ts';
import { MAXIMUM_AMOUNT } from '../money/amount.ts';
import type { MarketSpec } from '../money/market.ts';
import { baseUnits, maximumTicks, notional } from '../money/notional.ts';
import { divCeil, divFloor } from '../money/rounding.ts';
import { isClient, isWithin, limitProblem, quantityProblem, type Refusal } from './reference-rules.ts';
import type { ReferenceState, WaitingRecord } from './reference-state.ts';

interface Crossed {
  readonly order: WaitingRecord;
  readonly purpose: FiredLeg | 'activation';
  readonly trigger: number;
}

export class ReferenceConditionals {
  readonly #state: ReferenceState;
  readonly #markets: readonly MarketSpec[];
  readonly #options: ExchangeOptions;
  readonly #arrive: (time: number, order: PlaceOrder) => Refusal;
  #fired: { readonly order: WaitingRecord; readonly leg: FiredLeg; readonly price: number }[] = [];

  constructor(
    state: ReferenceState,
    markets: readonly MarketSpec[],
    options: ExchangeOptions,
    arrive: (time: number, order: PlaceOrder) => Refusal,
  ) {
    this.#state = state;
    this.#markets = markets;
    this.#options = options;
    this.#arrive = arrive;
    state.onPrice = (time, market, price) => this.#observe(time, market, 'last', price);
  }

  all(): WaitingOrder[] {
    return this.#state.waiting.map((order) => ({ ...order })).sort((a, b) => a.orderId - b.orderId);
  }

  find(orderId: number): WaitingOrder | undefined {
    return this.all().find((order) => order.orderId === orderId);
  }

  place(time: number, { kind: _, ...order }: PlaceConditionalOrder): Refusal {
    const state = this.#state;
    if (!(Number.isSafeInteger(order.orderId) && order.orderId > state.lastOrderId)) return 'DUPLICATE_ID';
    const spec = this.#spec(order.market);
    if (spec === undefined) return 'UNKNOWN_MARKET';
    if (state.markets.get(spec.id)!.halted) return 'MARKET_HALTED';
    if (!isClient(order.owner)) return 'ACCOUNT_LIMIT';
    const refusal = this.#termsRefusal(spec, order);
    if (refusal !== undefined) return refusal;
    const inMarket = state.waiting.filter(({ market }) => market === spec.id);
    const own = inMarket.filter(({ owner }) => owner === order.owner);
    if (own.length >= this.#options.maximumWaitingOrdersPerOwner) return 'WAITING_LIMIT';
    if (inMarket.length >= this.#options.maximumWaitingOrdersPerMarket) return 'WAITING_LIMIT';
    if (this.#available(spec, order) < holdOf(spec, order)) return 'INSUFFICIENT_FUNDS';

    state.lastOrderId = order.orderId;
    const { orderId, owner, market, side, source, timeInForce, quantity, quoteTotal, selfTrade } = order;
    const { takeProfit, stop, trailing } = order;
    const facts = { orderId, owner, market, side, source, timeInForce, quantity, quoteTotal, selfTrade };
    const waiting: WaitingRecord = { ...facts, takeProfit, stop, trailing, best: this.#firstBest(order) };
    state.waiting.push(waiting);
    state.events.push({ kind: 'order-waiting', order: { ...waiting }, time });
    this.#move(time, spec, waiting, holdOf(spec, waiting));
    return undefined;
  }

  amend(time: number, command: AmendConditionalOrder): Refusal {
    const order = this.#own(command);
    if (order === undefined) return 'ORDER_NOT_FOUND';
    const spec = this.#spec(order.market)!;
    if (this.#state.markets.get(spec.id)!.halted) return 'MARKET_HALTED';
    const amended = { ...order };
    for (const name of ['takeProfit', 'stop'] as const) {
      const before = order[name];
      for (const field of ['trigger', 'price'] as const) {
        const value = command[name]?.[field];
        if (value === undefined) continue;
        if (before === undefined) return 'INVALID_TRIGGER';
        if (field === 'price' && before.price > 0 !== (value !== 0)) return 'INVALID_TRIGGER';
        amended[name] = { ...(amended[name] as Leg), [field]: value };
      }
    }
    const isSame = (before: Leg | undefined, after: Leg | undefined) =>
      before?.trigger === after?.trigger && before?.price === after?.price;
    if (isSame(order.takeProfit, amended.takeProfit) && isSame(order.stop, amended.stop)) return 'NOTHING_TO_AMEND';
    const refusal = this.#termsRefusal(spec, amended);
    if (refusal !== undefined) return refusal;
    const [before, after] = [holdOf(spec, order), holdOf(spec, amended)];
    if (this.#available(spec, order) + before < after) return 'INSUFFICIENT_FUNDS';
    order.takeProfit = amended.takeProfit;
    order.stop = amended.stop;
    this.#state.events.push({ kind: 'order-waiting', order: { ...order }, time });
    if (before !== after) {
      this.#move(time, spec, order, -before);
      this.#move(time, spec, order, after);
    }
    return undefined;
  }

  cancel(time: number, command: CancelOrder): Refusal {
    const order = this.#own(command);
    if (order === undefined) return 'ORDER_NOT_FOUND';
    this.#forget(order);
    const spec = this.#spec(order.market)!;
    this.#move(time, spec, order, -holdOf(spec, order));
    this.#state.events.push({ kind: 'waiting-ended', order: { ...order }, reason: 'BY_OWNER', time });
    return undefined;
  }

  setMarkPrice(time: number, { market, price }: SetMarkPrice): Refusal {
    const spec = this.#spec(market);
    if (spec === undefined) return 'UNKNOWN_MARKET';
    if (!isWithin(price, 1, maximumTicks(spec))) return 'INVALID_PRICE';
    this.#state.markets.get(market)!.markPrice = price;
    this.#state.events.push({ kind: 'mark-price-set', market, price, time });
    this.#observe(time, market, 'mark', price);
    return undefined;
  }

  /** Places what has fired, one after another, until nothing more fires. */
  settle(time: number): void {
    for (let next = this.#fired.shift(); next !== undefined; next = this.#fired.shift()) {
      const { order, leg, price } = next;
      const spec = this.#spec(order.market)!;
      this.#forget(order);
      this.#state.events.push({ kind: 'order-triggered', order: { ...order }, leg, price, time });
      this.#move(time, spec, order, -holdOf(spec, order));
      const reason = this.#arrive(time, orderOf(order, leg));
      if (reason === undefined) continue;
      this.#state.events.push({ kind: 'waiting-ended', order: { ...order }, reason, time });
    }
  }

  #observe(time: number, market: number, source: TriggerSource, price: number): void {
    const { events } = this.#state;
    const watching = () =>
      this.#state.waiting.filter(
        (order) =>
          order.market === market && order.source === source && !this.#fired.some((fired) => fired.order === order),
      );
    for (const falls of [true, false]) {
      const crossed = watching()
        .flatMap((order) => triggersOf(order, falls))
        .filter(({ trigger }) => (falls ? price <= trigger : price >= trigger))
        .sort((a, b) => (falls ? b.trigger - a.trigger : a.trigger - b.trigger) || a.order.orderId - b.order.orderId);
      for (const { order, purpose } of crossed) {
        if (purpose !== 'activation') {
          this.#fired.push({ order, leg: purpose, price });
          continue;
        }
        order.best = price;
        events.push({ kind: 'trailing-activated', order: { ...order }, time });
      }
    }
    for (const side of [BUY, SELL] as const) {
      const beaten = watching().filter(
        (order) => order.side === side && order.best > 0 && (side === SELL ? price > order.best : price < order.best),
      );
      for (const order of beaten) order.best = price;
      if (beaten.length > 0) events.push({ kind: 'trailing-moved', market, side, source, best: price, time });
    }
  }

  #firstBest({ side, source, market, trailing }: ConditionalTerms): number {
    if (trailing === undefined) return 0;
    const price = this.#price(market, source);
    const { activation } = trailing;
    if (activation === 0) return price;
    return (side === SELL ? price >= activation : price <= activation) ? price : 0;
  }

  #termsRefusal(spec: MarketSpec, order: ConditionalTerms): Refusal {
    const { side, takeProfit, stop, trailing, quantity, quoteTotal } = order;
    const legs = [takeProfit, stop].filter((leg) => leg !== undefined);
    const highest = maximumTicks(spec);
    if (trailing !== undefined ? legs.length > 0 : legs.length === 0) return 'INVALID_TRIGGER';
    const price = this.#price(spec.id, order.source);
    if (price === 0) return 'NO_PRICE';
    if (trailing !== undefined && !isGoodTrailing(trailing, highest)) return 'INVALID_TRIGGER';
    for (const leg of legs) {
      if (!isWithin(leg.trigger, 1, highest)) return 'INVALID_TRIGGER';
      if (!isWithin(leg.price, 0, highest)) return 'INVALID_PRICE';
    }
    const atMarket = trailing !== undefined || legs.some((leg) => leg.price === 0);
    if (side === BUY && atMarket) {
      if (quoteTotal < 1n || quoteTotal > MAXIMUM_AMOUNT) return 'INVALID_QUANTITY';
      if (quoteTotal < spec.minimumNotional) return 'BELOW_MINIMUM_NOTIONAL';
    } else if (quoteTotal !== 0n) {
      return 'INVALID_QUANTITY';
    }
    if (side === BUY && legs.every((leg) => leg.price === 0)) {
      if (quantity !== 0) return 'INVALID_QUANTITY';
    } else {
      const problem = quantityProblem(spec, quantity);
      if (problem !== undefined) return problem;
      for (const leg of legs) {
        if (leg.price === 0 && side === BUY) continue;
        const worth = limitProblem(spec, leg.price === 0 ? leg.trigger : leg.price, quantity);
        if (worth !== undefined) return worth;
      }
      if (trailing !== undefined && notional(spec, price, quantity) < spec.minimumNotional) {
        return 'BELOW_MINIMUM_NOTIONAL';
      }
    }
    const lower = side === SELL ? stop : takeProfit;
    const upper = side === SELL ? takeProfit : stop;
    if (lower !== undefined && lower.trigger >= price) return 'WOULD_TRIGGER';
    return upper !== undefined && upper.trigger <= price ? 'WOULD_TRIGGER' : undefined;
  }

  #price(market: number, source: TriggerSource): number {
    const state = this.#state.markets.get(market)!;
    return source === 'mark' ? state.markPrice : state.lastPrice;
  }

  #own({ orderId, owner }: { orderId: number; owner: number }): WaitingRecord | undefined {
    return this.#state.waiting.find((order) => order.orderId === orderId && order.owner === owner);
  }

  #forget(order: WaitingRecord): void {
    invariant(this.#state.waiting.includes(order), 'an order waits until it ends', { orderId: order.orderId });
    this.#state.waiting = this.#state.waiting.filter((other) => other !== order);
  }

  #spec(market: number): MarketSpec | undefined {
    return this.#markets.find((spec) => spec.id === market);
  }

  #available(spec: MarketSpec, { owner, side }: ConditionalTerms): bigint {
    const asset = side === BUY ? spec.quote.id : spec.base.id;
    return this.#state.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset));
  }

  /** Holds an amount, or releases it when it is below zero. */
  #move(time: number, spec: MarketSpec, { orderId, owner, side }: WaitingRecord, amount: bigint): void {
    const asset = side === BUY ? spec.quote.id : spec.base.id;
    const available = accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset);
    const held = accountKey(owner, Wallet.SPOT, Bucket.HELD, asset);
    const postings = amount > 0n ? [[available, -amount] as const, [held, amount] as const] : [];
    const back = amount < 0n ? [[held, amount] as const, [available, -amount] as const] : [];
    const reason = amount > 0n ? 'order-hold' : 'order-release';
    this.#state.post(time, reason, orderId, [...postings, ...back], false);
  }
}

function isGoodTrailing(trailing: NonNullable<ConditionalTerms['trailing']>, highest: number): boolean {
  const { callbackPpm, callbackTicks, activation } = trailing;
  if (!isWithin(activation, 0, highest)) return false;
  if (callbackPpm === 0) return isWithin(callbackTicks, 1, highest);
  return callbackTicks === 0 && isWithin(callbackPpm, 100, 500_000);
}

/** What an order waits for as the price falls, or as it rises. */
function triggersOf(order: WaitingRecord, falls: boolean): Crossed[] {
  const sells = order.side === SELL;
  const crossed: Crossed[] = [];
  const { takeProfit, stop, trailing, best } = order;
  if (takeProfit !== undefined && sells !== falls) {
    crossed.push({ order, purpose: 'take-profit', trigger: takeProfit.trigger });
  }
  if (stop !== undefined && sells === falls) crossed.push({ order, purpose: 'stop', trigger: stop.trigger });
  if (trailing === undefined) return crossed;
  if (best === 0) {
    if (sells !== falls) crossed.push({ order, purpose: 'activation', trigger: trailing.activation });
  } else if (sells === falls) {
    crossed.push({ order, purpose: 'trailing', trigger: comebackOf(order) });
  }
  return crossed;
}

function comebackOf({ side, best, trailing }: WaitingRecord): number {
  const { callbackPpm, callbackTicks } = trailing!;
  const sign = side === SELL ? -1 : 1;
  if (callbackTicks > 0) return best + sign * callbackTicks;
  const scaled = BigInt(best) * BigInt(1_000_000 + sign * callbackPpm);
  return Number(side === SELL ? divFloor(scaled, 1_000_000n) : divCeil(scaled, 1_000_000n));
}

function holdOf(spec: MarketSpec, order: ConditionalTerms): bigint {
  if (order.side === SELL) return baseUnits(spec, order.quantity);
  const legs = [order.takeProfit, order.stop].filter((leg) => leg !== undefined);
  const costs = legs.map(({ price }) => (price > 0 ? notional(spec, price, order.quantity) : order.quoteTotal));
  if (order.trailing !== undefined) costs.push(order.quoteTotal);
  return costs.sort((a, b) => (a < b ? 1 : -1))[0] ?? 0n;
}

/** The order that a leg places. */
function orderOf(order: WaitingRecord, fired: FiredLeg): PlaceOrder {
  const { orderId, owner, market, side, selfTrade, timeInForce } = order;
  const price = (fired === 'stop' ? order.stop?.price : fired === 'take-profit' ? order.takeProfit?.price : 0) ?? 0;
  const common = { kind: 'place-order', orderId, owner, market, side, selfTrade, price } as const;
  if (price > 0) return { ...common, type: 'limit', timeInForce, quantity: order.quantity, quoteTotal: 0n };
  const size =
    side === SELL ? { quantity: order.quantity, quoteTotal: 0n } : { quantity: 0, quoteTotal: order.quoteTotal };
  return { ...common, type: 'market', timeInForce: timeInForce === 'FOK' ? 'FOK' : 'IOC', ...size };
}
