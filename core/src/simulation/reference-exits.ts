/** Attached exits of the reference exchange: every plan is looked at again after every order event. */
import type { OrderEvent } from '../events/event.ts';
import { accountKey, Bucket, Wallet } from '../ledger/account.ts';
import type { HoldingRecord } from '../margin/holding-record.ts';
import type { MarketSpec } from '../money/market.ts';
import { baseUnits, maximumTicks, notional } from '../money/notional.ts';
import { MAXIMUM_INT32 } from '../money/price.ts';
import type { PlaceOrder } from '../orders/commands.ts';
import type { ExitPlan, ExitTerms } from '../orders/exits/exit-plan.ts';
import type { OpenOrder } from '../orders/order-state.ts';
import { BUY, SELL, type Side } from '../terms/order-terms.ts';
import { holdOf, type ReferenceConditionals } from './reference-conditionals.ts';
import { isWithin, type Refusal } from './reference-rules.ts';
import type { ReferenceState, UntriggeredRecord } from './reference-state.ts';

type Size = Pick<UntriggeredRecord, 'quantity' | 'quoteTotal' | 'reduceOnly' | 'positionSide'>;

export class ReferenceExits {
  readonly #state: ReferenceState;
  /** Set once, right after both exist. */
  conditionals!: ReferenceConditionals;

  constructor(state: ReferenceState) {
    this.#state = state;
  }

  problem({ owner, market, side, type, price, exits }: PlaceOrder): Refusal {
    if (exits === undefined) return undefined;
    const { spec } = this.#state.market(market)!;
    const legs = [exits.takeProfit, exits.stop].filter((leg) => leg !== undefined);
    if (legs.length === 0) return 'INVALID_TRIGGER';
    for (const leg of legs) {
      if (!isWithin(leg.trigger, 1, maximumTicks(spec))) return 'INVALID_TRIGGER';
      if (!isWithin(leg.price, 0, maximumTicks(spec))) return 'INVALID_PRICE';
    }
    const watched = this.conditionals.price(market, exits.source);
    if (watched === 0 && exits.source !== 'last') return 'NO_PRICE';
    const reference = type === 'limit' ? price : watched;
    if (reference === 0) return 'NO_PRICE';
    const wrong = this.sideProblem(side, reference, exits);
    if (wrong !== undefined) return wrong;
    const [best] = this.#state.queue(market, side === BUY ? SELL : BUY);
    const takes = best !== undefined && (side === BUY ? best.price <= reference : best.price >= reference);
    if (type === 'limit' && reference > 0 && takes && watched > 0) {
      const passed = this.sideProblem(side, watched, exits);
      if (passed !== undefined) return passed;
    }
    const { untriggered, exitPlans, twaps } = this.#state;
    const all = [...untriggered, ...exitPlans, ...twaps].filter((order) => order.market === market);
    const own = all.filter((order) => order.owner === owner);
    const { maximumUntriggeredOrdersPerOwner, maximumUntriggeredOrdersPerMarket } = this.#state.limits;
    if (own.length >= maximumUntriggeredOrdersPerOwner) return 'UNTRIGGERED_LIMIT';
    return all.length >= maximumUntriggeredOrdersPerMarket ? 'UNTRIGGERED_LIMIT' : undefined;
  }

  sideProblem(side: Side, price: number, { takeProfit, stop }: ExitTerms): Refusal {
    const sign = side === BUY ? 1 : -1;
    if (takeProfit !== undefined && sign * (takeProfit.trigger - price) <= 0) return 'INVALID_TAKE_PROFIT';
    return stop !== undefined && sign * (price - stop.trigger) <= 0 ? 'INVALID_STOP_LOSS' : undefined;
  }

  attach(time: number, { orderId, owner, market, exits }: PlaceOrder): void {
    if (exits === undefined) return;
    const { source, takeProfit, stop } = exits;
    this.#replace(time, { orderId, owner, market, source, takeProfit, stop, exitId: 0, taken: 0n });
  }

  /** Looks at what has happened since an event. */
  follow(time: number, from: number): void {
    for (const event of this.#state.events.slice(from)) {
      if (event.kind === 'order') this.#followOrder(time, event);
      if (event.kind === 'order-triggered') this.#followTriggered(time, event.order);
      if (event.kind === 'untriggered-ended') this.#followEnded(time, event.order, event.reason);
    }
  }

