/** The spot wallet: balances from the exchange's memory, worth at the last price. */

import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import { baseUnits, baseUnitsPerLot, quoteUnitsPerTickLot } from '@cambist/core/money/notional.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import type { Identity } from '../../platform/calls.ts';
import { type Holding, profitSince } from './profit.ts';
import type { TradeSums, WalletStore } from './store.ts';

export interface AssetInfo {
  readonly asset: Asset;
  readonly name: string;
  readonly image: string;
  /** The market that prices it in the quote asset; undefined for the quote asset itself. */
  readonly market: MarketSpec | undefined;
}

/** Prices in ticks; 0 where there is none. */
export interface Prices {
  last(market: number): number;
  at(market: number, time: number): number;
}

export interface WalletDeps {
  readonly engine: Pick<Engine, 'exchange' | 'sequencer' | 'projector'>;
  readonly assets: readonly AssetInfo[];
  readonly quote: Asset;
  readonly prices: Prices;
  readonly store: WalletStore;
  readonly clock: { now(): number };
}

export interface Balance {
  readonly info: AssetInfo;
  readonly available: bigint;
  readonly held: bigint;
  /** Quote units. */
  readonly worth: bigint;
}

const DAY_MS = 86_400_000;

/** Units of a base asset at a price in ticks, as quote units. */
function worthAt(market: MarketSpec, units: bigint, ticks: number): bigint {
  return (units * BigInt(ticks) * quoteUnitsPerTickLot(market)) / baseUnitsPerLot(market);
}

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

export function createWalletService(deps: WalletDeps) {
  const { engine, assets, quote, prices, store, clock } = deps;
  const infoById = new Map(assets.map((info) => [info.asset.id, info]));
  const marketById = new Map(assets.flatMap(({ market }) => (market ? [[market.id, market] as const] : [])));

  function worth(asset: number, units: bigint, time: number | undefined): bigint {
    if (asset === quote.id) return units;
    const market = infoById.get(asset)?.market;
    if (market === undefined) return 0n;
    return worthAt(market, units, time === undefined ? prices.last(market.id) : prices.at(market.id, time));
  }

  /** Memory may be ahead of the commit for a moment; what is shown waits for it. */
  async function balances(owner: number): Promise<Balance[]> {
    const { exchange, sequencer } = engine;
    const read = assets.map((info) => {
      const available = exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, info.asset.id));
      const held = exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.HELD, info.asset.id));
      return { info, available, held, worth: worth(info.asset.id, available + held, undefined) };
    });
    await sequencer.settled();
    return read;
  }

  async function profitToday(owner: number, current: readonly Balance[]) {
    await engine.projector.caughtUp();
    const start = Math.floor(clock.now() / DAY_MS) * DAY_MS;
    const [trades, flows] = await Promise.all([
      store.tradesOfDay(owner, start / DAY_MS),
      store.flowsSince(owner, [...infoById.keys()], start),
    ]);
    const changed = new Map<number, bigint>();
    const add = ({ asset, amount }: { asset: number; amount: bigint }) =>
      changed.set(asset, (changed.get(asset) ?? 0n) + amount);
    for (const sums of trades) {
      const market = marketById.get(sums.market);
      if (market !== undefined) tradeEffects(market, sums).forEach(add);
    }
    flows.forEach(add);
    const holdings: Holding[] = current.map(({ info, available, held }) => {
      const now = available + held;
      return { asset: info.asset.id, now, before: now - (changed.get(info.asset.id) ?? 0n) };
    });
    return profitSince(start, holdings, flows, worth);
  }

  const money = (units: bigint) => formatAmount(units, quote.scale);

  return {
    balances,
    async overview(identity: Identity) {
      const current = await balances(identity.clientId);
      const total = current.reduce((sum, balance) => sum + balance.worth, 0n);
      const profit = await profitToday(identity.clientId, current);
      return {
        total: money(total),
        profit: { value: money(profit.value), percentage: formatAmount(profit.basisPoints, 2) },
      };
    },
    /** What came from outside and what left since a moment, worth in the quote asset then. */
    async movedSince(owner: number, since: number): Promise<{ came: string; left: string }> {
      await engine.projector.caughtUp();
      const flows = await store.flowsSince(owner, [...infoById.keys()], since);
      const values = flows.map(({ asset, amount, time }) => worth(asset, amount, time));
      const sum = (all: readonly bigint[]) => all.reduce((total, value) => total + value, 0n);
      const [came, left] = [values.filter((value) => value > 0n), values.filter((value) => value < 0n)];
      return { came: money(sum(came)), left: money(-sum(left)) };
    },
    assetByCode: (code: string) => assets.find(({ asset }) => asset.code === code.toUpperCase()),
    money,
  };
}

export type WalletService = ReturnType<typeof createWalletService>;
