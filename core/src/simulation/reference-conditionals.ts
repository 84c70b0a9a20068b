/** Untriggered orders of the reference exchange: one list, searched from end to end at every price. */
import { invariant } from '../invariant.ts';
import { accountKey, Bucket, Wallet } from '../ledger/account.ts';
import type { SetIndexPrice } from '../margin/commands.ts';
import { MAXIMUM_AMOUNT } from '../money/amount.ts';
import type { MarketSpec } from '../money/market.ts';
import { baseUnits, maximumTicks, notional } from '../money/notional.ts';
import type { CancelOrder, PlaceOrder } from '../orders/commands.ts';
import type {
  AmendConditionalOrder,
  ConditionalTerms,
  Leg,
  PlaceConditionalOrder,
  SetMarkPrice,
  TriggeredLeg,
  TriggerSource,
  UntriggeredOrder,
} from '../orders/conditional/conditional-order.ts';
import type { UntriggeredEnd } from '../orders/conditional/event.ts';
import { BUY, SELL, type Side } from '../terms/order-terms.ts';
import { ReferenceLastPrices } from './reference-last-prices.ts';
import { legNamed } from './reference-legs.ts';
import { positionOf } from './reference-matching.ts';
import type { PlacesParts, ReferenceParts } from './reference-parts.ts';
import { ReferencePerpetuals } from './reference-perpetuals.ts';
import { isClient, isWithin, quantityProblem, type Refusal } from './reference-rules.ts';
import type { HoldingKey, ReferenceState, UntriggeredRecord } from './reference-state.ts';
import { triggersOf } from './reference-triggers.ts';

export class ReferenceConditionals {
  readonly #state: ReferenceState;
  readonly #orders: PlacesParts;
  readonly #parts: ReferenceParts;
  readonly #perpetuals: ReferencePerpetuals;
  readonly #last: ReferenceLastPrices;
  #triggered: { readonly order: UntriggeredRecord; readonly leg: TriggeredLeg; readonly price: number }[] = [];

