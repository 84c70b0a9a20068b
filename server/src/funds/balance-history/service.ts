/** What a client's coins were worth when each day ended: balances of the ledger at that day's closing prices. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { balanceHistory } from '@cambist/contract/wallets.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import { worthAt } from '../../exchange/liquidity/service.ts';
import type { RunningPacedConsumer } from '../../platform/paced-consumer.ts';
import type { AssetInfo, WalletService } from '../overview/service.ts';
import { closingBalances, dayOf } from './days.ts';
import type { BalanceStore } from './store.ts';

export interface BalanceHistoryDeps {
  readonly store: Pick<BalanceStore, 'between'>;
  readonly consumer: Pick<RunningPacedConsumer, 'caughtUp'>;
  /** Resolves once the tables hold every batch so far. */
  readonly projected: () => Promise<void>;
  readonly wallets: Pick<WalletService, 'holdings'>;
  /** A market's closing prices by day, ticks, of some days in a row; a day before its first price has none. */
  readonly closes: (market: number, first: number, count: number) => ReadonlyMap<number, number>;
  readonly money: Asset;
  readonly clock: { now(): number };
}

type Answer = AnswerOf<typeof balanceHistory>;

const DAY_MS = 86_400_000;

/** A coin's worth at the end of each day, in money units; undefined where it was held and had no price. */
type Worths = readonly (bigint | undefined)[];

interface Coin {
  readonly code: string;
  readonly worths: Worths;
}

export function createBalanceHistoryService(deps: BalanceHistoryDeps) {
  const { store, consumer, projected, wallets, closes, money, clock } = deps;

  /** @param market undefined for money itself */
  function worthsOf(market: MarketSpec | undefined, balances: readonly bigint[], first: number): Worths {
    if (market === undefined) return balances;
    if (balances.every((balance) => balance === 0n)) return balances;
    const prices = closes(market.id, first, balances.length);
    return balances.map((balance, index) => {
      if (balance === 0n) return 0n;
      const ticks = prices.get(first + index);
      return ticks === undefined ? undefined : worthAt(market, balance, ticks);
    });
  }

  /** Coins of which something was held on one of the days; a coin that has no market has no worths. */
  async function coinsOf(owner: number, infos: readonly AssetInfo[], first: number, count: number) {
    const assets = infos.map(({ asset }) => asset.id);
    const rows = Map.groupBy(await store.between(owner, assets, first, first + count - 1), ({ asset }) => asset);
    return infos.flatMap(({ asset, market }) => {
      const own = rows.get(asset.id);
      if (own === undefined) return [];
      const balances = closingBalances(own, first, count);
      if (balances.every((balance) => balance === 0n)) return [];
      const hasPrice = asset.id === money.id || market !== undefined;
      return [{ code: asset.code, worths: hasPrice ? worthsOf(market, balances, first) : undefined }];
    });
  }

  function pointOf(coins: readonly Coin[], index: number, day: number): Answer['points'][number] {
    const time = day * DAY_MS;
    const unpriced = coins.filter(({ worths }) => worths[index] === undefined).map(({ code }) => code);
    if (unpriced.length > 0) return { time, value: null, unpriced };
    const total = coins.reduce((sum, { worths }) => sum + worths[index]!, 0n);
    return { time, value: formatAmount(total, money.scale), unpriced };
  }

  return {
    /** @param count of days before the current one */
    async of(owner: number, count: number): Promise<Answer> {
      // First of all: whatever moved on a day that is over by now is in the rows that are read then.
      const today = dayOf(clock.now());
      await projected();
      if (!(await consumer.caughtUp())) return { complete: false, points: [], left_out: [] };
      const holdings = await wallets.holdings(owner);
      const first = today - count;
      const found = await coinsOf(
        owner,
        holdings.map(({ info }) => info),
        first,
        count,
      );
      const coins = found.filter((coin): coin is Coin => coin.worths !== undefined);
      const past = Array.from({ length: count }, (_, index) => pointOf(coins, index, first + index));
      const total = holdings.reduce((sum, { worth }) => sum + worth, 0n);
      const now = { time: today * DAY_MS, value: formatAmount(total, money.scale), unpriced: [] };
      const isLeftOut = ({ info, units }: (typeof holdings)[number]) =>
        units > 0n && info.asset.id !== money.id && info.market === undefined;
      const left = [
        ...holdings.filter(isLeftOut).map(({ info }) => info.asset.code),
        ...found.filter(({ worths }) => worths === undefined).map(({ code }) => code),
      ];
      return { complete: true, points: [...past, now], left_out: [...new Set(left)] };
    },
  };
}

export type BalanceHistoryService = ReturnType<typeof createBalanceHistoryService>;
