/** The overview of a client's funds as a slice. */
import type { Asset } from '@cambist/core/money/market.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import type { Catalogue } from '../../exchange/instruments/service.ts';
import type { MarketData } from '../../exchange/market-data/service.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { serveWallets } from './routes.ts';
import { type AssetInfo, createWalletService, type WalletService } from './service.ts';
import { createWalletStore } from './store.ts';

export interface OverviewParts {
  readonly engine: Engine;
  readonly catalogue: Catalogue;
  readonly marketData: MarketData;
}

export interface OverviewSlice extends Slice {
  readonly wallets: WalletService;
  /** Whether there is anything in any wallet of a client, held funds included, or a position open. */
  readonly hasFunds: (clientId: number) => boolean;
}

/** What there is to show of each asset, made again when one is listed or a market changes. */
function assetsOf(catalogue: Catalogue, quote: Asset): () => readonly AssetInfo[] {
  let made: { readonly from: Catalogue['markets']; readonly infos: readonly AssetInfo[] } | undefined;
  return () => {
    if (made?.from !== catalogue.markets) {
      const infos = catalogue.assets.map((asset) => ({
        asset,
        name: catalogue.assetName(asset.code),
        image: `/icons/${asset.code.toLowerCase()}.svg`,
        market: asset.id === quote.id ? undefined : catalogue.resolvePair(asset.code + quote.code)?.spec,
      }));
      made = { from: catalogue.markets, infos };
    }
    return made.infos;
  };
}

export function createOverviewSlice(
  { database, clock }: Platform,
  { engine, catalogue, marketData }: OverviewParts,
): OverviewSlice {
  const quote = catalogue.assetByCode('USDT');
  if (quote === undefined) throw new Error('The catalogue has no USDT');
  const wallets = createWalletService({
    engine,
    assets: assetsOf(catalogue, quote),
    marketById: (id) => catalogue.byId(id)?.spec,
    quote,
    prices: {
      last: marketData.lastPrice,
      at: (market, time) => {
        const [bar] = marketData.candles(market, '1m', { before: time + 1, limit: 1 });
        return bar?.close ?? marketData.lastPrice(market);
      },
    },
    store: createWalletStore(database),
    clock,
  });
  const { exchange } = engine;
  return {
    wallets,
    hasFunds: (clientId) =>
      exchange.accountsOf(clientId).some((account) => exchange.balance(account) > 0n) ||
      exchange.positionsOf(clientId).some(({ position }) => position !== undefined),
    routes: (calls) => serveWallets(calls, wallets),
  };
}
