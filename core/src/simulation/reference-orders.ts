/** Placing, amending and cancelling in the reference exchange. */
import { accountKey, Bucket, Wallet } from '../ledger/account.ts';
import { MAXIMUM_OPEN_ORDERS } from '../matching/order-pool.ts';
import { MAXIMUM_AMOUNT } from '../money/amount.ts';
import type { MarketSpec } from '../money/market.ts';
import { baseUnits, maximumTicks, notional } from '../money/notional.ts';
import { divCeil } from '../money/rounding.ts';
import type { AmendOrder, CancelOrder, PlaceOrder } from '../orders/commands.ts';
import type { CancelReason, OrderStatus } from '../orders/order-state.ts';
import { BUY, type PositionLeg, type PositionSide, SELL, type Side } from '../terms/order-terms.ts';
import { bandOf, pauseBehind } from './reference-band.ts';
import type { ReferenceExits } from './reference-exits.ts';
import { legNamed } from './reference-legs.ts';
import {
  type Arriving,
  positionOf,
  ReferenceMatching,
  restingOf,
  type StopReason,
  shownOf,
  tradesNothing,
  tried,
  UNTRADED,
} from './reference-matching.ts';
import { type OpeningTerms, opensBelowMaintenance } from './reference-openings.ts';
import { ReferencePerpetuals } from './reference-perpetuals.ts';
import {
  boundOf,
  isBadPart,
  isClient,
  isWithin,
  limitProblem,
  quantityProblem,
  type Refusal,
} from './reference-rules.ts';
import type { ReferenceState, Resting } from './reference-state.ts';
import { boundsRefusal, growthRefusal, termRefusal } from './reference-terms.ts';

type Closing = Pick<Resting, 'owner' | 'side'> & {
  readonly reduceOnly?: boolean | undefined;
  readonly positionSide?: PositionSide | undefined;
};

/** In hedge mode what does not open closes. */
const closesLeg = ({ side, positionSide }: Pick<PlaceOrder, 'side' | 'positionSide'>) =>
  (positionSide === 'long' && side === SELL) || (positionSide === 'short' && side === BUY);

export class ReferenceOrders {
  readonly #state: ReferenceState;

  readonly #exits: ReferenceExits;
  readonly perpetuals: ReferencePerpetuals;

  constructor(state: ReferenceState, exits: ReferenceExits) {
    this.#state = state;
    this.perpetuals = new ReferencePerpetuals(state);
    this.#exits = exits;
  }