  #followOrder(time: number, { order }: OrderEvent): void {
    const plan = this.#state.exitPlans.find((one) => one.orderId === order.orderId);
    if (plan === undefined) return;
    const { spec } = this.#state.market(order.market)!;
    if (spec.perpetual !== undefined) {
      this.#coverPosition(time, plan, order);
      if (order.status !== 'open') this.#forget(plan.orderId);
      return;
    }
    const brought = order.side === BUY ? baseUnits(spec, order.quantity - order.remaining) : order.filledValue;
    this.#cover(time, spec, plan, order.side === BUY ? SELL : BUY, brought - order.fee - plan.taken);
    if (order.status !== 'open') this.#forget(plan.orderId);
  }

  /** Lots of the entry that no exit has and that are open get one; the others are done with. */
  #coverPosition(time: number, plan: ExitPlan, entry: OpenOrder): void {
    const state = this.#state;
    const exit = state.untriggered.find(({ orderId }) => orderId === plan.exitId);
    if (plan.exitId > 0 && exit === undefined) return;
    const { owner, market } = plan;
    const side = entry.side === BUY ? SELL : BUY;
    const isIt = (one: HoldingRecord) => one.owner === owner && one.market === market && one.position !== undefined;
    const closed = state.holdings.find((one) => isIt(one) && (one.position!.direction > 0 ? SELL : BUY) === side);
    const covered = exit?.quantity ?? 0;
    const fresh = entry.quantity - entry.remaining - Number(plan.taken) - covered;
    if (fresh <= 0) return;
    const uncovered = Math.max(0, (closed?.position?.lots ?? 0) - covered);
    const added = Math.min(fresh, uncovered);
    const after = { ...plan, taken: plan.taken + BigInt(fresh - added) };
    const quantity = Math.min(covered + added, mostLots(state, state.market(market)!.spec));
    if (exit !== undefined) {
      if (added < fresh) this.#replace(time, after);
      if (quantity > covered) this.conditionals.growExit(time, exit, quantity, 0n);
    } else if (added === 0) {
      this.#replace(time, after);
    } else {
      const isHedged = state.holdings.some((one) => one.owner === owner && one.market === market && one.isHedged);
      const named = isHedged ? ({ positionSide: side === SELL ? 'long' : 'short' } as const) : {};
      this.#place(time, after, side, { quantity, quoteTotal: 0n, reduceOnly: true, ...named });
    }
  }

  #cover(time: number, spec: MarketSpec, plan: ExitPlan, side: Side, due: bigint): void {
    const state = this.#state;
    const exit = state.untriggered.find(({ orderId }) => orderId === plan.exitId);
    if (plan.exitId > 0 && exit === undefined) return;
    const asset = side === BUY ? spec.quote.id : spec.base.id;
    const free = state.balance(accountKey(plan.owner, Wallet.SPOT, Bucket.AVAILABLE, asset));
    const within = free + (exit === undefined ? 0n : holdOf(spec, exit));
    const size = sizeWithin(spec, mostLots(this.#state, spec), side, exit ?? plan, due < within ? due : within);
    if (size === undefined) return;
    const { quantity, quoteTotal } = size;
    if (exit !== undefined) {
      const isLess = quantity < exit.quantity || quoteTotal < exit.quoteTotal;
      const isMore = quantity > exit.quantity || quoteTotal > exit.quoteTotal;
      if (isMore && !isLess) this.conditionals.growExit(time, exit, quantity, quoteTotal);
      return;
    }
    this.#place(time, plan, side, size);
  }

  #place(time: number, plan: ExitPlan, side: Side, size: Size): void {
    const state = this.#state;
    state.lastOrderId += 1;
    const orderId = state.lastOrderId;
    this.#replace(time, { ...plan, exitId: orderId });
    const { owner, market, source, takeProfit, stop, orderId: entryId } = plan;
    const { quantity, quoteTotal, ...ofPosition } = size;
    const terms = { orderId, owner, market, side, source, timeInForce: 'GTC', quantity, quoteTotal } as const;
    const legs = { takeProfit, stop, trailing: undefined, best: 0, entryId };
    this.conditionals.placeExit(time, {
      ...terms,
      selfTrade: 'CANCEL_OLDEST',
      createdAt: time,
      ...legs,
      ...ofPosition,
    });
  }

  #followTriggered(time: number, exit: UntriggeredRecord): void {
    const plan = this.#planOf(exit.orderId);
    if (plan === undefined) return;
    const { spec } = this.#state.market(plan.market)!;
    const taken = spec.perpetual === undefined ? holdOf(spec, exit) : BigInt(exit.quantity);
    this.#replace(time, { ...plan, exitId: 0, taken: plan.taken + taken });
  }

  #followEnded(time: number, exit: UntriggeredRecord, reason: string): void {
    const plan = this.#planOf(exit.orderId);
    if (plan === undefined) return;
    if (reason === 'NOTHING_TO_CLOSE') {
      this.#followTriggered(time, exit);
      return;
    }
    this.#forget(plan.orderId);
    const given = { ...plan, takeProfit: undefined, stop: undefined, exitId: 0 };
    this.#state.events.push({ kind: 'exit-plan-changed', plan: given, time });
  }

  #planOf(exitId: number): ExitPlan | undefined {
    return this.#state.exitPlans.find((one) => one.exitId === exitId);
  }

  #forget(orderId: number): void {
    this.#state.exitPlans = this.#state.exitPlans.filter((one) => one.orderId !== orderId);
  }

  #replace(time: number, plan: ExitPlan): void {
    this.#forget(plan.orderId);
    this.#state.exitPlans.push(plan);
    this.#state.events.push({ kind: 'exit-plan-changed', plan, time });
  }
}

/** What an entry has filled may be more than the market's largest order is now. */
const mostLots = ({ rules }: ReferenceState, { maximumLots }: MarketSpec) => (rules < 4 ? maximumLots : MAXIMUM_INT32);

/** The most lots and quote units of an exit that the units pay for, whichever leg it is. */
function sizeWithin(
  spec: MarketSpec,
  most: number,
  side: Side,
  { takeProfit, stop }: Pick<ExitTerms, 'takeProfit' | 'stop'>,
  units: bigint,
): { quantity: number; quoteTotal: bigint } | undefined {
  const lots = (perLot: bigint) => Number(units / perLot < BigInt(most) ? units / perLot : most);
  if (units <= 0n) return undefined;
  if (side === SELL) {
    const quantity = lots(baseUnits(spec, 1));
    return quantity < 1 ? undefined : { quantity, quoteTotal: 0n };
  }
  const prices = [takeProfit?.price, stop?.price].filter((price) => price !== undefined);
  const limits = prices.filter((price) => price > 0);
  const quantity = limits.length === 0 ? 0 : Math.min(...limits.map((price) => lots(notional(spec, price, 1))));
  if (limits.length > 0 && quantity < 1) return undefined;
  return { quantity, quoteTotal: limits.length < prices.length ? units : 0n };
}
