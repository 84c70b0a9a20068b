/** TWAPs of the reference exchange: one list, whose slices are found by counting through their times. */
import { accountKey, Bucket, Wallet } from '../ledger/account.ts';
import type { MarketSpec } from '../money/market.ts';
import { notional } from '../money/notional.ts';
import { divCeil } from '../money/rounding.ts';
import type { CancelOrder } from '../orders/commands.ts';
import type { CancelReason, OrderStatus } from '../orders/order-state.ts';
import type { PlaceTwap, RunTwaps, TwapOrder } from '../orders/twap/twap.ts';
import { BUY, SELL } from '../terms/order-terms.ts';
import { pauseBehind } from './reference-band.ts';
import { closes, legNamed } from './reference-legs.ts';
import { type Arriving, positionOf, ReferenceMatching, tried, UNTRADED } from './reference-matching.ts';
import type { ReferenceOrders } from './reference-orders.ts';
import { isClient, isWithin, limitProblem, type Refusal } from './reference-rules.ts';
import type { ReferenceState, TwapRecord } from './reference-state.ts';

export class ReferenceTwaps {
  readonly #state: ReferenceState;
  readonly #orders: ReferenceOrders;

  constructor(state: ReferenceState, orders: ReferenceOrders) {
    this.#state = state;
    this.#orders = orders;
  }

  all(): TwapOrder[] {
    return this.#state.twaps.map((order) => ({ ...order })).sort((a, b) => a.orderId - b.orderId);
  }

  place(time: number, command: PlaceTwap): Refusal {
    const state = this.#state;
    const { orderId, owner, side, price, quantity, selfTrade, durationMs, intervalMs } = command;
    if (!(Number.isSafeInteger(orderId) && orderId > state.lastOrderId)) return 'DUPLICATE_ID';
    const market = state.market(command.market);
    if (market === undefined) return 'UNKNOWN_MARKET';
    const refusal = state.clientOrderIdRefusal(command) ?? this.#refusal(time, command);
    if (refusal !== undefined) return refusal;
    const matching = new ReferenceMatching(state, market.spec, time, false);
    const terms = { ...command, ...this.#ofPosition(command) };
    const shortage = this.#shortage(market.spec, terms, quantity, matching.heldFor(terms, quantity));
    if (shortage !== undefined) return shortage;

    state.lastOrderId = orderId;
    state.giveClientOrderId(time, command);
    this.#orders.makeRoom(time, market.spec, terms, quantity);
    const order: TwapRecord = {
      ...{ orderId, owner, market: command.market, side, type: 'limit', timeInForce: 'GTC', selfTrade },
      ...{ price, quantity, remaining: quantity, priority: 0, filledValue: 0n, fee: 0n, credit: 0n, createdAt: time },
      ...{ visible: 0, hidden: quantity, intervalMs, slices: 0, done: 0, nextAt: time, endsAt: time + durationMs },
      ...this.#ofPosition(command),
    };
    order.slices = timesOf(order).length;
    state.twaps.push(order);
    const held = matching.hold(order, matching.heldFor(order, quantity));
    this.#tell(time, order, 'open', 'NONE', { isNew: true, lots: 0, held });
    return undefined;
  }

  /** What an order says of positions; in hedge mode what does not open closes. */
  #ofPosition({ side, reduceOnly, positionSide }: PlaceTwap) {
    const opens = side === BUY ? 'long' : 'short';
    const closes = positionSide === undefined ? reduceOnly === true : positionSide !== opens;
    return positionOf({ reduceOnly: closes, positionSide });
  }

