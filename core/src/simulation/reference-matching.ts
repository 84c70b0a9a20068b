/** The matching rules of the reference exchange, one order at a time, sorting the whole book at every step. */
import type { TradeSide } from '../events/event.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import type { MarketSpec } from '../money/market.ts';
import { baseUnits, notional } from '../money/notional.ts';
import { divCeil } from '../money/rounding.ts';
import type { PlaceOrder } from '../orders/commands.ts';
import type { CancelReason, OpenOrder, OrderStatus } from '../orders/order-state.ts';
import { BUY, type PositionSide, SELL, type SelfTradeMode, type Side } from '../terms/order-terms.ts';
import { ReferencePerpetuals } from './reference-perpetuals.ts';
import type { ReferenceState, Resting } from './reference-state.ts';

const MILLION = 1_000_000n;

/** Lots of an order that are in the book. */
export const shownOf = ({ remaining, hidden }: Pick<OpenOrder, 'remaining' | 'hidden'>): number => remaining - hidden;

/** An order on its way through the book. Its fields of `OpenOrder` are what it will rest or end with. */
export interface Arriving extends Resting {
  /** Worst acceptable price. */
  readonly limit: number;
  /** Who gives way this time; an amend may say otherwise than the order. */
  readonly mode: SelfTradeMode;
  readonly isNew: boolean;
  /** What it opens has it. */
  readonly term?: PlaceOrder['term'];
  readonly quoteTotal: bigint;
  traded: number;
  cost: bigint;
  /** The price of its last trade. */
  worst: number;
  decremented: boolean;
  /** Whether it came upon an order of its own owner. */
  metOwn: boolean;
  /** What is left of the quote total; undefined when the order has none. */
  total: bigint | undefined;
}

/** The progress of an order that has met nothing yet. */
export const UNTRADED = { traded: 0, cost: 0n, worst: 0, decremented: false, metOwn: false } as const;

/** What an order event says beside the order. */
interface Change {
  readonly isNew?: boolean;
  readonly before?: { readonly price: number; readonly lots: number };
  readonly resting?: number;
  readonly held?: bigint;
  readonly quoteTotal?: bigint;
}

interface Paid {
  readonly fee: bigint;
  readonly credit: bigint;
}

type OfPosition = {
  readonly reduceOnly?: boolean | undefined;
  readonly positionSide?: PositionSide | undefined;
};
type Priced = Pick<OpenOrder, 'owner' | 'side' | 'price'> & OfPosition;

/** What an order says of positions, where it says something. */
export const positionOf = ({ reduceOnly, positionSide }: OfPosition) => ({
  ...(reduceOnly ? { reduceOnly: true as const } : {}),
  ...(positionSide === undefined ? {} : { positionSide }),
});

export type StopReason = 'FILLED' | 'NO_ORDERS' | 'PRICE' | 'SELF_TRADE' | 'TOTAL_SPENT';

/** Why an order that trades nothing is refused where it has to trade at once. */
export function tradesNothing(
  { metOwn, decremented }: Pick<Arriving, 'metOwn' | 'decremented'>,
  stop: StopReason,
  rules: number,
): 'ONLY_OWN_ORDERS' | 'BELOW_MINIMUM_SIZE' | 'NO_LIQUIDITY' {
  const usual = stop === 'TOTAL_SPENT' ? 'BELOW_MINIMUM_SIZE' : 'NO_LIQUIDITY';
  if (rules < 8 || !metOwn) return usual;
  // Its total does not pay for one lot of what lies behind its owner's orders, unless it was spent on them.
  return stop === 'TOTAL_SPENT' && !decremented ? usual : 'ONLY_OWN_ORDERS';
}

export class ReferenceMatching {
  readonly #state: ReferenceState;
  readonly #market: MarketSpec;
  readonly #time: number;
  /** Funds are not checked in a trial; it only asks what would trade. */
  readonly #trial: boolean;
  readonly #perpetuals: ReferencePerpetuals;

  constructor(state: ReferenceState, market: MarketSpec, time: number, trial: boolean) {
    this.#state = state;
    this.#market = market;
    this.#time = time;
    this.#trial = trial;
    this.#perpetuals = new ReferencePerpetuals(state);
  }

