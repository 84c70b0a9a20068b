/** Orders of more lots than the market's largest in the reference exchange, and positions that their owners close. */
import type { MarketSpec } from '../money/market.ts';
import { MAXIMUM_INT32 } from '../money/price.ts';
import type { ClosePosition, PlaceOrder } from '../orders/commands.ts';
import { BUY } from '../terms/order-terms.ts';
import { closes, legNamed } from './reference-legs.ts';
import { type Arriving, type StopReason, tradesNothing } from './reference-matching.ts';
import type { ReferencePerpetuals } from './reference-perpetuals.ts';
import { isClient, isWithin, type Refusal } from './reference-rules.ts';
import type { ReferenceState } from './reference-state.ts';

const MOST_PARTS = 1_000;

/** What is asked of orders. */
export interface PlacesParts {
  readonly perpetuals: ReferencePerpetuals;
  arrive(
    time: number,
    order: PlaceOrder,
    createdAt: number,
    kind: 'new' | 'closing' | 'triggered' | 'exit',
    before?: readonly number[],
    worst?: number,
  ): Refusal;
  try(time: number, spec: MarketSpec, order: PlaceOrder, worst?: number): { trial: Arriving; stop: StopReason };
  shortageAtMarket(spec: MarketSpec, order: PlaceOrder, trial: Arriving): Refusal;
  unsafe(spec: MarketSpec, order: PlaceOrder, trial: () => Arriving): Refusal;
  band(spec: MarketSpec): [lowest: number, highest: number];
}

interface First {
  readonly createdAt: number;
  readonly kind: 'new' | 'closing' | 'triggered' | 'exit';
  readonly isOneWish: boolean;
}

interface Parts {
  readonly refusal: Refusal;
  readonly ids: readonly number[];
  /** Why the next one was refused. */
  readonly reason: Refusal;
}

const nothing = (refusal: Refusal): Parts => ({ refusal, ids: [], reason: undefined });

export class ReferenceParts {
  readonly #state: ReferenceState;
  readonly #orders: PlacesParts;

  constructor(state: ReferenceState, orders: PlacesParts) {
    this.#state = state;
    this.#orders = orders;
  }

