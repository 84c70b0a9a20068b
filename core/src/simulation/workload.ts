import type { Command } from '../exchange/command.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import { type IssueReason, issue } from '../ledger/issue.ts';
import type { Transfer } from '../ledger/transfer.ts';
import type { MarketSpec } from '../money/market.ts';
import type { AmendOrder, PlaceOrder } from '../orders/commands.ts';
import type { PlaceTwap } from '../orders/twap/twap.ts';
import { BUY, SELL, type SelfTradeMode, type TimeInForce } from '../terms/order-terms.ts';
import { ConditionalWorkload, someClientOrderId } from './conditional-workload.ts';
import type { Random } from './random.ts';

/** A command and the time at which it is applied. */
export interface Step {
  readonly time: number;
  readonly command: Command;
}

const SELF_TRADE_MODES: readonly SelfTradeMode[] = ['CANCEL_NEWEST', 'CANCEL_OLDEST', 'CANCEL_BOTH', 'DECREMENT'];
const TIMES_IN_FORCE: readonly TimeInForce[] = ['GTC', 'GTC', 'GTC', 'GTC', 'POST_ONLY', 'IOC', 'FOK'];
const FIRST_OWNER = 100;
const RECENT_ORDERS = 25;
/** Typical price of each market, by its place in TEST_MARKETS. */
const START_TICKS = [640_000, 300_000, 5_000];

/**
 * Many traders doing everything that the exchange allows and much that it refuses, around prices that wander. The same
 * random source gives the same commands, whatever the exchange answers.
 */
export class Workload {
  readonly #random: Random;
  readonly #markets: readonly MarketSpec[];
  readonly #owners: number;
  readonly #middle: number[];
  readonly #conditional: ConditionalWorkload;
  #time = 1_700_000_000_000;
  #lastOrderId = 0;
  #lastTransferId = 0;
  #lastSequence = 0;
  #recent: { orderId: number; owner: number; market: MarketSpec; price: number; quantity: number }[] = [];

  constructor(random: Random, markets: readonly MarketSpec[], owners: number) {
    this.#random = random;
    this.#markets = markets;
    this.#owners = owners;
    this.#conditional = new ConditionalWorkload(random);
    this.#middle = markets.map((_, place) => START_TICKS[place] ?? 10_000);
  }

  next(): Step {
    this.#time += this.#random.between(0, 3);
    const command = this.#command();
    return { time: this.#time, command };
  }

  #command(): Command {
    const random = this.#random;
    const dice = random.between(1, 1000);
    if (dice <= 50) return this.#funds();
    if (dice <= 60) return this.#instrument();
    if (dice <= 70) return { kind: 'set-fees', owner: this.#owner(), makerPpm: this.#ppm(), takerPpm: this.#ppm() };
    if (dice <= 72) return this.#delisting();
    if (dice <= 90) return { kind: 'halt-market', market: this.#marketId(), halted: random.chance(12) };
    if (dice <= 98) return this.#referencePrice();
    if (dice <= 99) return this.#cancelAll();
    if (dice <= 120) return this.#walletTransfer();
    if (dice <= 174) return this.#cancel();
    if (dice <= 210) return this.#conditional.change() ?? this.#cancel();
    if (dice <= 240) return this.#conditional.mark(this.#someMarket());
    if (dice <= 330) return this.#placeConditional();
    if (dice <= 450) return this.#amend();
    if (dice <= 480) return this.#placeTwap();
    if (dice <= 510) return this.#runTwaps();
    return this.#place();
  }

  #owner(): number {
    return FIRST_OWNER + this.#random.between(0, this.#owners - 1);
  }

  #ppm(): number {
    return this.#random.pick([0, 1, 100, 800, 1_000, 5_000, 250_000, 1_000_000, 1_000_001, -1]);
  }

