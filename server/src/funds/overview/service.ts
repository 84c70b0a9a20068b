/** Every wallet of a client: balances from the exchange's memory, worth at the last price. */
import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import { OWNED_WALLETS } from '@cambist/core/ledger/wallet-lists.ts';
import type { WalletName } from '@cambist/core/ledger/wallets.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import { baseUnits, quoteUnitsPerTickLot } from '@cambist/core/money/notional.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import { worthAt } from '../../exchange/liquidity/service.ts';
import type { Identity } from '../../platform/calls.ts';
import { type Profit, profitSince, type Worth } from './profit.ts';
import type { TradeSums, WalletStore } from './store.ts';

export interface AssetInfo {
  readonly asset: Asset;
  readonly name: string;
  readonly image: string;
  /** The market that prices it in the quote asset; undefined for the quote asset itself and where there is none. */
  readonly market: MarketSpec | undefined;
}

/** Prices in ticks; 0 where there is none. */
export interface Prices {
  last(market: number): number;
  at(market: number, time: number): number;
}

export interface WalletDeps {
  readonly engine: Pick<Engine, 'exchange' | 'sequencer' | 'projector'>;
  /** All that are listed at the moment. */
  readonly assets: () => readonly AssetInfo[];
  /** Delisted ones too: they may have traded today. */
  readonly marketById: (id: number) => MarketSpec | undefined;
  readonly quote: Asset;
  readonly prices: Prices;
  readonly store: WalletStore;
  readonly clock: { now(): number };
}

export interface Balance {
  readonly info: AssetInfo;
  readonly available: bigint;
  /** What of it no position needs; below zero where positions have lost more. */
  readonly free: bigint;
  /** By open orders, by transfers that are underway, and as the margin of isolated positions. */
  readonly held: bigint;
  /** What closing positions would bring at their marks, less funding that they owe; of the futures wallet alone. */
  readonly profit: bigint;
  /** Quote units, of all of it. */
  readonly worth: bigint;
}

const DAY_MS = 86_400_000;

/** What the trades did to base and quote. */
function tradeEffects(market: MarketSpec, sums: TradeSums): { asset: number; amount: bigint }[] {
  const base = baseUnits(market, sums.lots);
  const quote = sums.ticks_lots * quoteUnitsPerTickLot(market);
  if (sums.side === BUY) {
    return [
      { asset: market.base.id, amount: base - sums.fee },
      { asset: market.quote.id, amount: -quote },
    ];
  }
  return [
    { asset: market.base.id, amount: -base },
    { asset: market.quote.id, amount: quote - sums.fee },
  ];
}

/** What a client has of one asset in all wallets together. */
export interface Holding {
  readonly info: AssetInfo;
  /** Smallest units, held ones included. */
  readonly units: bigint;
  /** Quote units, with what positions have won or lost. */
  readonly worth: bigint;
}

/** Of wallets whose balances are in the same order. */
function together(wallets: readonly (readonly Balance[])[]): Holding[] {
  const [first = []] = wallets;
  return first.map(({ info }, index) => {
    const all = wallets.flatMap((wallet) => wallet[index] ?? []);
    const units = all.reduce((sum, { available, held }) => sum + available + held, 0n);
    return { info, units, worth: all.reduce((sum, { worth }) => sum + worth, 0n) };
  });
}

/** The whole day's, and what of it positions in perpetuals brought: closed, with fees and funding. */
interface DayProfit extends Profit {
  readonly future: bigint;
  /** What was moved to the futures wallet from the others, less what was moved away. */
  readonly broughtToFuture: bigint;
}

/** What today has made of a client's holdings. */
function createProfitReader({ engine, marketById, store, clock }: WalletDeps, worth: Worth) {
  return async (owner: number, current: readonly Holding[]): Promise<DayProfit> => {
    await engine.projector.caughtUp();
    const start = Math.floor(clock.now() / DAY_MS) * DAY_MS;
    const ids = current.map(({ info }) => info.asset.id);
    const [trades, positions, flows, brought] = await Promise.all([
      store.tradesOfDay(owner, start / DAY_MS),
      store.positionsOfDay(owner, start / DAY_MS),
      store.flowsSince(owner, ids, start),
      store.broughtToFuture(owner, ids, start),
    ]);
    const changed = new Map<number, bigint>();
    const add = ({ asset, amount }: { asset: number; amount: bigint }) =>
      changed.set(asset, (changed.get(asset) ?? 0n) + amount);
    for (const sums of trades) {
      const market = marketById(sums.market);
      if (market !== undefined && market.perpetual === undefined) tradeEffects(market, sums).forEach(add);
    }
    positions.forEach(add);
    flows.forEach(add);
    const holdings = current.map(({ info, units: now }) => {
      const asset = info.asset.id;
      return { asset, now, before: now - (changed.get(asset) ?? 0n) };
    });
    const sum = (amounts: readonly { asset: number; amount: bigint }[]) =>
      amounts.reduce((all, { asset, amount }) => all + worth(asset, amount, undefined), 0n);
    return {
      ...profitSince(
        start,
        holdings,
        flows.filter(({ isGain }) => !isGain),
        worth,
      ),
      ...{ future: sum(positions), broughtToFuture: sum(brought) },
    };
  };
}