  constructor(state: ReferenceState, orders: PlacesParts, parts: ReferenceParts) {
    this.#state = state;
    this.#orders = orders;
    this.#parts = parts;
    this.#perpetuals = new ReferencePerpetuals(state);
    state.onPrice = (time, market, price) => this.#last.observe(time, market, price);
    this.#last = new ReferenceLastPrices(state, (time, market, falling, rising) =>
      this.#reach(time, market, 'last', falling, rising),
    );
  }

  all(): UntriggeredOrder[] {
    return this.#state.untriggered.map((order) => ({ ...order })).sort((a, b) => a.orderId - b.orderId);
  }

  find(orderId: number): UntriggeredOrder | undefined {
    return this.all().find((order) => order.orderId === orderId);
  }

  place(time: number, { kind: _, ...order }: PlaceConditionalOrder): Refusal {
    const state = this.#state;
    if (!(Number.isSafeInteger(order.orderId) && order.orderId > state.lastOrderId)) return 'DUPLICATE_ID';
    const spec = this.#spec(order.market);
    if (spec === undefined) return 'UNKNOWN_MARKET';
    const taken = state.clientOrderIdRefusal(order);
    if (taken !== undefined) return taken;
    if (state.market(spec.id)!.state.delisted) return 'MARKET_DELISTED';
    if (state.market(spec.id)!.state.halted) return 'MARKET_HALTED';
    if (state.isPaused(state.market(spec.id)!)) return 'MARKET_PAUSED';
    if (!isClient(order.owner)) return 'ACCOUNT_LIMIT';
    if (state.isTooLate(order)) return 'MARKET_CLOSE_ONLY';
    const mismatch = this.#perpetuals.legRefusal(spec.id, order);
    if (mismatch !== undefined) return mismatch;
    const isClosing = order.positionSide === (order.side === SELL ? 'long' : 'short');
    const reduceOnly = isClosing || order.reduceOnly;
    const refusal = this.#termsRefusal(spec, { ...order, reduceOnly });
    if (refusal !== undefined) return refusal;
    if (reduceOnly) {
      if (spec.perpetual === undefined) return 'NOTHING_TO_CLOSE';
      const isEarly = order.quantity > 0 && (state.rules < 5 || this.#hasEntry(order));
      if (!isEarly && !this.#closes(order)) return 'NOTHING_TO_CLOSE';
    }
    const entries = state.rules >= 4 ? state.exitPlans : [];
    const inMarket = [...state.untriggered, ...state.twaps, ...entries].filter(({ market }) => market === spec.id);
    const own = inMarket.filter(({ owner }) => owner === order.owner);
    if (own.length >= this.#state.limits.maximumUntriggeredOrdersPerOwner) return 'UNTRIGGERED_LIMIT';
    if (inMarket.length >= this.#state.limits.maximumUntriggeredOrdersPerMarket) return 'UNTRIGGERED_LIMIT';
    if (this.#available(spec, order) < holdOf(spec, order)) return 'INSUFFICIENT_FUNDS';
    const cost = this.#cost(spec, { ...order, reduceOnly });
    if (cost > 0n && cost > this.#free(spec, order)) return 'INSUFFICIENT_FUNDS';

    state.lastOrderId = order.orderId;
    state.giveClientOrderId(time, order);
    const { orderId, owner, market, side, source, timeInForce, quantity, quoteTotal, selfTrade } = order;
    const { takeProfit, stop, trailing } = order;
    const facts = { orderId, owner, market, side, source, timeInForce, quantity, quoteTotal, selfTrade };
    const best = this.#firstBest(order);
    const reducing = positionOf({ ...order, reduceOnly });
    const untriggered: UntriggeredRecord = { ...facts, createdAt: time, takeProfit, stop, trailing, best };
    Object.assign(untriggered, { entryId: undefined, ...reducing });
    state.untriggered.push(untriggered);
    const held = this.#move(spec, untriggered, holdOf(spec, untriggered));
    state.events.push({ kind: 'order-untriggered', order: { ...untriggered }, held, time });
    return undefined;
  }

  /** Whether its owner has an order, at rest or untriggered, that may open what it would close. */
  #hasEntry({ owner, market, side, positionSide }: ConditionalTerms): boolean {
    const open = this.#perpetuals.ordersOf(owner, market, legNamed({ positionSide }));
    const untriggered = this.#state.untriggered.filter((order) => order.owner === owner && order.market === market);
    return [...open, ...untriggered.filter((order) => order.positionSide === positionSide)].some(
      (order) => order.side !== side && !order.reduceOnly,
    );
  }

  /** What an order of a perpetual would reserve at its highest price; older rules did not ask. */
  #cost(spec: MarketSpec, order: ConditionalTerms): bigint {
    if (spec.perpetual === undefined || this.#state.rules < 5) return 0n;
    const legs = [order.takeProfit, order.stop].flatMap((leg) => (leg === undefined ? [] : [leg.trigger, leg.price]));
    const price = order.trailing === undefined ? Math.max(...legs) : this.price(spec.id, order.source);
    return this.#perpetuals.reserve(spec, { ...order, price }, order.quantity);
  }

  #free(spec: MarketSpec, { owner }: ConditionalTerms): bigint {
    return spec.perpetual === undefined || this.#state.rules < 5 ? 0n : this.#perpetuals.free(owner, spec.quote.id);
  }

  /** Whether an order would close something of its owner's position. */
  #closes(order: Pick<UntriggeredOrder, 'owner' | 'market' | 'side' | 'positionSide'>): boolean {
    const { owner, market, side } = order;
    const holding = this.#perpetuals.holding(owner, market, legNamed(order));
    return holding.position !== undefined && (holding.position.direction > 0 ? SELL : BUY) === side;
  }

  /** Whether a position that orders of a side reduce has ended since an event. */
  #hasLost({ owner, market, leg, side }: HoldingKey & { readonly side: Side }, from: number): boolean {
    const { rules, ended } = this.#state;
    const isIt = (one: HoldingKey) => one.owner === owner && one.market === market && one.leg === leg;
    const closing = (direction: number) => (direction > 0 ? SELL : BUY);
    return rules >= 13 && ended.some((one) => one.at >= from && isIt(one) && closing(one.direction) === side);
  }

  /** Reduce-only orders of positions that are closed. In the order in which positions have changed. */
  followPositions(time: number, from: number): void {
    const traded = this.#state.events.slice(from).flatMap((event) => {
      const isTrade =
        event.kind === 'position-changed' && ['trade', 'liquidation', 'deleveraging'].includes(event.cause);
      return isTrade ? [event] : [];
    });
    for (const { owner, market, leg } of traded) {
      const own = this.all().filter((order) => order.owner === owner && order.market === market);
      for (const { orderId, reduceOnly, quantity, side, positionSide, entryId = 0 } of own) {
        if (legNamed({ positionSide }) !== leg) continue;
        const isTriggered = this.#triggered.some(({ order }) => order.orderId === orderId);
        const isOfPosition = quantity === 0 || entryId > 0 || this.#hasLost({ owner, market, leg, side }, from);
        if (!reduceOnly || !isOfPosition || isTriggered || this.#closes({ owner, market, side, positionSide }))
          continue;
        this.cancel(time, { kind: 'cancel-order', orderId, owner }, 'NOTHING_TO_CLOSE');
      }
    }
  }

  amend(time: number, command: AmendConditionalOrder): Refusal {
    const order = this.#own(command);
    if (order === undefined) return 'ORDER_NOT_FOUND';
    const spec = this.#spec(order.market)!;
    if (this.#state.market(spec.id)!.state.halted) return 'MARKET_HALTED';
    if (this.#state.isPaused(this.#state.market(spec.id)!)) return 'MARKET_PAUSED';
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
    const refusal = this.#termsRefusal(spec, amended, this.#state.rules >= 4);
    if (refusal !== undefined) return refusal;
    const [before, after] = [holdOf(spec, order), holdOf(spec, amended)];
    if (this.#available(spec, order) + before < after) return 'INSUFFICIENT_FUNDS';
    const [was, is] = [this.#cost(spec, order), this.#cost(spec, amended)];
    if (is > was && is > this.#free(spec, order)) return 'INSUFFICIENT_FUNDS';
    order.takeProfit = amended.takeProfit;
    order.stop = amended.stop;
    const held = this.#move(spec, order, after - before);
    this.#state.events.push({ kind: 'order-untriggered', order: { ...order }, held, time });
    return undefined;
  }

  cancel(time: number, command: CancelOrder, reason: UntriggeredEnd = 'BY_OWNER'): Refusal {
    const order = this.#own(command);
    if (order === undefined) return 'ORDER_NOT_FOUND';
    this.#forget(time, order);
    const spec = this.#spec(order.market)!;
    const held = this.#move(spec, order, -holdOf(spec, order));
    this.#state.events.push({ kind: 'untriggered-ended', order: { ...order }, reason, held, time });
    return undefined;
  }

  setMarkPrice(time: number, { market, price, waitsWhileHalted = false }: SetMarkPrice): Refusal {
    const spec = this.#spec(market);
    if (spec === undefined) return 'UNKNOWN_MARKET';
    if (spec.perpetual !== undefined) return 'INVALID_MARKET';
    if (!isWithin(price, 1, maximumTicks(spec))) return 'INVALID_PRICE';
    const { state } = this.#state.market(market)!;
    state.markPrice = price;
    this.#state.events.push({ kind: 'mark-price-set', market, price, time });
    const waits = (waitsWhileHalted && state.halted) || this.#isPaused(market);
    if (!waits) this.#observe(time, market, 'mark', price);
    return undefined;
  }

  /** A new index, after the mark that follows from it. */
  observeIndex(time: number, { market, waitsWhileHalted = false }: SetIndexPrice): void {
    if (waitsWhileHalted && this.#state.market(market)!.state.halted) return;
    for (const source of ['mark', 'index'] as const) this.#observe(time, market, source, this.price(market, source));
    const { state } = this.#state.market(market)!;
    if (this.#state.rules >= 11 && !state.halted && state.lastPrice > 0)
      this.#last.observe(time, market, state.lastPrice);
  }

  /** An exit order, for which the funds are there; a price that has passed its trigger triggers it. */
  placeExit(time: number, order: UntriggeredRecord): void {
    const spec = this.#spec(order.market)!;
    this.#state.untriggered.push(order);
    const held = this.#move(spec, order, holdOf(spec, order));
    this.#state.events.push({ kind: 'order-untriggered', order: { ...order }, held, time });
    const price = this.price(order.market, order.source);
    if (price > 0 && !this.#isPaused(order.market)) this.#observe(time, order.market, order.source, price);
  }

  /** More of it, on the same legs. */
  growExit(time: number, order: UntriggeredRecord, quantity: number, quoteTotal: bigint): void {
    const spec = this.#spec(order.market)!;
    const before = holdOf(spec, order);
    order.quantity = quantity;
    order.quoteTotal = quoteTotal;
    const held = this.#move(spec, order, holdOf(spec, order) - before);
    this.#state.events.push({ kind: 'order-untriggered', order: { ...order }, held, time });
  }

  /** Places what was triggered, one after another, until nothing more is. */
  processTriggered(time: number, after: (from: number) => void): void {
    for (let next = this.#triggered.shift(); next !== undefined; next = this.#triggered.shift()) {
      const { order, leg, price } = next;
      if (this.#isPaused(order.market)) {
        after(this.#state.events.length);
        continue;
      }
      const from = this.#state.events.length;
      const spec = this.#spec(order.market)!;
      this.#forget(time, order);
      const held = this.#move(spec, order, -holdOf(spec, order));
      this.#state.events.push({ kind: 'order-triggered', order: { ...order }, leg, price, held, time });
      const reason = this.#placeTriggered(time, spec, order, leg);
      if (reason !== undefined) {
        this.#state.events.push({ kind: 'untriggered-ended', order: { ...order }, reason, held: 0n, time });
      }
      after(from);
    }
  }

  /** Triggers that the last price was held beyond. */
  runHeld(time: number): void {
    for (const market of this.#last.due(time)) this.#last.observe(time, market, this.price(market, 'last'));
  }

  nextHeldAt(): number | undefined {
    return this.#last.nextAt();
  }

  /** After a pause what the prices have passed is triggered. */
  resume(time: number, market: number): void {
    const { state } = this.#state.market(market)!;
    if (state.halted) return;
    this.#last.restart(time, market);
    if (state.markPrice > 0) this.#observe(time, market, 'mark', state.markPrice);
  }

  #isPaused(market: number): boolean {
    return this.#state.isPaused(this.#state.market(market)!);
  }

  /** As one order under older rules, unless it only reduces; else as many as it needs. */
  #placeTriggered(time: number, spec: MarketSpec, order: UntriggeredRecord, leg: TriggeredLeg): Refusal {
    const { rules } = this.#state;
    const whole = orderOf(spec, order, leg);
    const kind = rules >= 4 || order.entryId !== undefined ? 'exit' : 'triggered';
    const reduces = spec.perpetual !== undefined && order.reduceOnly;
    if (rules < (reduces ? 3 : 4)) return this.#orders.arrive(time, whole, order.createdAt, kind);
    if (whole.quoteTotal > 0n) return this.#parts.placeTotal(time, spec, whole, order.createdAt);
    const open = this.#perpetuals.open({ ...order, quantity: order.quantity || Number.POSITIVE_INFINITY });
    const lots = reduces ? open : order.quantity;
    return this.#parts.place(time, spec, whole, lots, { createdAt: order.createdAt, kind, isOneWish: false }).refusal;
  }

  #observe(time: number, market: number, source: TriggerSource, price: number): void {
    if (source === 'last') this.#last.observe(time, market, price);
    else this.#reach(time, market, source, price, price);
  }

  #watching(market: number, source: TriggerSource): UntriggeredRecord[] {
    return this.#state.untriggered.filter(
      (order) =>
        order.market === market &&
        order.source === source &&
        !this.#triggered.some((triggered) => triggered.order === order),
    );
  }

  /** @param falling the price for what waits below; `rising` for what waits above */
  #reach(time: number, market: number, source: TriggerSource, falling: number, rising: number): UntriggeredRecord[] {
    const { events } = this.#state;
    const watching = () => this.#watching(market, source);
    for (const falls of [true, false]) {
      const price = falls ? falling : rising;
      const crossed = watching()
        .flatMap((order) => triggersOf(order, falls))
        .filter(({ trigger }) => (falls ? price <= trigger : price >= trigger))
        .sort((a, b) => (falls ? b.trigger - a.trigger : a.trigger - b.trigger) || a.order.orderId - b.order.orderId);
      for (const { order, purpose } of crossed) {
        if (purpose !== 'activation') {
          this.#triggered.push({ order, leg: purpose, price });
          continue;
        }
        order.best = price;
        events.push({ kind: 'trailing-activated', order: { ...order }, time });
      }
    }
    for (const side of [BUY, SELL] as const) {
      const price = side === BUY ? falling : rising;
      const beaten = watching().filter(
        (order) => order.side === side && order.best > 0 && (side === SELL ? price > order.best : price < order.best),
      );
      for (const order of beaten) order.best = price;
      if (beaten.length > 0) events.push({ kind: 'trailing-moved', market, side, source, best: price, time });
    }
    return watching();
  }

  #firstBest({ side, source, market, trailing }: ConditionalTerms): number {
    if (trailing === undefined) return 0;
    const price = this.price(market, source);
    const { activation } = trailing;
    if (activation === 0) return price;
    return (side === SELL ? price >= activation : price <= activation) ? price : 0;
  }

  /** @param isAmended whether the quantity was right before, and is not asked again */
  #termsRefusal(spec: MarketSpec, order: ConditionalTerms, isAmended = false): Refusal {
    const { side, takeProfit, stop, trailing, quantity, quoteTotal } = order;
    const legs = [takeProfit, stop].filter((leg) => leg !== undefined);
    const highest = maximumTicks(spec);
    if (trailing !== undefined ? legs.length > 0 : legs.length === 0) return 'INVALID_TRIGGER';
    const price = this.price(spec.id, order.source);
    if (price === 0) return 'NO_PRICE';
    if (trailing !== undefined && !isGoodTrailing(trailing, highest)) return 'INVALID_TRIGGER';
    for (const leg of legs) {
      if (!isWithin(leg.trigger, 1, highest)) return 'INVALID_TRIGGER';
      if (!isWithin(leg.price, 0, highest)) return 'INVALID_PRICE';
    }
    const atMarket = trailing !== undefined || legs.some((leg) => leg.price === 0);
    if (spec.perpetual !== undefined) {
      const known = isAmended ? unlimited(spec) : spec;
      const problem = this.#perpetualSizeRefusal(known, order, trailing === undefined ? legs : [{ price, trigger: 0 }]);
      if (problem !== undefined) return problem;
    } else if (side === BUY && atMarket) {
      if (quoteTotal < 1n || quoteTotal > MAXIMUM_AMOUNT) return 'INVALID_QUANTITY';
      if (quoteTotal < spec.minimumNotional) return 'BELOW_MINIMUM_NOTIONAL';
    } else if (quoteTotal !== 0n) {
      return 'INVALID_QUANTITY';
    }
    if (spec.perpetual !== undefined) {
      // Sized by lots alone.
    } else if (side === BUY && legs.every((leg) => leg.price === 0)) {
      if (quantity !== 0) return 'INVALID_QUANTITY';
    } else {
      const known = isAmended ? unlimited(spec) : spec;
      const problem = quantityProblem(known, quantity);
      if (problem !== undefined) return problem;
      for (const leg of legs) {
        if (leg.price === 0 && side === BUY) continue;
        const worth = worthProblem(known, leg.price === 0 ? leg.trigger : leg.price, quantity);
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

  #perpetualSizeRefusal(spec: MarketSpec, order: ConditionalTerms, legs: readonly Leg[]): Refusal {
    const { quantity, quoteTotal, reduceOnly } = order;
    if (quoteTotal !== 0n) return 'INVALID_QUANTITY';
    if (reduceOnly) return isWithin(quantity, 0, spec.maximumLots) ? undefined : 'INVALID_QUANTITY';
    const tooSmall = legs.some(
      ({ price, trigger }) => notional(spec, price || trigger, quantity) < spec.minimumNotional,
    );
    return quantityProblem(spec, quantity) ?? (tooSmall ? 'BELOW_MINIMUM_NOTIONAL' : undefined);
  }

  price(market: number, source: TriggerSource): number {
    const { state } = this.#state.market(market)!;
    if (source === 'index') return this.#state.pricing.get(market)?.index ?? 0;
    return source === 'mark' ? state.markPrice : state.lastPrice;
  }

  #own({ orderId, owner }: { orderId: number; owner: number }): UntriggeredRecord | undefined {
    return this.#state.untriggered.find((order) => order.orderId === orderId && order.owner === owner);
  }

  #forget(time: number, order: UntriggeredRecord): void {
    invariant(this.#state.untriggered.includes(order), 'an untriggered order stays until it ends', {
      orderId: order.orderId,
    });
    this.#state.untriggered = this.#state.untriggered.filter((other) => other !== order);
    const { market, source } = order;
    if (source === 'last' && this.#watching(market, 'last').length === 0) this.#last.forget(time, market);
  }

  #spec(market: number): MarketSpec | undefined {
    return this.#state.market(market)?.spec;
  }

  #available(spec: MarketSpec, { owner, side }: ConditionalTerms): bigint {
    if (spec.perpetual !== undefined) return 0n;
    const asset = side === BUY ? spec.quote.id : spec.base.id;
    return this.#state.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset));
  }

  /** Holds an amount, or releases it when it is below zero. @returns the amount */
  #move(spec: MarketSpec, { owner, side }: UntriggeredRecord, amount: bigint): bigint {
    const asset = side === BUY ? spec.quote.id : spec.base.id;
    const available = accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset);
    const held = accountKey(owner, Wallet.SPOT, Bucket.HELD, asset);
    this.#state.post([[available, -amount] as const, [held, amount] as const], false);
    return amount;
  }
}