  close(time: number, command: ClosePosition): Refusal {
    const { perpetuals } = this.#orders;
    const { orderId, owner, market: id, side, positionSide, reverses, quantity, sharePercent } = command;
    if (!(Number.isSafeInteger(orderId) && orderId > this.#state.lastOrderId)) return 'DUPLICATE_ID';
    const market = this.#state.market(id);
    if (market === undefined) return 'UNKNOWN_MARKET';
    if (market.state.delisted) return 'MARKET_DELISTED';
    if (market.state.halted) return 'MARKET_HALTED';
    if (this.#state.isPaused(market)) return 'MARKET_PAUSED';
    if (!isClient(owner)) return 'ACCOUNT_LIMIT';
    const { type, timeInForce, price, selfTrade } = command;
    const terms = { orderId, owner, market: id, side, type, timeInForce, price, selfTrade };
    const order: PlaceOrder = {
      ...{ kind: 'place-order', ...terms, quantity: 0, quoteTotal: 0n },
      ...(reverses ? {} : { reduceOnly: true }),
      ...(positionSide && { positionSide }),
    };
    const mismatch = perpetuals.legRefusal(id, order);
    if (mismatch !== undefined) return mismatch;
    if (reverses && positionSide !== undefined) return 'POSITION_SIDE_MISMATCH';
    const open = perpetuals.open({ ...order, quantity: Number.POSITIVE_INFINITY });
    if (open === 0) return 'NOTHING_TO_CLOSE';
    let lots = 2 * open;
    const comesFirst = !reverses && this.#state.rules >= 13;
    if (!reverses) {
      const rivals = perpetuals.ordersOf(owner, id, legNamed(order)).filter((one) => one.side === side);
      const reducingLots = rivals.reduce((sum, one) => sum + (one.reduceOnly ? one.remaining : 0), 0);
      const isRight =
        quantity === undefined ? isWithin(sharePercent, 1, 100) : isWithin(quantity, 1, Number.MAX_SAFE_INTEGER);
      if (!isRight) return 'INVALID_QUANTITY';
      lots = quantity ?? Math.ceil((open * sharePercent) / 100);
      lots = Math.max(1, Math.min(lots, perpetuals.closable(order) + (comesFirst ? reducingLots : 0)));
    }
    const first: First = { createdAt: time, kind: comesFirst ? 'closing' : 'new', isOneWish: reverses };
    const { refusal, ids, reason } = this.place(time, market.spec, order, lots, first);
    if (refusal !== undefined || lots <= market.spec.maximumLots) return refusal;
    const facts = {
      owner,
      market: id,
      leg: legNamed(order),
      orderId,
      lastOrderId: ids.at(-1)!,
      lots,
      reverses,
      reason,
    };
    this.#state.events.push({ kind: 'closed-in-parts', ...facts, time });
    return undefined;
  }

  place(time: number, spec: MarketSpec, order: PlaceOrder, lots: number, first: First): Parts {
    const refusal =
      lots > spec.maximumLots ? this.#wholeRefusal(time, spec, { ...order, quantity: lots }, first) : undefined;
    if (refusal !== undefined) return nothing(refusal);
    const sizes = [Math.min(lots, spec.maximumLots)];
    for (let left = lots - sizes[0]!; left > 0 && sizes.length < MOST_PARTS; left -= sizes.at(-1)!)
      sizes.push(Math.min(left, spec.maximumLots));
    return this.#placeEach(time, spec, order, first, () => {
      const quantity = sizes.shift();
      return quantity === undefined ? undefined : { quantity, quoteTotal: 0n };
    });
  }

  /** A buy by what it may spend. */
  placeTotal(time: number, spec: MarketSpec, order: PlaceOrder, createdAt: number): Refusal {
    const worst = this.#worst(spec, order);
    const trialOf = (quantity: number, quoteTotal: bigint) =>
      this.#orders.try(time, spec, { ...order, quantity, quoteTotal }, worst);
    const { halted, delisted } = this.#state.market(spec.id)!.state;
    if (order.timeInForce === 'FOK' && !halted && !delisted) {
      const { trial, stop } = trialOf(Number.MAX_SAFE_INTEGER, order.quoteTotal);
      if (stop !== 'TOTAL_SPENT' || trial.decremented) return 'NOT_FILLABLE';
    }
    let left = order.quoteTotal;
    let isLast = false;
    const first: First = { createdAt, kind: 'exit', isOneWish: false };
    return this.#placeEach(time, spec, order, first, (placed) => {
      if (placed !== undefined) left -= this.#newest(placed).filledValue;
      if (isLast || left <= 0n) return undefined;
      isLast = trialOf(spec.maximumLots, left).trial.remaining > 0;
      return isLast ? { quantity: 0, quoteTotal: left } : { quantity: spec.maximumLots, quoteTotal: 0n };
    }).refusal;
  }

  /**
   * One after another, up to the first that is refused or is cancelled with a rest.
   * @param next the size of the one behind an order; undefined where that was the last
   */
  #placeEach(
    time: number,
    spec: MarketSpec,
    order: PlaceOrder,
    { createdAt, kind }: First,
    next: (placed?: number) => Pick<PlaceOrder, 'quantity' | 'quoteTotal'> | undefined,
  ): Parts {
    const state = this.#state;
    const worst = this.#worst(spec, order);
    const ids: number[] = [];
    for (let size = next(); size !== undefined && ids.length < MOST_PARTS; size = next(ids.at(-1))) {
      const isFirst = ids.length === 0;
      const orderId = isFirst ? order.orderId : state.lastOrderId + 1;
      const [born, limit] = isFirst ? [createdAt, undefined] : [time, worst];
      const part = { ...order, ...size, orderId };
      const reason = this.#orders.arrive(time, part, born, kind, ids, limit);
      if (reason !== undefined) return isFirst ? nothing(reason) : { refusal: undefined, ids, reason };
      state.lastOrderId = Math.max(state.lastOrderId, orderId);
      ids.push(orderId);
      const { status, remaining } = this.#newest(orderId);
      if (status === 'cancelled' && remaining > 0) break;
    }
    return { refusal: undefined, ids, reason: undefined };
  }

  #newest(orderId: number) {
    const last = this.#state.events.findLast((event) => event.kind === 'order' && event.order.orderId === orderId);
    if (last?.kind !== 'order') throw new Error('an order that was placed has an event');
    return last.order;
  }

  /** Of parts behind the first; the band may move as they trade. Older rules did not see to that. */
  #worst(spec: MarketSpec, { side }: PlaceOrder): number | undefined {
    const [lowest, highest] = this.#orders.band(spec);
    return this.#state.rules < 4 ? undefined : side === BUY ? highest : lowest;
  }

  /** Why all or nothing is not to be had, or its owner cannot pay for all that was meant. */
  #wholeRefusal(time: number, spec: MarketSpec, order: PlaceOrder, { isOneWish }: First): Refusal {
    const isAllOrNothing = order.timeInForce === 'FOK';
    if (this.#state.rules < 4 || !(isAllOrNothing || isOneWish)) return undefined;
    const { perpetuals } = this.#orders;
    const { state } = this.#state.market(spec.id)!;
    const holding = perpetuals.holding(order.owner, spec.id, legNamed(order));
    if (state.halted || state.delisted || this.#state.isPaused({ spec, state })) return undefined;
    if (spec.perpetual !== undefined && closes(order.side, holding) && perpetuals.isBound(time, holding))
      return undefined;
    const limit = order.type === 'market' ? this.#worst(spec, order)! : order.price;
    const [bid] = this.#state.queue(spec.id, BUY);
    const dearest = BigInt(Math.max(limit, state.markPrice, bid?.price ?? 0));
    const unit = 10n ** BigInt(spec.quote.scale - spec.tickScale - spec.lotScale);
    if (order.quantity > MAXIMUM_INT32 || dearest * BigInt(order.quantity) * unit > 2n ** 61n)
      return 'ABOVE_MAXIMUM_SIZE';
    const { trial, stop } = this.#orders.try(time, spec, order);
    if (isAllOrNothing && (stop !== 'FILLED' || trial.decremented)) return 'NOT_FILLABLE';
    if (trial.traded === 0) return tradesNothing(trial, stop, this.#state.rules);
    return this.#orders.shortageAtMarket(spec, order, trial) ?? this.#orders.unsafe(spec, order, () => trial);
  }
}