  #shortage(spec: MarketSpec, order: PlaceTwap, lots: number, cost: bigint): Refusal {
    if (spec.perpetual !== undefined) {
      const value = notional(spec, order.price, lots);
      return this.#orders.perpetuals.refusal(spec, order, lots, value, cost, cost, 0n);
    }
    const asset = order.side === BUY ? spec.quote.id : spec.base.id;
    const available = accountKey(order.owner, Wallet.SPOT, Bucket.AVAILABLE, asset);
    return this.#state.balance(available) < cost ? 'INSUFFICIENT_FUNDS' : undefined;
  }

  /** Whether it would reduce a position whose term is running. */
  #isBound(time: number, order: Pick<PlaceTwap, 'owner' | 'market' | 'side' | 'positionSide'>): boolean {
    const { perpetuals } = this.#orders;
    const holding = perpetuals.holding(order.owner, order.market, legNamed(order));
    return closes(order.side, holding) && perpetuals.isBound(time, holding);
  }

  #refusal(time: number, command: PlaceTwap): Refusal {
    const { owner, market: id, price, quantity, durationMs, intervalMs } = command;
    const { spec, state } = this.#state.market(id)!;
    if (state.delisted) return 'MARKET_DELISTED';
    if (state.halted) return 'MARKET_HALTED';
    if (this.#state.isPaused({ spec, state })) return 'MARKET_PAUSED';
    if (!isClient(owner)) return 'ACCOUNT_LIMIT';
    if (this.#state.isTooLate(command)) return 'MARKET_CLOSE_ONLY';
    const mismatch = this.#orders.perpetuals.legRefusal(id, command);
    if (mismatch !== undefined) return mismatch;
    if (this.#isBound(time, command)) return 'TERM_RUNNING';
    if (this.#ofPosition(command).reduceOnly && this.#orders.perpetuals.open(command) === 0) return 'NOTHING_TO_CLOSE';
    const problem = limitProblem(spec, price, quantity);
    if (problem !== undefined) return problem;
    const [lowest, highest] = this.#orders.band(spec);
    if (price < lowest || price > highest) return 'PRICE_OUTSIDE_BAND';
    const day = 86_400_000;
    if (!isWithin(durationMs, 5_000, day) || !isWithin(intervalMs, 1_000, durationMs - 1)) return 'INVALID_SCHEDULE';
    const slices = timesOf({ createdAt: 0, intervalMs, endsAt: durationMs }).length;
    if (slices > 1_000) return 'INVALID_SCHEDULE';
    if (limitProblem(spec, price, (quantity - (quantity % slices)) / slices) !== undefined)
      return 'SLICE_BELOW_MINIMUM';
    const entries = this.#state.rules >= 4 ? this.#state.exitPlans : [];
    const all = [...this.#state.untriggered, ...this.#state.twaps, ...entries].filter((order) => order.market === id);
    const own = all.filter((order) => order.owner === owner);
    const { maximumUntriggeredOrdersPerOwner, maximumUntriggeredOrdersPerMarket } = this.#state.limits;
    if (own.length >= maximumUntriggeredOrdersPerOwner) return 'UNTRIGGERED_LIMIT';
    return all.length >= maximumUntriggeredOrdersPerMarket ? 'UNTRIGGERED_LIMIT' : undefined;
  }

  run(time: number, { maximum }: RunTwaps): Refusal {
    if (!isWithin(maximum, 1, 1_000)) return 'INVALID_QUANTITY';
    // The clock was ahead, and was set right: no pause is as long.
    const ahead = this.#state.twaps.filter((order) => order.nextAt > time + order.intervalMs + 300_000);
    for (const order of ahead.sort((a, b) => a.orderId - b.orderId)) {
      order.endsAt -= order.nextAt - time - order.intervalMs;
      order.nextAt = time + order.intervalMs;
      this.#tell(time, order, 'open', 'NONE', { isNew: false, lots: order.hidden, held: 0n });
    }
    const due = this.#state.twaps.filter((order) => order.nextAt <= time);
    due.sort((a, b) => a.nextAt - b.nextAt || a.orderId - b.orderId);
    for (const order of due.slice(0, maximum)) this.#runSlice(time, order);
    return undefined;
  }

  cancel(time: number, { orderId, owner }: CancelOrder, reason: CancelReason = 'BY_OWNER'): Refusal {
    const order = this.#state.twaps.find((one) => one.orderId === orderId && one.owner === owner);
    if (order === undefined) return 'ORDER_NOT_FOUND';
    this.#end(time, order, reason, 0n);
    return undefined;
  }

  /** What only reduces a position ends with it. */
  followPositions(time: number, from: number): void {
    const { rules, ended } = this.#state;
    if (rules < 13) return;
    for (const { owner, market, leg, direction, at } of ended) {
      const isIt = (one: TwapRecord) => one.owner === owner && one.market === market && legNamed(one) === leg;
      const own = at < from ? [] : this.#state.twaps.filter((one) => isIt(one) && one.reduceOnly);
      for (const order of own.sort((a, b) => a.orderId - b.orderId))
        if (order.side === (direction > 0 ? SELL : BUY)) this.#end(time, order, 'NOTHING_TO_CLOSE', 0n);
    }
  }

  #runSlice(time: number, order: TwapRecord): void {
    const { spec, state } = this.#state.market(order.market)!;
    const lots = order.hidden;
    if (this.#state.isPaused({ spec, state })) {
      while (order.nextAt < state.pause!.until) {
        order.nextAt += order.intervalMs;
        order.endsAt += order.intervalMs;
      }
      this.#tell(time, order, 'open', 'NONE', { isNew: false, lots, held: 0n });
      return;
    }
    const left = this.#state.rules >= 10 ? takeSlice(order, time) : takeSliceBefore(order, time);
    const isLast = time >= order.endsAt;
    if (order.reduceOnly && this.#orders.perpetuals.open(order) === 0) {
      this.#end(time, order, 'NOTHING_TO_CLOSE', 0n);
      return;
    }
    if (state.halted || this.#state.isTooLate(order) || this.#isBound(time, order)) {
      if (isLast) this.#end(time, order, 'TIME_UP', 0n);
      else this.#tell(time, order, 'open', 'NONE', { isNew: false, lots, held: 0n });
      return;
    }
    const held = this.#trade(time, spec, order, left);
    if (order.remaining > 0 && !isLast) {
      this.#tell(time, order, 'open', 'NONE', { isNew: false, lots, held });
    } else if (order.remaining > 0) {
      order.hidden = lots;
      this.#end(time, order, 'TIME_UP', held);
    } else {
      this.#forget(order);
      const change = { isNew: false, lots, held };
      if (this.#gaveWay) this.#tell(time, order, 'cancelled', 'SELF_TRADE', change);
      else this.#tell(time, order, 'filled', 'NONE', change);
    }
  }

  /** Whether the last slice ended because it met its owner. */
  #gaveWay = false;

  /** @returns what moved to held by it: what was traded or lost comes from there */
  #trade(time: number, spec: MarketSpec, order: TwapRecord, left: number): bigint {
    const matching = new ReferenceMatching(this.#state, spec, time, false);
    const { side, price } = order;
    const [lowest, highest] = this.#orders.band(spec);
    this.#gaveWay = false;
    const closable = order.reduceOnly ? Math.max(0, this.#orders.perpetuals.closable(order)) : order.remaining;
    const size = Math.min(sliceOf(spec, order, left), closable);
    if (size === 0) return 0n;
    const terms = { limit: side === BUY ? Math.min(price, highest) : Math.max(price, lowest), mode: order.selfTrade };
    const progress = { ...UNTRADED, total: undefined, quoteTotal: 0n, isNew: false };
    const sliced = (): Arriving => ({ ...order, ...terms, ...progress, remaining: size, hidden: 0 });
    const slice = sliced();
    const released = matching.hold(order, -matching.heldFor(order, size));
    // Another slice would be asked for the margin of its part alone.
    order.remaining -= size;
    const cost = matching.heldFor(order, size);
    const value = notional(spec, price, size);
    const refusal =
      (spec.perpetual && this.#orders.perpetuals.refusal(spec, order, size, value, cost, cost, 0n)) ??
      this.#orders.unsafe(spec, order, () => tried(this.#state, spec, sliced()));
    order.remaining += size;
    if (refusal !== undefined) {
      matching.hold(order, cost);
      return 0n;
    }
    const stop = matching.run(slice);
    this.#gaveWay = stop === 'SELF_TRADE';
    pauseBehind(this.#state, time, spec, slice, stop);
    const heldAgain = matching.hold(order, matching.heldFor(order, slice.remaining));
    const { quantity, filledValue, fee, credit } = slice;
    const remaining = order.remaining - (size - slice.remaining);
    Object.assign(order, { quantity, filledValue, fee, credit, remaining, hidden: remaining });
    return released + heldAgain;
  }

  #end(time: number, order: TwapRecord, reason: CancelReason, held: bigint): void {
    const { spec } = this.#state.market(order.market)!;
    const matching = new ReferenceMatching(this.#state, spec, time, false);
    const released = matching.hold(order, -matching.heldFor(order, order.remaining));
    this.#forget(order);
    const lots = order.hidden;
    this.#tell(time, order, 'cancelled', reason, { isNew: false, lots, held: held + released });
  }

  #forget(order: TwapRecord): void {
    this.#state.twaps = this.#state.twaps.filter((other) => other !== order);
  }

  /** `lots` of the order were not in any book before. */
  #tell(
    time: number,
    order: TwapRecord,
    status: OrderStatus,
    reason: CancelReason,
    { isNew, lots, held }: { isNew: boolean; lots: number; held: bigint },
  ): void {
    const { orderId, intervalMs, slices, done, nextAt, endsAt } = order;
    const schedule = { orderId, intervalMs, slices, done, nextAt, endsAt };
    // The owner's cancel, and the market's end, leave it as it was.
    if (status !== 'cancelled' || reason === 'TIME_UP' || reason === 'SELF_TRADE' || reason === 'NOTHING_TO_CLOSE') {
      this.#state.events.push({ kind: 'twap-changed', ...schedule, time });
    }
    const { spec } = this.#state.market(order.market)!;
    const matching = new ReferenceMatching(this.#state, spec, time, false);
    const before = { price: lots === 0 ? 0 : order.price, lots: 0 };
    const hidden = status === 'open' ? order.remaining : 0;
    matching.changed({ ...order, hidden }, status, reason, { isNew, before, held });
  }
}

/** When the slices of an order are due. */
function timesOf({ createdAt, intervalMs, endsAt }: Pick<TwapOrder, 'createdAt' | 'intervalMs' | 'endsAt'>): number[] {
  const times: number[] = [];
  for (let time = createdAt; time < endsAt && times.length <= 1_000; time += intervalMs) times.push(time);
  return times;
}

/** Plans the slices that are left anew from a time that is no interval late. @returns how many they were, with the one that is due */
function takeSlice(order: TwapRecord, time: number): number {
  const left = order.slices - order.done;
  if (left === 0) return 1;
  const late = time - order.nextAt;
  const missed = late - (late % order.intervalMs);
  const planned: number[] = [];
  while (planned.length < left) planned.push(order.nextAt + missed + planned.length * order.intervalMs);
  order.endsAt += missed;
  order.done += 1;
  order.nextAt = planned[1] ?? order.endsAt;
  return left;
}

/** Of two slices that are due, the earlier was missed, before version 10 of the rules. */
function takeSliceBefore(order: TwapRecord, time: number): number {
  const times = timesOf(order);
  order.done = times.filter((one) => one <= time).length;
  order.nextAt = times.find((one) => one > time) ?? order.endsAt;
  return time >= order.endsAt ? 1 : times.filter((one) => one > time - order.intervalMs).length;
}

/** An equal part of what remains, or the smallest order of the pair, or all. */
function sliceOf(spec: MarketSpec, { price, remaining }: TwapRecord, left: number): number {
  const part = Number(divCeil(BigInt(remaining), BigInt(left)));
  const smallest = Number(divCeil(spec.minimumNotional, notional(spec, price, 1)));
  const lots = Math.max(part, spec.minimumLots, smallest);
  return lots > remaining ? remaining : lots;
}
