/** Perpetuals without a server around them: an engine, owners who act at random, and their positions as the calls say them. */
import type { FuturesAccount, FuturesPosition } from '@cambist/contract/futures.ts';
import type { Command } from '@cambist/core/exchange/command.ts';
import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import { issue } from '@cambist/core/ledger/issue.ts';
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import type { PlaceOrder } from '@cambist/core/orders/commands.ts';
import { listing, TEST_PERPETUALS } from '@cambist/core/simulation/markets.ts';
import { Random } from '@cambist/core/simulation/random.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import {
  describeAccount,
  describePosition,
  describeTerms,
  type OpenPosition,
} from '../src/exchange/futures/describe.ts';
import type { PerpetualMarket } from '../src/exchange/futures/perpetual-market.ts';

/** With the decimals that USDT has here, unlike in the core's tests. */
const USDT: Asset = { id: 0, code: 'USDT', scale: 8 };
const UNIT = 100_000_000n;
const MORE = 100n;

export const MARKETS = TEST_PERPETUALS.map((spec) => {
  const { perpetual } = spec as PerpetualMarket;
  const tiers = perpetual.tiers.map((tier) => ({ ...tier, maximumNotional: tier.maximumNotional * MORE }));
  const funding = { ...perpetual.funding, impactValue: perpetual.funding.impactValue * MORE };
  const money = { quote: USDT, minimumNotional: spec.minimumNotional * MORE };
  return { ...spec, ...money, perpetual: { ...perpetual, tiers, funding } } satisfies MarketSpec as PerpetualMarket;
});

/** Who act: in one-way mode, the second with isolated margin at first, and in hedge mode the last two. */
export const OWNERS = [201, 202, 203, 204] as const;
/** Takes the other side of whatever is asked for. */
export const RICH = 299;
const PRICES = [10_000, 20_000] as const;
const HOUR_MS = 3_600_000;
const LEVERAGES = [2, 5, 20, 50] as const;

/** What `futures/positions` answers. */
export interface Shown {
  readonly positions: readonly FuturesPosition[];
  readonly account: FuturesAccount;
}

export class FuturesFloor {
  readonly exchange = createExchange();
  readonly random: Random;
  /** Indexes in ticks, of both markets. */
  readonly prices: [number, number] = [...PRICES];
  #time = 1_000;
  #orders = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    for (const command of listing(MARKETS)) this.apply(command);
    for (const owner of OWNERS) this.#fund(owner, BigInt(this.random.between(20, 420)) * UNIT);
    this.#fund(RICH, 10_000_000n * UNIT);
    for (const { id: market } of MARKETS) {
      const isolated = { leverage: 10, isIsolated: true, movesReserves: true };
      this.apply({ kind: 'set-leverage', owner: OWNERS[1], market, ...isolated });
      for (const owner of OWNERS.slice(2)) this.apply({ kind: 'set-position-mode', owner, market, isHedged: true });
    }
    this.moveIndexes(0);
  }

  /** Whether it was taken. */
  apply(command: Command): boolean {
    this.#time += 1;
    const { ok } = this.exchange.apply(this.#time, command);
    this.exchange.takeEvents();
    return ok;
  }

  #fund(owner: number, amount: bigint): void {
    this.apply(issue('development-credit', owner, USDT.id, amount));
    const of = (wallet: Wallet) => accountKey(owner, wallet, Bucket.AVAILABLE, USDT.id);
    const legs = [{ from: of(Wallet.SPOT), to: of(Wallet.FUTURE), amount }];
    const facts = { transferId: 0, reference: owner, isPending: false, detail: '' };
    this.apply({ kind: 'transfer', reason: 'wallet-transfer', legs, ...facts });
  }

  /** By so many ticks at most. */
  moveIndexes(most: number): void {
    MARKETS.forEach(({ id }, index) => {
      this.prices[index]! += this.random.between(-most, most);
      this.apply({ kind: 'set-index-price', market: id, price: this.prices[index]!, waitsWhileHalted: true });
    });
  }

  /** With the index known, so that funding is settled. */
  #passHour(): void {
    for (let part = 0; part < 3; part += 1) {
      this.#time += HOUR_MS / 3;
      this.moveIndexes(30);
    }
  }

  /** A limit order, good till cancelled. */
  place(terms: Pick<PlaceOrder, 'owner' | 'market' | 'side' | 'price' | 'quantity'> & Partial<PlaceOrder>): boolean {
    this.#orders = Math.max(this.#orders, this.exchange.counters().lastOrderId) + 1;
    const usual = { kind: 'place-order', orderId: this.#orders, type: 'limit', timeInForce: 'GTC' } as const;
    return this.apply({ ...usual, quoteTotal: 0n, selfTrade: 'CANCEL_NEWEST', ...terms });
  }

  /** Until no order is open. */
  clear(): void {
    for (const owner of [...OWNERS, RICH]) this.apply({ kind: 'cancel-all-orders', owner, market: undefined });
  }

  isHedged(owner: number, market: number): boolean {
    return this.exchange.holdings().some((one) => one.owner === owner && one.market === market && one.isHedged);
  }

  step(): void {
    const { random } = this;
    const [owner, which] = [random.pick(OWNERS), random.between(0, MARKETS.length - 1)];
    const market = MARKETS[which]!.id;
    const positionSide = this.isHedged(owner, market) ? random.pick(['long', 'short'] as const) : undefined;
    const kind = random.between(0, 11);
    if (kind < 2) {
      const chosen = { leverage: random.pick(LEVERAGES), isIsolated: random.chance(50), movesReserves: true };
      this.apply({ kind: 'set-leverage', owner, market, positionSide, ...chosen });
    } else if (kind === 2) {
      const amount = BigInt(random.between(-100, 300)) * 1_000_000n;
      this.apply({ kind: 'adjust-margin', owner, market, amount, positionSide });
    } else if (kind === 3) this.#passHour();
    else if (kind === 4) this.moveIndexes(200);
    else {
      const price = this.prices[which]! + random.between(-20, 20);
      const side = random.pick([BUY, SELL] as const);
      this.place({ owner, market, side, price, quantity: random.between(2, 60), positionSide });
    }
  }

  /** As `FuturesService.positions` has it. */
  shown(owner: number): Shown {
    const wallet = this.exchange.marginWalletOf(owner, USDT.id);
    const open = this.exchange.positionsOf(owner).filter((view): view is OpenPosition => view.position !== undefined);
    const marketOf = (id: number) => MARKETS.find((market) => market.id === id)!;
    return {
      positions: open.map((view) => describePosition(marketOf(view.market), view, wallet)),
      account: describeAccount(USDT, wallet),
    };
  }

  mark(market: PerpetualMarket): string {
    return priceText(market, this.exchange.marketState(market.id).markPrice);
  }
}

/** Exact as long as the ticks are few. */
export const priceText = ({ tickScale }: PerpetualMarket, ticks: number): string =>
  (ticks / 10 ** tickScale).toFixed(tickScale);

/** What the browser knows of a market: the pair, and its terms from the settings. */
export const knownOf = (market: PerpetualMarket) => ({
  pair: { pair_name: market.symbol, price_scale: market.tickScale, quantity_scale: market.lotScale },
  settings: describeTerms(market),
});