/** For an order whose lots are not asked again. */
const unlimited = (spec: MarketSpec): MarketSpec => ({ ...spec, minimumLots: 1, maximumLots: Number.MAX_SAFE_INTEGER });

const worthProblem = (spec: MarketSpec, price: number, quantity: number): Refusal =>
  notional(spec, price, quantity) < spec.minimumNotional ? 'BELOW_MINIMUM_NOTIONAL' : undefined;

function isGoodTrailing(trailing: NonNullable<ConditionalTerms['trailing']>, highest: number): boolean {
  const { callbackPpm, callbackTicks, activation } = trailing;
  if (!isWithin(activation, 0, highest)) return false;
  if (callbackPpm === 0) return isWithin(callbackTicks, 1, highest);
  return callbackTicks === 0 && isWithin(callbackPpm, 100, 500_000);
}

export function holdOf(spec: MarketSpec, order: ConditionalTerms): bigint {
  if (spec.perpetual !== undefined) return 0n;
  if (order.side === SELL) return baseUnits(spec, order.quantity);
  const legs = [order.takeProfit, order.stop].filter((leg) => leg !== undefined);
  const costs = legs.map(({ price }) => (price > 0 ? notional(spec, price, order.quantity) : order.quoteTotal));
  if (order.trailing !== undefined) costs.push(order.quoteTotal);
  return costs.sort((a, b) => (a < b ? 1 : -1))[0] ?? 0n;
}

/** The order that a leg places. */
function orderOf(spec: MarketSpec, order: UntriggeredRecord, leg: TriggeredLeg): PlaceOrder {
  const { orderId, owner, market, side, selfTrade, timeInForce } = order;
  const price = (leg === 'stop' ? order.stop?.price : leg === 'take-profit' ? order.takeProfit?.price : 0) ?? 0;
  const reducing = positionOf(order);
  const common = { kind: 'place-order', orderId, owner, market, side, selfTrade, price, ...reducing } as const;
  const quantity = order.quantity === 0 ? spec.maximumLots : order.quantity;
  if (price > 0) return { ...common, type: 'limit', timeInForce, quantity, quoteTotal: 0n };
  const size =
    spec.perpetual !== undefined
      ? { quantity, quoteTotal: 0n }
      : side === SELL
        ? { quantity: order.quantity, quoteTotal: 0n }
        : { quantity: 0, quoteTotal: order.quoteTotal };
  return { ...common, type: 'market', timeInForce: timeInForce === 'FOK' ? 'FOK' : 'IOC', ...size };
}