  place(time: number, order: PlaceOrder): Refusal {
    if (!(Number.isSafeInteger(order.orderId) && order.orderId > this.#state.lastOrderId)) return 'DUPLICATE_ID';
    if (this.#spec(order.market) === undefined) return 'UNKNOWN_MARKET';
    const taken = this.#state.clientOrderIdRefusal(order);
    if (taken !== undefined) return taken;
    const isPerpetual = this.#spec(order.market)!.perpetual !== undefined;
    const opensNothing = order.positionSide === undefined ? order.reduceOnly : closesLeg(order);
    if (order.exits !== undefined && isPerpetual && opensNothing) return 'EXITS_NEED_ENTRY';
    const wrong = this.#exits.problem(order);
    if (wrong !== undefined) return wrong;
    const refusal = this.arrive(time, order, time, 'new');
    if (refusal !== undefined) return refusal;
    this.#state.lastOrderId = order.orderId;
    this.#exits.attach(time, order);
    return undefined;
  }

  /**
   * A new order, one that was triggered, or one that was and for which no size is too small.
   * @param before orders that were placed for the same before it
   * @param worst of a part behind the first, the worst price at market; else undefined
   */
  arrive(
    time: number,
    placed: PlaceOrder,
    createdAt: number,
    kind: 'new' | 'closing' | 'triggered' | 'exit',
    before: readonly number[] = [],
    worst?: number,
  ): Refusal {
    let order = placed;
    const isNew = kind === 'new' || kind === 'closing' || before.length > 0;
    const comesFirst = kind !== 'new' && this.#state.rules >= 3;
    const spec = this.#spec(order.market)!;
    const { state } = this.#state.market(spec.id)!;
    if (state.delisted) return 'MARKET_DELISTED';
    if (state.halted) return 'MARKET_HALTED';
    if (this.#state.isPaused({ spec, state })) return 'MARKET_PAUSED';
    if (!isClient(order.owner)) return 'ACCOUNT_LIMIT';
    if (this.#state.isTooLate(order)) return 'MARKET_CLOSE_ONLY';
    const mismatch = this.perpetuals.legRefusal(spec.id, order);
    if (mismatch !== undefined) return mismatch;
    const bound = worst === undefined ? termRefusal(this.perpetuals, time, spec, order) : undefined;
    if (bound !== undefined) return bound;
    if (closesLeg(order)) order = { ...order, reduceOnly: true };
    if (order.reduceOnly && order.quoteTotal !== 0n) return 'INVALID_QUANTITY';
    if (order.reduceOnly) {
      if (kind !== 'new' && !comesFirst)
        this.makeRoom(time, spec, { ...order, reduceOnly: false }, this.perpetuals.open(order));
      const rivals = comesFirst ? this.#rivals(order, before) : [];
      const resting = rivals.reduce((sum, { remaining }) => sum + remaining, 0);
      const closable = spec.perpetual === undefined ? 0 : this.perpetuals.closable(order) + resting;
      if (closable <= 0) return 'NOTHING_TO_CLOSE';
      order = { ...order, quantity: Math.min(order.quantity, closable) };
    }
    const isAnySize = kind === 'exit' || order.reduceOnly || worst !== undefined;
    const asked = isAnySize ? { ...spec, minimumLots: 1, minimumNotional: 0n } : spec;
    const isLimit = order.type === 'limit';
    const ending = comesFirst && order.reduceOnly ? this.#givingWay(order, order.quantity, before) : [];
    const refusal = isLimit
      ? this.#limitRefusal(asked, order, ending.length)
      : this.#marketRefusal(time, asked, order, worst);
    if (refusal !== undefined) return refusal;
    const unfit = this.#openingRefusal(time, spec, order, worst);
    if (unfit !== undefined) return unfit;
    const lots = isLimit ? order.quantity : this.try(time, spec, order, worst).trial.traded;

    this.#state.giveClientOrderId(time, order);
    this.makeRoom(time, spec, comesFirst ? { ...order, reduceOnly: false } : order, lots, before);
    const { type, timeInForce, quoteTotal } = order;
    const arriving = this.#arriving(spec, order, createdAt, isNew, worst);
    const stop = new ReferenceMatching(this.#state, spec, time, false).run(arriving);
    const isPatient = type === 'limit' && (timeInForce === 'GTC' || timeInForce === 'POST_ONLY');
    const rests = isPatient && this.#mayRest(spec, order.side, order.price);
    if (quoteTotal > 0n) {
      arriving.quantity = arriving.traded;
      arriving.remaining = 0;
    }
    this.#finish(
      time,
      spec,
      arriving,
      stop,
      rests,
      type === 'market' || isPatient ? 'PRICE_BAND' : 'UNFILLED_REMAINDER',
    );
    pauseBehind(this.#state, time, spec, arriving, stop);
    return undefined;
  }

  /** What only reduces a position gives way to an order that closes it, the newest first. */
  makeRoom(time: number, spec: MarketSpec, order: Closing, lots: number, spared: readonly number[] = []): void {
    if (spec.perpetual === undefined || order.reduceOnly) return;
    for (const rival of this.#givingWay({ ...order, market: spec.id }, lots, spared))
      new ReferenceMatching(this.#state, spec, time, false).cancel(rival, 'NOTHING_TO_CLOSE');
  }

  /** What would be cancelled so that an order may close so many lots. */
  #givingWay(order: Closing & { readonly market: number }, lots: number, spared: readonly number[]): Resting[] {
    let closable = this.perpetuals.closable(order);
    const ending: Resting[] = [];
    for (const rival of this.#rivals(order, spared)) {
      if (lots <= closable) break;
      ending.push(rival);
      closable += rival.remaining;
    }
    return ending;
  }

  /** What only reduces the same, the newest first. */
  #rivals({ owner, market, side, positionSide }: Closing & { readonly market: number }, spared: readonly number[]) {
    const isRival = (one: Resting) =>
      one.owner === owner &&
      one.market === market &&
      one.side === side &&
      one.positionSide === positionSide &&
      one.reduceOnly &&
      !spared.includes(one.orderId);
    return this.#state.orders.filter(isRival).sort((a, b) => b.orderId - a.orderId);
  }

  #arriving(spec: MarketSpec, order: PlaceOrder, createdAt: number, isNew: boolean, worst?: number): Arriving {
    const { orderId, owner, market, side, type, timeInForce, selfTrade, price, quoteTotal, visible = 0 } = order;
    const [lowest, highest] = this.band(spec);
    const furthest = worst ?? (side === BUY ? highest : lowest);
    const limit = order.type === 'limit' ? order.price : boundOf(order, furthest);
    const quantity = quoteTotal > 0n && order.quantity === 0 ? spec.maximumLots : order.quantity;
    const total = quoteTotal > 0n ? quoteTotal : undefined;
    const reducing = positionOf(order);
    const terms = {
      orderId,
      owner,
      market,
      side,
      type,
      timeInForce,
      selfTrade,
      mode: selfTrade,
      price,
      limit,
      ...reducing,
      term: order.term,
    };
    const figures = {
      filledValue: 0n,
      fee: 0n,
      credit: 0n,
      createdAt,
      visible,
      hidden: 0,
      priority: 0,
      isNew,
      quoteTotal,
    };
    return { ...terms, ...figures, ...UNTRADED, quantity, remaining: quantity, total };
  }

  /** What is left of an order after matching either rests or ends. */
  #finish(
    time: number,
    spec: MarketSpec,
    order: Arriving,
    stop: StopReason,
    rests: boolean,
    beyondLimit: CancelReason,
  ): void {
    const state = this.#state;
    const matching = new ReferenceMatching(state, spec, time, false);
    const { isNew, quoteTotal } = order;
    const resting = restingOf(order);
    if (rests && (stop === 'PRICE' || stop === 'NO_ORDERS')) {
      state.lastPriority += 1;
      resting.priority = state.lastPriority;
      if (resting.visible > 0) resting.hidden = Math.max(0, resting.remaining - resting.visible);
      const held = matching.hold(resting, matching.heldFor(resting, resting.remaining));
      state.orders.push(resting);
      matching.changed(resting, 'open', 'NONE', { isNew, resting: shownOf(resting), held });
      return;
    }
    const endings: Record<StopReason, readonly [OrderStatus, CancelReason]> = {
      FILLED: ['filled', 'NONE'],
      TOTAL_SPENT: ['filled', 'NONE'],
      NO_ORDERS: ['cancelled', 'UNFILLED_REMAINDER'],
      PRICE: ['cancelled', beyondLimit],
      SELF_TRADE: ['cancelled', 'SELF_TRADE'],
    };
    matching.changed(resting, ...endings[stop], { isNew, quoteTotal });
  }

  /** @param ending how many orders of its owner's would give way to it */
  #limitRefusal(spec: MarketSpec, order: PlaceOrder, ending: number): Refusal {
    const { side, price, quantity, timeInForce, owner } = order;
    const problem = limitProblem(spec, price, quantity);
    if (problem !== undefined) return problem;
    if (order.visible !== undefined) {
      const rests = timeInForce === 'GTC' || timeInForce === 'POST_ONLY';
      if (!rests || isBadPart(this.#spec(order.market)!, price, quantity, order.visible))
        return 'INVALID_VISIBLE_QUANTITY';
    }
    if (order.quoteTotal !== 0n) return 'INVALID_QUANTITY';
    if (order.worstPrice !== undefined) return 'INVALID_PRICE';
    const [lowest, highest] = this.band(spec);
    if (price < lowest || price > highest) return 'PRICE_OUTSIDE_BAND';
    if (timeInForce === 'POST_ONLY' && this.#crosses(spec, side, price)) return 'WOULD_TAKE';
    if (timeInForce === 'GTC' || timeInForce === 'POST_ONLY') {
      if (!this.#crosses(spec, side, price) && !this.#mayRest(spec, side, price)) return 'PRICE_OUTSIDE_BAND';
      const open = this.#state.orders.filter((other) => other.owner === owner).length - ending;
      if (open >= this.#state.limits.maximumOpenOrdersPerOwner) return 'ACCOUNT_LIMIT';
      if (this.#state.orders.length - ending >= MAXIMUM_OPEN_ORDERS) return 'ACCOUNT_LIMIT';
    }
    const cost = new ReferenceMatching(this.#state, spec, 0, true).heldFor(order, quantity);
    const shortage = this.#shortage(spec, order, quantity, notional(spec, price, quantity), cost);
    if (shortage !== undefined) return shortage;
    if (timeInForce === 'FOK') {
      const { trial, stop } = this.try(0, spec, order);
      if (stop !== 'FILLED' || trial.decremented) return 'NOT_FILLABLE';
    }
    return undefined;
  }

  #marketRefusal(time: number, spec: MarketSpec, order: PlaceOrder, worst: number | undefined): Refusal {
    const { side, quantity, quoteTotal } = order;
    const byTotal = quoteTotal !== 0n;
    if (order.visible !== undefined) return 'INVALID_VISIBLE_QUANTITY';
    if (order.price !== 0) return 'INVALID_PRICE';
    const { worstPrice } = order;
    if (worstPrice !== undefined && !isWithin(worstPrice, 1, maximumTicks(spec))) return 'INVALID_PRICE';
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
    const { trial, stop } = this.try(time, spec, order, worst);
    const unbound = this.#arriving(spec, { ...order, worstPrice: undefined }, time, true, worst);
    if (stop === 'PRICE' && trial.limit !== unbound.limit) return 'PRICE_MOVED';
    if (trial.traded === 0) return tradesNothing(trial, stop, this.#state.rules);
    if (byTotal && trial.remaining === 0) return 'ABOVE_MAXIMUM_SIZE';
    if (order.timeInForce === 'FOK') {
      if (stop !== (byTotal ? 'TOTAL_SPENT' : 'FILLED') || trial.decremented) return 'NOT_FILLABLE';
    }
    return this.shortageAtMarket(spec, order, trial);
  }

  /** Why an order may not open what it would trade at once, or not with its term. */
  #openingRefusal(time: number, spec: MarketSpec, order: PlaceOrder, worst: number | undefined): Refusal {
    if (order.term !== undefined) {
      const { trial, stop } = this.try(time, spec, order);
      if (trial.traded === 0) return tradesNothing(trial, stop, this.#state.rules);
      const unfit = boundsRefusal(this.perpetuals, spec, order, trial.traded, trial.cost);
      if (unfit !== undefined) return unfit;
    }
    return this.unsafe(spec, order, () => this.try(time, spec, order, worst).trial);
  }

  /** Whether what an order would trade at once would be liquidated. */
  unsafe(spec: MarketSpec, order: OpeningTerms, trial: () => Arriving): Refusal {
    if (this.#state.rules < 12 || spec.perpetual === undefined || order.reduceOnly) return undefined;
    return opensBelowMaintenance(this.#state, this.perpetuals, spec, order, trial()) ? 'BELOW_MAINTENANCE' : undefined;
  }

  /** What its owner lacks for what an order would trade at once. */
  shortageAtMarket(spec: MarketSpec, order: PlaceOrder, trial: Arriving): Refusal {
    const cost = order.side === BUY ? trial.cost : baseUnits(spec, trial.traded);
    return this.#shortage(
      spec,
      order,
      trial.traded,
      trial.cost,
      spec.perpetual ? this.#costOf(spec, order, trial) : cost,
    );
  }

  /** What a market order of a perpetual may cost: margin and fee of its value, and a unit for each lot, which may be a fill. */
  #costOf({ id, perpetual }: MarketSpec, order: PlaceOrder, { cost, traded }: Arriving): bigint {
    if (order.reduceOnly) return 0n;
    const { leverage } = this.perpetuals.holding(order.owner, id, legNamed(order));
    const fee = divCeil(cost * BigInt(perpetual!.takerPpm), 1_000_000n);
    return divCeil(cost, BigInt(leverage)) + fee + BigInt(traded);
  }

  /** @param value of all lots, in quote units; `cost` is what they reserve or pay with */
  #shortage(spec: MarketSpec, order: PlaceOrder, lots: number, value: bigint, cost: bigint): Refusal {
    if (spec.perpetual !== undefined) return this.perpetuals.refusal(spec, order, lots, value, cost, cost, 0n);
    return this.#available(spec, order.side, order.owner) < cost ? 'INSUFFICIENT_FUNDS' : undefined;
  }

  /** Runs an order on a copy of everything, to see what it would do. */
  try(time: number, spec: MarketSpec, order: PlaceOrder, worst?: number): { trial: Arriving; stop: StopReason } {
    const trial = this.#arriving(spec, order, time, true, worst);
    const stop = new ReferenceMatching(this.#state.copy(), spec, time, true).run(trial);
    return { trial, stop };
  }

  /** An order that the core makes for an owner whose position is liquidated. @returns what it has traded */
  liquidate(
    time: number,
    spec: MarketSpec,
    { owner, side, leg }: { readonly owner: number; readonly side: Side; readonly leg: PositionLeg },
    lots: number,
    price: number,
  ) {
    this.#state.lastOrderId += 1;
    const order: PlaceOrder = {
      ...{ kind: 'place-order', orderId: this.#state.lastOrderId, owner, market: spec.id, side, type: 'limit' },
      ...{ timeInForce: 'IOC', price, quantity: lots, quoteTotal: 0n, selfTrade: 'CANCEL_OLDEST', reduceOnly: true },
      positionSide: leg === 0 ? undefined : side === SELL ? 'long' : 'short',
    };
    const arriving = this.#arriving(spec, order, time, true);
    const stop = new ReferenceMatching(this.#state, spec, time, false).run(arriving);
    this.#finish(time, spec, arriving, stop, false, 'UNFILLED_REMAINDER');
    return { lots: arriving.traded, value: arriving.cost };
  }

  cancel(time: number, { orderId, owner }: CancelOrder, reason: CancelReason = 'BY_OWNER'): Refusal {
    const order = this.#state.orders.find((other) => other.orderId === orderId && other.owner === owner);
    if (order === undefined) return 'ORDER_NOT_FOUND';
    new ReferenceMatching(this.#state, this.#spec(order.market)!, time, false).cancel(order, reason);
    return undefined;
  }

  amend(time: number, command: AmendOrder): Refusal {
    const { orderId, owner } = command;
    const order = this.#state.orders.find((other) => other.orderId === orderId && other.owner === owner);
    if (order === undefined) return 'ORDER_NOT_FOUND';
    const { price = order.price, quantity = order.quantity } = command;
    const spec = this.#spec(order.market)!;
    if (this.#state.market(spec.id)!.state.halted) return 'MARKET_HALTED';
    if (this.#state.isPaused(this.#state.market(spec.id)!)) return 'MARKET_PAUSED';
    if (price === order.price && quantity === order.quantity) return 'NOTHING_TO_AMEND';
    const problem = limitProblem(spec, price, quantity);
    if (problem !== undefined) return problem;
    const filled = order.quantity - order.remaining;
    if (quantity <= filled) return 'INVALID_QUANTITY';
    if (price !== order.price) {
      const plan = this.#state.exitPlans.find((one) => one.orderId === orderId);
      const beyond = plan && this.#exits.sideProblem(order.side, price, plan);
      if (beyond !== undefined) return beyond;
    }
    const matching = new ReferenceMatching(this.#state, spec, time, false);
    if (price === order.price && quantity < order.quantity) {
      const before = { price, lots: shownOf(order) };
      const less = order.quantity - quantity;
      const held = matching.release(order, less);
      order.quantity -= less;
      order.remaining -= less;
      order.hidden = Math.max(0, order.hidden - less);
      matching.changed(order, 'open', 'NONE', { before, resting: shownOf(order), held });
      return undefined;
    }
    const unfit = growthRefusal(this.#state, this.perpetuals, time, order);
    if (unfit !== undefined) return unfit;
    if (order.reduceOnly && quantity - order.quantity > this.perpetuals.closable(order)) return 'NOTHING_TO_CLOSE';
    if (order.visible > 0 && isBadPart(spec, price, quantity, order.visible)) return 'INVALID_VISIBLE_QUANTITY';
    const [lowest, highest] = this.band(spec);
    if (price < lowest || price > highest) return 'PRICE_OUTSIDE_BAND';
    const { timeInForce = order.timeInForce } = command;
    if (timeInForce !== 'GTC' && this.#crosses(spec, order.side, price)) return 'WOULD_TAKE';
    const { side } = order;
    const rests = this.#mayRest(spec, side, price);
    if (!rests && !this.#crosses(spec, side, price)) return 'PRICE_OUTSIDE_BAND';
    const remaining = quantity - filled;
    const [released, cost] = [
      matching.heldFor(order, order.remaining),
      matching.heldFor({ ...order, price }, remaining),
    ];
    if (spec.perpetual === undefined) {
      if (this.#available(spec, side, owner) + released < cost) return 'INSUFFICIENT_FUNDS';
    } else {
      const [value, replaced] = [notional(spec, price, remaining), notional(spec, order.price, order.remaining)];
      const terms = { ...order, price };
      const refusal = this.perpetuals.refusal(spec, terms, remaining, value, cost, cost - released, replaced);
      if (refusal !== undefined) return refusal;
    }
    const mode = command.selfTrade ?? order.selfTrade;
    const sizes = { ...UNTRADED, quantity, remaining, hidden: 0, quoteTotal: 0n, total: undefined };
    const terms = { price, limit: price, mode, priority: 0, isNew: false };
    const amended = (): Arriving => ({ ...order, ...terms, ...sizes });
    const unsafe = this.unsafe(spec, order, () => tried(this.#state, spec, amended()));
    if (unsafe !== undefined) return unsafe;
    const before = { price: order.price, lots: shownOf(order) };
    const held = matching.release(order, order.remaining);
    matching.changed(order, 'open', 'NONE', { before, held });
    matching.remove(order);
    this.makeRoom(time, spec, order, remaining);
    const arriving = amended();
    const stop = matching.run(arriving);
    this.#finish(time, spec, arriving, stop, rests, 'PRICE_BAND');
    pauseBehind(this.#state, time, spec, arriving, stop);
    return undefined;
  }

  #spec(market: number): MarketSpec | undefined {
    return this.#state.market(market)?.spec;
  }

  #available(spec: MarketSpec, side: Side, owner: number): bigint {
    const asset = side === BUY ? spec.quote.id : spec.base.id;
    return this.#state.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset));
  }

  #crosses(spec: MarketSpec, side: Side, price: number): boolean {
    const [best] = this.#state.queue(spec.id, side === BUY ? SELL : BUY);
    return best !== undefined && (side === BUY ? price >= best.price : price <= best.price);
  }

  /** What a new mark has run past ends, unless it only reduces. */
  endPassed(time: number, spec: MarketSpec): void {
    if (this.#state.rules < 6) return;
    const matching = new ReferenceMatching(this.#state, spec, time, false);
    for (const side of [BUY, SELL]) {
      const passed = this.#state
        .queue(spec.id, side as Side)
        .filter((order) => !order.reduceOnly && !this.#mayRest(spec, side as Side, order.price));
      for (const order of passed) matching.cancel(order, 'PRICE_BAND');
    }
  }

  /** In a perpetual no further beyond the mark than the initial margin at the highest leverage. */
  #mayRest(spec: MarketSpec, side: Side, price: number): boolean {
    const mark = this.#state.market(spec.id)!.state.markPrice;
    if (this.#state.rules < 5 || spec.perpetual === undefined || mark === 0) return true;
    const beyond = side === BUY ? price - mark : mark - price;
    const least = divCeil(BigInt(mark), BigInt(spec.perpetual.tiers[0]!.maximumLeverage));
    return BigInt(beyond) <= least;
  }

  /** Lowest and highest price that an order may have or trade at. */
  band(spec: MarketSpec): [number, number] {
    return bandOf(this.#state, spec);
  }
}