  #marketId(): number {
    return this.#random.chance(3) ? 99 : this.#random.pick(this.#markets).id;
  }

  #funds(): Command {
    const random = this.#random;
    const reason: IssueReason = random.pick([
      'development-credit',
      'development-credit',
      'house-capital',
      'fee-credit-grant',
    ] as const);
    const owner = random.chance(2) ? random.pick([8, 0, -1]) : this.#owner();
    const amount = random.chance(3)
      ? random.pick([0n, -1n, 2n ** 60n, 2n ** 62n, 2n ** 70n])
      : reason === 'fee-credit-grant'
        ? BigInt(random.between(1, 2_000_000))
        : BigInt(random.between(1, 2_000)) * 10_000_000n;
    const command = issue(reason, owner, random.between(0, 2), amount);
    if (random.chance(80)) return command;
    this.#lastSequence += random.chance(70) ? 1 : random.between(-1, 3);
    return { ...command, origin: { source: random.between(0, 2), sequence: this.#lastSequence } };
  }

  /** Mostly about what is traded at, where orders wait for it. */
  #delisting(): Command {
    const random = this.#random;
    const market = this.#marketId();
    const endsAt = this.#time + random.between(0, 2_000);
    const delisting = { closeOnlyAt: endsAt - random.between(-1, 2_000), endsAt };
    return { kind: 'announce-delisting', market, delisting: random.chance(50) ? delisting : undefined };
  }

  #referencePrice(): Command {
    const random = this.#random;
    const { market, price: middle } = this.#someMarket();
    if (random.chance(90)) {
      const price = middle + random.between(-40, 40);
      const waits = price % 3 === 0 && { triggersNothing: true };
      return { kind: 'set-reference-price', market: market.id, price, ...waits };
    }
    return { kind: 'set-reference-price', market: this.#marketId(), price: random.between(0, 700_000) };
  }

  /** A transfer between wallets, or the end of one that may be pending. */
  #walletTransfer(): Command {
    const random = this.#random;
    if (random.chance(45) && this.#lastTransferId > 0) return this.#endTransfer();
    this.#lastTransferId += random.chance(3) ? 0 : random.between(1, 40);
    if (random.chance(25)) return this.#withdrawal();
    const owner = this.#owner();
    const wallets = [
      Wallet.FUTURE,
      Wallet.FUNDING,
      Wallet.SPOT,
      random.chance(3) ? Wallet.EARN : Wallet.FUTURE,
    ] as const;
    const legs = Array.from({ length: random.chance(90) ? 1 : random.between(0, 9) }, () => {
      const asset = random.between(0, 2);
      const [from, to] = [random.chance(60) ? Wallet.SPOT : random.pick(wallets), random.pick(wallets)];
      const receiver = random.chance(2) ? this.#owner() : owner;
      const bucket = random.chance(2) ? Bucket.HELD : Bucket.AVAILABLE;
      return {
        from: accountKey(random.chance(1) ? SystemOwner.FEES : owner, from, bucket, asset),
        to: accountKey(receiver, to, Bucket.AVAILABLE, random.chance(2) ? 1 : asset),
        amount: random.chance(3) ? random.pick([0n, -5n, 2n ** 61n]) : BigInt(random.between(1, 900)) * 100_000n,
      };
    });
    const facts = { transferId: this.#lastTransferId, reference: owner, isPending: random.chance(70), detail: '' };
    const transfer: Transfer = { kind: 'transfer', reason: 'wallet-transfer', legs, ...facts };
    return random.chance(2) ? { ...transfer, detail: 'x'.repeat(random.between(998, 1003)) } : transfer;
  }

  /** Coins that leave, to whom they may and to whom they may not; mostly held until the end of it. */
  #withdrawal(): Command {
    const random = this.#random;
    const owner = this.#owner();
    const asset = random.between(0, 2);
    const reason = random.pick(['withdrawal', 'withdrawal', 'internal-withdrawal', 'network-cost'] as const);
    const receivers = [SystemOwner.CUSTODY, SystemOwner.FEES, random.chance(10) ? SystemOwner.SUSPENSE : this.#owner()];
    const from = reason === 'network-cost' && random.chance(80) ? SystemOwner.NETWORK_COSTS : owner;
    const legs = Array.from({ length: random.between(1, 2) }, () => ({
      from: accountKey(from, random.chance(3) ? Wallet.FUNDING : Wallet.SPOT, Bucket.AVAILABLE, asset),
      to: accountKey(random.pick(receivers), Wallet.SPOT, Bucket.AVAILABLE, asset),
      amount: BigInt(random.between(1, 900)) * 100_000n,
    }));
    const facts = { transferId: this.#lastTransferId, reference: random.between(1, 99), isPending: random.chance(80) };
    return { kind: 'transfer', reason, legs, ...facts, detail: '' };
  }

  #endTransfer(): Command {
    const random = this.#random;
    const transferId = random.chance(80) ? this.#lastTransferId : random.between(1, this.#lastTransferId);
    if (random.chance(40)) return { kind: 'void-pending', transferId };
    const amounts = random.chance(60) ? undefined : [BigInt(random.between(-1, 900)) * 1_000_000n];
    return { kind: 'post-pending', transferId, amounts };
  }

  /** New limits, fees and listings, most of them wrong. */
  #instrument(): Command {
    const random = this.#random;
    const { kind: _kind, ...limits } = this.#limits();
    const market = this.#marketId();
    return random.pick<Command>([
      { kind: 'change-market', market, ...limits },
      { kind: 'set-default-fees', makerPpm: this.#ppm(), takerPpm: this.#ppm() },
      { kind: 'clear-market', market, maximum: random.between(0, 4) },
      { kind: 'delist-market', market: random.chance(50) ? 99 : market },
      { kind: 'list-asset', asset: random.between(0, 5), code: random.pick(['BTC', 'XRP', 'x']), scale: 6 },
      {
        kind: 'list-market',
        market: random.between(4, 9),
        symbol: random.pick(['XRP-USDT', 'BTC-USDT']),
        base: random.between(1, 5),
        quote: 0,
        tickScale: 1,
        lotScale: random.between(2, 9),
        ...limits,
      },
    ]);
  }

  #limits() {
    const random = this.#random;
    return {
      kind: 'limits' as const,
      minimumLots: random.between(0, 12),
      maximumLots: random.pick([1_000_000, 100_000, 10, 2 ** 31]),
      minimumNotional: BigInt(random.between(-1, 3)) * 500_000n,
      priceBandPpm: random.pick([0, 100_000, 200_000, 4_000_000]),
    };
  }

  #cancel(): Command {
    const known = this.#recent.length > 0 ? this.#random.pick(this.#recent) : undefined;
    if (known === undefined || this.#random.chance(3)) {
      return { kind: 'cancel-order', orderId: this.#random.between(0, 50), owner: this.#owner() };
    }
    return { kind: 'cancel-order', orderId: known.orderId, owner: known.owner };
  }

  #cancelAll(): Command {
    return {
      kind: 'cancel-all-orders',
      owner: this.#owner(),
      market: this.#random.pick([undefined, this.#marketId()]),
      side: this.#random.pick([undefined, undefined, BUY, SELL]),
    };
  }

  #placeConditional(): Command {
    this.#lastOrderId += this.#random.chance(2) ? 0 : this.#random.between(1, 3);
    const owner = this.#random.chance(1) ? 99 : this.#owner();
    return this.#conditional.place(this.#lastOrderId, owner, this.#someMarket());
  }

  #someMarket(): { market: MarketSpec; price: number } {
    const place = this.#random.between(0, this.#markets.length - 1);
    return { market: this.#markets[place]!, price: this.#middle[place]! };
  }

  /** Schedules of some seconds around the price, a few of them impossible. */
  #placeTwap(): PlaceTwap {
    const random = this.#random;
    this.#lastOrderId += random.chance(2) ? 0 : random.between(1, 3);
    const { market, price: middle } = this.#someMarket();
    const price = random.chance(95) ? Math.max(1, middle + random.between(-12, 12)) : this.#price(market);
    const twap: PlaceTwap = {
      kind: 'place-twap',
      orderId: this.#lastOrderId,
      owner: random.chance(1) ? 99 : this.#owner(),
      market: random.chance(1) ? 99 : market.id,
      side: random.chance(50) ? BUY : SELL,
      price,
      quantity: random.chance(5) ? this.#quantity() : random.between(30, 400),
      selfTrade: random.pick(SELF_TRADE_MODES),
      durationMs: random.chance(3) ? random.pick([0, 4_999, Number.NaN, 90_000_000]) : random.between(5_000, 9_000),
      intervalMs: random.chance(3) ? random.pick([0, 999, 1.5, 20_000]) : random.between(1_000, 3_000),
      clientOrderId: someClientOrderId(random),
    };
    this.#remember(twap, market);
    return twap;
  }

  /** After a while, so that slices are due; now and then after so long that some were missed. */
  #runTwaps(): Command {
    const random = this.#random;
    this.#time += random.chance(80) ? random.between(0, 1_500) : random.between(0, 8_000);
    return { kind: 'run-twaps', maximum: random.chance(5) ? random.between(0, 2) : random.between(1, 50) };
  }

  #amend(): Command {
    const random = this.#random;
    if (this.#recent.length === 0) return this.#cancel();
    const { orderId, owner, market, price, quantity } = random.pick(this.#recent);
    const samePrice = random.chance(40);
    const newPrice = samePrice ? price : this.#price(market);
    const newQuantity = random.chance(30) ? quantity : random.between(1, quantity + 20);
    const command: AmendOrder = {
      kind: 'amend-order',
      orderId,
      owner,
      price: random.chance(25) ? undefined : newPrice,
      quantity: random.chance(25) ? undefined : newQuantity,
    };
    if (random.chance(40)) return command;
    const timeInForce = random.chance(70) ? 'GTC' : 'POST_ONLY';
    return { ...command, timeInForce, selfTrade: random.pick(SELF_TRADE_MODES) };
  }

  #place(): PlaceOrder {
    const random = this.#random;
    this.#lastOrderId += random.chance(2) ? 0 : random.between(1, 3);
    const market = random.pick(this.#markets);
    const limit = random.chance(82);
    const byTotal = !limit && random.chance(50);
    const order: PlaceOrder = {
      kind: 'place-order',
      orderId: this.#lastOrderId,
      owner: random.chance(1) ? random.pick([1, 99, Number.NaN]) : this.#owner(),
      market: random.chance(1) ? 99 : market.id,
      side: random.chance(50) ? BUY : SELL,
      type: limit ? 'limit' : 'market',
      timeInForce: random.pick(TIMES_IN_FORCE),
      price: limit ? this.#price(market) : 0,
      quantity: byTotal ? 0 : this.#quantity(),
      quoteTotal: byTotal ? BigInt(random.between(0, 4_000)) * 100_000n : 0n,
      selfTrade: random.pick(SELF_TRADE_MODES),
      clientOrderId: someClientOrderId(random),
    };
    if (limit && random.chance(25)) Object.assign(order, { visible: random.between(1, 30) });
    if (random.chance(limit ? 1 : 40)) Object.assign(order, { worstPrice: this.#price(market) });
    const placed = random.chance(20)
      ? this.#conditional.withExits(order, this.#middle[this.#markets.indexOf(market)]!)
      : order;
    if (limit && order.timeInForce !== 'IOC' && order.timeInForce !== 'FOK') this.#remember(order, market);
    return placed;
  }

  #remember({ orderId, owner, price, quantity }: PlaceOrder | PlaceTwap, market: MarketSpec): void {
    this.#recent.push({ orderId, owner, market, price, quantity });
    if (this.#recent.length > RECENT_ORDERS) this.#recent = this.#recent.slice(1);
  }

  #price(market: MarketSpec): number {
    const random = this.#random;
    if (random.chance(1)) return random.pick([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 53]);
    if (random.chance(1)) return random.between(1, 2_000_000_000);
    const place = this.#markets.indexOf(market);
    if (random.chance(5)) this.#middle[place]! += random.between(-30, 30);
    const reach = random.chance(6) ? 3_000 : 12;
    return Math.max(1, this.#middle[place]! + random.between(-reach, reach));
  }

  #quantity(): number {
    const random = this.#random;
    if (random.chance(1)) return random.pick([0, -1, 1.5, Number.NaN, 2 ** 31, 2 ** 53, 1_000_000]);
    return random.chance(5) ? random.between(1, 2_000) : random.between(8, 90);
  }
}
