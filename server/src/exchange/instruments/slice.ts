/** Pairs, favourites and coins as a slice. */
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { MarketData } from '../market-data/service.ts';
import { registerMarketRoutes } from './routes.ts';
import { type Catalogue, createMarketsService } from './service.ts';
import { createMarketsStore, favoriteTables } from './store.ts';

export function createInstrumentsSlice(
  { config, database, clock }: Platform,
  { catalogue, marketData }: { readonly catalogue: Catalogue; readonly marketData: MarketData },
): Slice {
  const markets = createMarketsService({ catalogue, figures: marketData, store: createMarketsStore(database), clock });
  const platform = {
    market: config.MARKET,
    house_trades: config.MARKET === 'simulated',
    development: !config.isProduction,
  };
  return {
    routes: (calls, app) => registerMarketRoutes({ calls, app, catalogue, markets, platform }),
    personalData: personalDataOf(database, favoriteTables),
  };
}
