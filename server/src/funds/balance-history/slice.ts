/** Balances at the end of each day, as a slice. */
import { balanceHistory } from '@cambist/contract/wallets.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import type { Catalogue } from '../../exchange/instruments/service.ts';
import type { MovementStore } from '../../exchange/ledger/service.ts';
import type { MarketData } from '../../exchange/market-data/service.ts';
import type { MarketLookup, TradeStore } from '../../exchange/orders/service.ts';
import { createConsumerStore } from '../../platform/consumer-store.ts';
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { WalletService } from '../overview/service.ts';
import { dayOf } from './days.ts';
import { createBalanceHistoryService } from './service.ts';
import { balanceTables, createBalanceStore, createFollower } from './store.ts';

const DAY_MS = 86_400_000;

export interface BalanceHistoryParts {
  readonly engine: Engine;
  readonly catalogue: Catalogue;
  readonly markets: MarketLookup;
  readonly marketData: MarketData;
  readonly trades: TradeStore;
  readonly movements: MovementStore;
  readonly wallets: WalletService;
}

/** The closes of the exchange's own daily candles. */
function closesOf(marketData: MarketData) {
  return (market: number, first: number, count: number): ReadonlyMap<number, number> => {
    const range = { from: first * DAY_MS, before: (first + count) * DAY_MS, limit: count };
    return new Map(marketData.candles(market, '1D', range).map(({ time, close }) => [dayOf(time), close]));
  };
}

export function createBalanceHistorySlice(platform: Platform, parts: BalanceHistoryParts): Slice {
  const { database, logger, work, clock } = platform;
  const { engine, catalogue, markets, marketData, trades, movements, wallets } = parts;
  const money = catalogue.assetByCode('USDT');
  if (money === undefined) throw new Error('The catalogue has no USDT');
  const store = createBalanceStore(database);
  const consumer = createFollower(store, {
    ...{ trades, movements },
    marketById: markets.byId,
    consumers: { store: createConsumerStore(database), logger, work },
    projected: () => engine.projector.batch(),
  });
  const projected = () => engine.projector.caughtUp();
  const closes = closesOf(marketData);
  const service = createBalanceHistoryService({ store, consumer, projected, wallets, closes, money, clock });
  const caughtUp = async () => {
    await projected();
    await consumer.caughtUp();
  };
  return {
    routes: (calls) => calls.serve(balanceHistory, ({ identity, query }) => service.of(identity.clientId, query.days)),
    consumers: [consumer],
    personalData: personalDataOf(database, balanceTables, caughtUp),
  };
}
