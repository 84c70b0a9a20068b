/** The matching rules of the reference exchange, one order at a time, sorting the whole book at every step. */
import { BUY, SELL, type SelfTradeMode, type Side } from '../exchange/command.ts';
import type { CancelReason, OrderStatus, TradeSide } from '../exchange/event.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import type { MarketSpec } from '../money/market.ts';
import { baseUnits, notional } from '../money/notional.ts';
import { divCeil } from '../money/rounding.ts';
import type { ReferenceState, Resting } from './reference-state.ts';

const MILLION = 1_000_000n;

/** An order on its way through the book. */
export interface Arriving {
  readonly orderId: number;
  readonly owner: number;
  readonly side: Side;
  /** Worst acceptable price. */
  readonly limit: number;
  readonly selfTrade: SelfTradeMode;
  quantity: number;
  remaining: number;
  traded: number;
  cost: bigint;
  decremented: boolean;
  /** What is left of the quote total; undefined when the order has none. */
  total: bigint | undefined;
}

export type StopReason = 'FILLED' | 'NO_ORDERS' | 'PRICE' | 'SELF_TRADE' | 'TOTAL_SPENT';

export class ReferenceMatching {
  readonly #state: ReferenceState;
  readonly #market: MarketSpec;
  readonly #time: number;
  /** Funds are not checked in a trial; it only asks what would trade. */
  readonly #trial: boolean;

  constructor(state: ReferenceState, market: MarketSpec, time: number, trial: boolean) {
    this.#state = state;
    this.#market = market;
    this.#time = time;
    this.#trial = trial;
  }

  run(order: Arriving): StopReason {
    while (order.remaining > 0) {
      const [maker] = this.#state.queue(this.#market.id, order.side === BUY ? SELL : BUY);
      if (maker === undefined) return 'NO_ORDERS';
      if (order.side === BUY ? maker.price > order.limit : maker.price < order.limit) return 'PRICE';
      let lots = Math.min(order.remaining, maker.remaining);
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

  /** Held units of a resting order, or of part of it. */
  heldFor(side: Side, price: number, lots: number): bigint {
    return side === BUY ? notional(this.#market, price, lots) : baseUnits(this.#market, lots);
  }

  hold(orderId: number, owner: number, side: Side, amount: bigint): void {
    const asset = this.payingAsset(side);
    const available = accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset);
    const held = accountKey(owner, Wallet.SPOT, Bucket.HELD, asset);
    const postings = [[available, -amount] as const, [held, amount] as const];
    this.#state.post(this.#time, 'order-hold', orderId, postings, this.#trial);
  }

  release(order: Resting, lots: number): void {
    const asset = this.payingAsset(order.side);
    const amount = this.heldFor(order.side, order.price, lots);
    const available = accountKey(order.owner, Wallet.SPOT, Bucket.AVAILABLE, asset);
    const held = accountKey(order.owner, Wallet.SPOT, Bucket.HELD, asset);
    const postings = [[held, -amount] as const, [available, amount] as const];
    this.#state.post(this.#time, 'order-release', order.orderId, postings, this.#trial);
  }

  payingAsset(side: Side): number {
    return side === BUY ? this.#market.quote.id : this.#market.base.id;
  }

  changed(order: Resting, status: OrderStatus, reason: CancelReason): void {
    const { orderId, owner, market, side, price, quantity, remaining, priority } = order;
    const facts = { orderId, owner, market, side, price, quantity, remaining, priority };
    this.#state.events.push({ kind: 'order-changed', time: this.#time, ...facts, status, reason });
  }

  /** Ends a resting order that is not filled. */
  cancel(order: Resting, reason: CancelReason): void {
    this.release(order, order.remaining);
    this.changed(order, 'cancelled', reason);
    this.remove(order);
  }

  remove(order: Resting): void {
    this.#state.orders = this.#state.orders.filter((other) => other !== order);
  }

  #selfTrade(order: Arriving, maker: Resting, lots: number): 'ENDS' | 'GOES_ON' {
    if (order.selfTrade === 'CANCEL_OLDEST' || order.selfTrade === 'CANCEL_BOTH') this.cancel(maker, 'SELF_TRADE');
    if (order.selfTrade === 'CANCEL_NEWEST' || order.selfTrade === 'CANCEL_BOTH') return 'ENDS';
    if (order.selfTrade === 'DECREMENT') {
      order.quantity -= lots;
      order.remaining -= lots;
      order.decremented = true;
      if (order.total !== undefined) order.total -= notional(this.#market, maker.price, lots);
      this.release(maker, lots);
      maker.quantity -= lots;
      maker.remaining -= lots;
      this.changed(maker, maker.remaining === 0 ? 'cancelled' : 'open', 'SELF_TRADE');
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
    const marketState = state.markets.get(market.id)!;
    marketState.lastPrice = maker.price;
    marketState.traded = true;
    const makerFee = this.#fee(maker.owner, maker.side, state.feesOf(maker.owner).makerPpm, maker.price, lots);
    const takerFee = this.#fee(order.owner, order.side, state.feesOf(order.owner).takerPpm, maker.price, lots);
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
    });
    this.#settle(order.side, makerSide, takerSide, value, baseUnits(market, lots));
    order.remaining -= lots;
    order.traded += lots;
    order.cost += value;
    if (order.total !== undefined) order.total -= value;
    maker.remaining -= lots;
    this.changed(maker, maker.remaining === 0 ? 'filled' : 'open', 'NONE');
    if (maker.remaining === 0) this.remove(maker);
    state.onPrice(this.#time, market.id, maker.price);
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
    this.#state.post(this.#time, 'trade', this.#state.lastTradeId, postings, this.#trial);
  }

  #fee(owner: number, side: Side, ppm: number, price: number, lots: number): { fee: bigint; credit: bigint } {
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