  run(order: Arriving): StopReason {
    while (order.remaining > 0) {
      const [maker] = this.#state.queue(this.#market.id, order.side === BUY ? SELL : BUY);
      if (maker === undefined) return 'NO_ORDERS';
      if (order.side === BUY ? maker.price > order.limit : maker.price < order.limit) return 'PRICE';
      let lots = Math.min(order.remaining, shownOf(maker));
      if (order.total !== undefined) {
        const affordable = order.total / notional(this.#market, maker.price, 1);
        if (affordable < BigInt(lots)) lots = Number(affordable);
        if (lots === 0) return 'TOTAL_SPENT';
      }
      if (maker.owner !== order.owner) this.#trade(order, maker, lots);
      else if (this.#selfTrade(order, maker, lots) === 'ENDS') return 'SELF_TRADE';
    }
    return 'FILLED';
  }

  /** Held units of an order, or of part of it. */
  heldFor(order: Priced, lots: number): bigint {
    if (this.#market.perpetual !== undefined) return this.#perpetuals.reserve(this.#market, order, lots);
    const { side, price } = order;
    return side === BUY ? notional(this.#market, price, lots) : baseUnits(this.#market, lots);
  }

  /** @returns what was held */
  hold({ owner, side }: OpenOrder, amount: bigint): bigint {
    const asset = this.payingAsset(side);
    const available = accountKey(owner, this.wallet, Bucket.AVAILABLE, asset);
    const held = accountKey(owner, this.wallet, Bucket.HELD, asset);
    this.#state.post([[available, -amount] as const, [held, amount] as const], this.#trial);
    return amount;
  }

  /** @returns what was released, below zero */
  release(order: Resting, lots: number): bigint {
    return this.hold(order, -this.heldFor(order, lots));
  }

  payingAsset(side: Side): number {
    return side === BUY || this.#market.perpetual ? this.#market.quote.id : this.#market.base.id;
  }

  get wallet(): Wallet {
    return this.#market.perpetual ? Wallet.FUTURE : Wallet.SPOT;
  }

  changed(order: OpenOrder, status: OrderStatus, reason: CancelReason, change: Change): void {
    const { isNew = false, before = { price: 0, lots: 0 }, resting = 0, held = 0n, quoteTotal = 0n } = change;
    const { orderId, owner, market, side, type, timeInForce, selfTrade, price, quantity, remaining } = order;
    const { priority, filledValue, fee, credit, createdAt, visible, hidden } = order;
    const terms = { orderId, owner, market, side, type, timeInForce, selfTrade, price, quantity, remaining };
    const figures = { priority, filledValue, fee, credit, createdAt, visible, hidden };
    const changed = { ...terms, ...figures, ...positionOf(order), quoteTotal, status, reason };
    this.#state.events.push({ kind: 'order', time: this.#time, order: changed, isNew, before, resting, held });
  }

  /** Ends a resting order that is not filled. */
  cancel(order: Resting, reason: CancelReason): void {
    const held = this.release(order, order.remaining);
    this.changed(order, 'cancelled', reason, { before: { price: order.price, lots: shownOf(order) }, held });
    this.remove(order);
  }

  remove(order: Resting): void {
    this.#state.orders = this.#state.orders.filter((other) => other !== order);
  }

  #selfTrade(order: Arriving, maker: Resting, lots: number): 'ENDS' | 'GOES_ON' {
    order.metOwn = true;
    if (order.mode === 'CANCEL_OLDEST' || order.mode === 'CANCEL_BOTH') this.cancel(maker, 'SELF_TRADE');
    if (order.mode === 'CANCEL_NEWEST' || order.mode === 'CANCEL_BOTH') return 'ENDS';
    if (order.mode === 'DECREMENT') {
      order.quantity -= lots;
      order.remaining -= lots;
      order.decremented = true;
      if (order.total !== undefined) order.total -= notional(this.#market, maker.price, lots);
      const before = { price: maker.price, lots: shownOf(maker) };
      const held = this.release(maker, lots);
      maker.quantity -= lots;
      maker.remaining -= lots;
      this.#showNext(maker);
      const status = maker.remaining === 0 ? 'cancelled' : 'open';
      this.changed(maker, status, 'SELF_TRADE', { before, resting: shownOf(maker), held });
      if (maker.remaining === 0) this.remove(maker);
      if (order.remaining === 0) return 'ENDS';
    }
    return 'GOES_ON';
  }

  #trade(order: Arriving, maker: Resting, lots: number): void {
    const state = this.#state;
    const market = this.#market;
    const value = notional(market, maker.price, lots);
    state.lastTradeId += 1;
    const reference = this.#tradedAt(maker.price);
    const [makerFee, takerFee] = this.#fees(order, maker, lots);
    const makerSide: TradeSide = { orderId: maker.orderId, owner: maker.owner, ...makerFee };
    const takerSide: TradeSide = { orderId: order.orderId, owner: order.owner, ...takerFee };
    state.events.push({
      kind: 'trade',
      time: this.#time,
      tradeId: state.lastTradeId,
      market: market.id,
      price: maker.price,
      quantity: lots,
      takerSide: order.side,
      maker: makerSide,
      taker: takerSide,
      ...reference,
    });
    if (market.perpetual === undefined) this.#settle(order.side, makerSide, takerSide, value, baseUnits(market, lots));
    order.remaining -= lots;
    order.traded += lots;
    order.cost += value;
    order.worst = maker.price;
    if (order.total !== undefined) order.total -= value;
    const before = { price: maker.price, lots: shownOf(maker) };
    maker.remaining -= lots;
    this.#showNext(maker);
    for (const [filled, side] of [[maker, makerSide] as const, [order, takerSide] as const]) {
      filled.filledValue += value;
      filled.fee += side.fee;
      filled.credit += side.credit;
    }
    this.changed(maker, maker.remaining === 0 ? 'filled' : 'open', 'NONE', { before, resting: shownOf(maker) });
    if (maker.remaining === 0) this.remove(maker);
    state.onPrice(this.#time, market.id, maker.price);
  }

  /** The price of a trade becomes the last one. @returns the reference where it has changed */
  #tradedAt(price: number): { readonly reference?: number } {
    const known = this.#state.market(this.#market.id)!;
    const { state } = known;
    const before = { ...state };
    state.traded = true;
    state.lastPrice = price;
    const isReferenced = this.#state.rules >= 11 && this.#market.perpetual === undefined;
    if (!isReferenced || price === before.lastPrice) return {};
    const isKept = before.referenceAt >= this.#time && before.referenceAt <= this.#time + 300_000;
    if (before.reference > 0 && isKept) return {};
    const first = BigInt(before.lastPrice === 0 ? price : before.lastPrice) * 1_048_576n;
    const moved = before.reference === 0 ? first : this.#state.reference(this.#time, { ...known, state: before });
    state.reference = Number(moved);
    state.referenceAt = this.#time;
    return { reference: state.reference };
  }

  /** What both sides of a trade pay. In a perpetual their positions change with it, the buyer's first. */
  #fees(order: Arriving, maker: Resting, lots: number): [Paid, Paid] {
    const { price } = maker;
    const state = this.#state;
    if (this.#market.perpetual === undefined) {
      return [
        this.#fee(maker.owner, maker.side, state.feesOf(maker.owner).makerPpm, price, lots),
        this.#fee(order.owner, order.side, state.feesOf(order.owner).takerPpm, price, lots),
      ];
    }
    const settle = (one: Resting & Pick<Arriving, 'term'>, isMaker: boolean): Paid => {
      const fee = this.#perpetuals.settle(this.#time, this.#market, one, price, lots, isMaker);
      return { fee, credit: 0n };
    };
    if (order.side === SELL) return [settle(maker, true), settle(order, false)];
    const takerPaid = settle(order, false);
    return [settle(maker, true), takerPaid];
  }

  /** The next part of an iceberg is the newest order of its price. */
  #showNext(order: Resting): void {
    if (shownOf(order) > 0 || order.hidden === 0) return;
    this.#state.lastPriority += 1;
    order.priority = this.#state.lastPriority;
    order.hidden -= Math.min(order.visible, order.hidden);
  }

  /** The maker pays from held, the taker from available; both receive available, less the fee. */
  #settle(takerSide: Side, maker: TradeSide, taker: TradeSide, value: bigint, units: bigint): void {
    const { base, quote } = this.#market;
    const [buyer, seller] = takerSide === BUY ? [taker, maker] : [maker, taker];
    const bucketOf = (side: TradeSide) => (side === maker ? Bucket.HELD : Bucket.AVAILABLE);
    const spot = (owner: number, asset: number) => accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset);
    const credit = (owner: number) => accountKey(owner, Wallet.CREDIT, Bucket.AVAILABLE, quote.id);
    const postings = [
      [accountKey(buyer.owner, Wallet.SPOT, bucketOf(buyer), quote.id), -value],
      [accountKey(seller.owner, Wallet.SPOT, bucketOf(seller), base.id), -units],
      [spot(seller.owner, quote.id), value - seller.fee],
      [spot(buyer.owner, base.id), units - buyer.fee],
      [spot(SystemOwner.FEES, base.id), buyer.fee],
      [spot(SystemOwner.FEES, quote.id), seller.fee + buyer.credit + seller.credit],
      [credit(buyer.owner), -buyer.credit],
      [credit(seller.owner), -seller.credit],
    ] as const;
    this.#state.post(postings, this.#trial);
  }

  #fee(owner: number, side: Side, ppm: number, price: number, lots: number): Paid {
    const value = notional(this.#market, price, lots);
    const received = side === BUY ? baseUnits(this.#market, lots) : value;
    const feeQuote = divCeil(value * BigInt(ppm), MILLION);
    const fee = divCeil(received * BigInt(ppm), MILLION);
    const available = this.#state.balance(accountKey(owner, Wallet.CREDIT, Bucket.AVAILABLE, this.#market.quote.id));
    let credit = feeQuote;
    if (available < credit) credit = available;
    if (credit === 0n) return { fee, credit };
    return { fee: divCeil(fee * (feeQuote - credit), feeQuote), credit };
  }
}

/** Runs an order on a copy of everything. @returns what it would have done */
export function tried(state: ReferenceState, spec: MarketSpec, order: Arriving): Arriving {
  new ReferenceMatching(state.copy(), spec, 0, true).run(order);
  return order;
}

/** What an order that has traded will rest or end with. */
export function restingOf(order: Arriving): Resting {
  const { orderId, owner, market, side, type, timeInForce, selfTrade, price, quantity, remaining } = order;
  const { filledValue, fee, credit, createdAt, visible, hidden } = order;
  const terms = { orderId, owner, market, side, type, timeInForce, selfTrade, price, quantity, remaining };
  const figures = { priority: 0, filledValue, fee, credit, createdAt, visible, hidden };
  return { ...terms, ...figures, ...positionOf(order) };
}