/** What so many units are worth, at the last price or at one of before. */
function createValuer({ assets, quote, prices }: WalletDeps) {
  const infoOf = (id: number) => assets().find(({ asset }) => asset.id === id);
  /** A market in which nothing was traded yet, and that has no price from elsewhere, prices nothing. */
  const isPriced = ({ asset, market }: AssetInfo) =>
    asset.id === quote.id || (market !== undefined && prices.last(market.id) > 0);
  const worth: Worth = (asset, units, time) => {
    if (asset === quote.id) return units;
    const market = infoOf(asset)?.market;
    if (market === undefined) return 0n;
    return worthAt(market, units, time === undefined ? prices.last(market.id) : prices.at(market.id, time));
  };
  return {
    worth,
    /** Of so many units at the last price, in quote units; undefined where no market prices the asset. */
    worthOf(asset: number, units: bigint): bigint | undefined {
      const info = infoOf(asset);
      return info !== undefined && isPriced(info) ? worth(asset, units, undefined) : undefined;
    },
    /** In the quote asset, as text; of the quote asset itself it is 1, and null where no market prices the asset. */
    priceOf(info: AssetInfo): string | null {
      const { asset, market } = info;
      if (asset.id === quote.id) return '1';
      return isPriced(info) && market ? formatAmount(BigInt(prices.last(market.id)), market.tickScale) : null;
    },
  };
}

/** What a wallet has of every asset, as memory has it now. */
function createWalletReader({ engine: { exchange }, assets }: WalletDeps, worth: Worth) {
  return (owner: number, wallet: Wallet): Balance[] =>
    assets().map((info) => {
      const { id } = info.asset;
      const inBucket = (bucket: Bucket) => exchange.balance(accountKey(owner, wallet, bucket, id));
      const available = inBucket(Bucket.AVAILABLE);
      const held = inBucket(Bucket.HELD) + inBucket(Bucket.PENDING) + inBucket(Bucket.MARGIN);
      const isBacking = wallet === Wallet.FUTURE;
      const { profit, free } = isBacking ? exchange.marginWalletOf(owner, id) : { profit: 0n, free: available };
      return { info, available, free, held, profit, worth: worth(id, available + held + profit, undefined) };
    });
}

/**
 * The futures wallet's part is of what the day began with there and what was brought there since: what was taken away had its share.
 * @param now worth of the futures wallet without what is unrealised, as that is not in the day's profit
 */
function describeProfit(profit: DayProfit, now: bigint, money: (units: bigint) => string) {
  const { value, basisPoints, future, broughtToFuture: brought } = profit;
  const base = now - future - (brought < 0n ? brought : 0n);
  const percentage = base > 0n ? (future * 10_000n) / base : 0n;
  return {
    ...{ value: money(value), percentage: formatAmount(basisPoints, 2) },
    ...{ spot: money(value - future), future: money(future), futurePercentage: formatAmount(percentage, 2) },
  };
}

export function createWalletService(deps: WalletDeps) {
  const { engine, assets, quote, store } = deps;
  const { worth, worthOf, priceOf } = createValuer(deps);

  /** Memory may be ahead of the commit for a moment; what is shown waits for it. */
  async function balances(owner: number, wallet: Wallet = Wallet.SPOT): Promise<Balance[]> {
    const read = readWallet(owner, wallet);
    await engine.sequencer.settled();
    return read;
  }

  const readWallet = createWalletReader(deps, worth);
  const profitToday = createProfitReader(deps, worth);
  const money = (units: bigint) => formatAmount(units, quote.scale);
  const totalOf = (wallet: readonly { worth: bigint }[]) => wallet.reduce((sum, balance) => sum + balance.worth, 0n);
  const realised = ({ info, available, held }: Balance) => ({
    worth: worth(info.asset.id, available + held, undefined),
  });

  /** In one moment: what is being moved between wallets is in exactly one of them. */
  async function readAll(owner: number): Promise<ReadonlyMap<WalletName, readonly Balance[]>> {
    const all = new Map(OWNED_WALLETS.map(({ name, number }) => [name, readWallet(owner, number as Wallet)]));
    await engine.sequencer.settled();
    return all;
  }

  return {
    balances,
    /** Of every asset, in all wallets together. */
    async holdings(owner: number): Promise<Holding[]> {
      return together([...(await readAll(owner)).values()]);
    },
    async overview(identity: Identity) {
      const all = await readAll(identity.clientId);
      const profit = await profitToday(identity.clientId, together([...all.values()]));
      const worths = [...all].map(([wallet, balances]) => ({ wallet, worth: totalOf(balances) }));
      return {
        spot: all.get('SPOT')!,
        total: money(totalOf(worths)),
        totals: worths.map(({ wallet, worth: units }) => ({ wallet, total: money(units) })),
        profit: describeProfit(profit, totalOf(all.get('FUTURE')!.map(realised)), money),
      };
    },
    /** What came from outside and what left since a moment, worth in the quote asset then. */
    async movedSince(owner: number, since: number): Promise<{ came: string; left: string }> {
      await engine.projector.caughtUp();
      const ids = assets().map(({ asset }) => asset.id);
      const flows = (await store.flowsSince(owner, ids, since)).filter(({ isGain }) => !isGain);
      const values = flows.map(({ asset, amount, time }) => worth(asset, amount, time));
      const sum = (all: readonly bigint[]) => all.reduce((total, value) => total + value, 0n);
      const [came, left] = [values.filter((value) => value > 0n), values.filter((value) => value < 0n)];
      return { came: money(sum(came)), left: money(-sum(left)) };
    },
    worthOf,
    priceOf,
    assetByCode: (code: string) => assets().find(({ asset }) => asset.code === code.toUpperCase()),
    money,
  };
}

export type WalletService = ReturnType<typeof createWalletService>;
