/** Market data as a slice: books, trades and candles from committed batches, and the calls that read them. */
import { randomInt } from 'node:crypto';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { Engine } from '../engine/engine.ts';
import type { Catalogue } from '../instruments/service.ts';
import { createOkxHistory } from '../liquidity/service.ts';
import { ChartFeed } from './chart-feed.ts';
import { registerChartFeedRoutes } from './chart-feed-routes.ts';
import { registerFiguresRoutes } from './figures-routes.ts';
import { registerOkxRoutes, type TradesBetween } from './okx-routes.ts';
import { registerMarketDataRoutes } from './routes.ts';
import { createMarketData, type MarketData } from './service.ts';
import { createMarketDataStore, type MarketDataStore } from './store.ts';

const MAXIMUM_SEED = 2 ** 31;

export interface MarketDataSlice extends Slice {
  readonly marketData: MarketData;
}

/** From the tables, once they hold what was committed. */
export const tradesBetween =
  ({ projector }: Pick<Engine, 'projector'>, store: Pick<MarketDataStore, 'tradesBetween'>): TradesBetween =>
  async (...range) => {
    await projector.caughtUp();
    return store.tradesBetween(...range);
  };

export async function createMarketDataSlice(
  { config, database, clock, logger }: Platform,
  { engine, catalogue }: { readonly engine: Engine; readonly catalogue: Catalogue },
): Promise<MarketDataSlice> {
  const marketData = createMarketData({
    catalogue,
    view: engine.exchange,
    feed: engine.sequencer,
    store: createMarketDataStore(database.patient),
    clock,
    logger,
    seed: randomInt(MAXIMUM_SEED),
    past:
      config.MARKET === 'okx'
        ? createOkxHistory({ catalogue, restUrl: config.OKX_REST_URL, clock })
        : config.hasSimulatedHistory
          ? 'simulated'
          : undefined,
  });
  await marketData.start();
  return {
    marketData,
    routes(calls) {
      registerMarketDataRoutes({ calls, catalogue, marketData });
      registerFiguresRoutes({ calls, catalogue, marketData, engine });
      const trades = tradesBetween(engine, createMarketDataStore(database));
      registerOkxRoutes({ calls, catalogue, marketData, clock, tradesBetween: trades });
      registerChartFeedRoutes({ calls, chartFeed: new ChartFeed({ catalogue, marketData, clock }) });
    },
    close: () => marketData.close(),
  };
}
