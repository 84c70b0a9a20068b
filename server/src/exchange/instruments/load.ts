/** The catalogue as the database knows it: ids given once, limits refreshed at every start. */
import { invariant } from '@cambist/core/invariant.ts';
import { parseAmount } from '@cambist/core/money/amount.ts';
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import { validateMarket } from '@cambist/core/money/validate-market.ts';
import type { Database } from '../../platform/database.ts';
import { baseScale, type Listing, listings, MINIMUM_NOTIONAL, PRICE_BAND_PPM, QUOTE } from './catalogue.ts';
import { iconPath } from './icons.ts';
import type { PairType } from './pair-type.ts';
import { createMarketsStore, type MarketsStore, type NewMarket } from './store.ts';

export interface MarketInfo {
  readonly spec: MarketSpec;
  /** `BTC` */
  readonly coin: string;
  readonly name: string;
  readonly type: PairType;
  /** Path of the icon on this server. */
  readonly image: string;
  /** Ticks. */
  readonly referencePrice: number;
  readonly dailyTurnover: number;
  readonly dailyVolatility: number;
}

export interface Catalogue {
  readonly assets: readonly Asset[];
  readonly specs: readonly MarketSpec[];
  /** By market id. */
  readonly markets: readonly MarketInfo[];
  assetByCode(code: string): Asset | undefined;
  /** The long name of an asset, `Bitcoin`; its code where nothing better is known. */
  assetName(code: string): string;
  /** `BTC`, `BTCUSDT`, `BTC-USDT` or `BTC/USDT`, in any case. */
  resolvePair(name: string): MarketInfo | undefined;
}

function units(text: string, scale: number): bigint {
  const parsed = parseAmount(text, scale);
  invariant(parsed.ok, 'a number of the catalogue can be read', { text, scale });
  return parsed.value;
}

/** About one USDT of coins, as a power of ten of lots; the smallest notional is checked beside it. */
function minimumLots(listing: Listing): number {
  const lotsPerUsdt = 10n ** BigInt(listing.lotScale + listing.tickScale) / units(listing.price, listing.tickScale);
  return Math.max(1, 10 ** (lotsPerUsdt.toString().length - 1));
}

function newMarket(listing: Listing, base: Asset, quote: Asset): NewMarket {
  return {
    symbol: `${listing.code}-${QUOTE.code}`,
    base: base.id,
    quote: quote.id,
    tickScale: listing.tickScale,
    lotScale: listing.lotScale,
    minimumLots: minimumLots(listing),
    maximumLots: Number(units(listing.maximum, listing.lotScale)),
    minimumNotional: MINIMUM_NOTIONAL,
    priceBandPpm: PRICE_BAND_PPM,
  };
}

async function upsertAssets(store: MarketsStore): Promise<Map<string, Asset>> {
  const known = new Map((await store.assets()).map((asset) => [asset.code, asset]));
  const wanted = [QUOTE, ...listings.map(({ code }) => ({ code, scale: baseScale(code) }))];
  const added: Asset[] = [];
  let nextId = Math.max(-1, ...[...known.values()].map((asset) => asset.id)) + 1;
  for (const { code, scale } of wanted) {
    if (known.has(code)) continue;
    const asset = { id: nextId, code, scale };
    nextId += 1;
    known.set(code, asset);
    added.push(asset);
  }
  if (added.length > 0) await store.addAssets(added);
  return known;
}

async function upsertMarkets(store: MarketsStore, assets: ReadonlyMap<string, Asset>): Promise<MarketSpec[]> {
  const byId = new Map([...assets.values()].map((asset) => [asset.id, asset]));
  const known = await store.markets(byId);
  const ids = new Map(known.map((spec) => [spec.symbol, spec.id]));
  let nextId = known.length;
  const rows = listings.map((listing) => {
    const row = newMarket(listing, assets.get(listing.code)!, assets.get(QUOTE.code)!);
    const id = ids.get(row.symbol) ?? nextId++;
    return { ...row, id };
  });
  await store.upsertMarkets(rows);
  return store.markets(byId);
}

function infoOf(spec: MarketSpec): MarketInfo {
  const listing = listings.find((entry) => entry.code === spec.base.code);
  invariant(listing !== undefined, 'a market of the database is in the catalogue', { symbol: spec.symbol });
  return {
    spec,
    coin: listing.code,
    name: listing.name,
    type: listing.type,
    image: iconPath(listing.code),
    referencePrice: Number(units(listing.price, spec.tickScale)),
    dailyTurnover: listing.dailyTurnover,
    dailyVolatility: listing.dailyVolatility,
  };
}

export function catalogueOf(specs: readonly MarketSpec[], assets: readonly Asset[]): Catalogue {
  const markets = specs.map(infoOf);
  const byCode = new Map(assets.map((asset) => [asset.code, asset]));
  const names = new Map<string, string>([
    [QUOTE.code, QUOTE.name],
    ...listings.map(({ code, name }): [string, string] => [code, name]),
  ]);
  const byName = new Map<string, MarketInfo>();
  for (const market of markets) {
    byName.set(market.coin, market);
    byName.set(market.coin + market.spec.quote.code, market);
  }
  return {
    assets,
    specs,
    markets,
    assetByCode: (code) => byCode.get(code.toUpperCase()),
    assetName: (code) => names.get(code) ?? code,
    resolvePair: (name) => byName.get(name.trim().toUpperCase().replace(/[-/]/, '')),
  };
}

/**
 * Writes what is new in the catalogue and answers all of it. Ids are dense and stable for the life of the database.
 *
 * @throws when a market breaks a rule of the core
 */
export async function loadMarkets(database: Database): Promise<Catalogue> {
  const store = createMarketsStore(database);
  const assets = await upsertAssets(store);
  const specs = await upsertMarkets(store, assets);
  for (const spec of specs) {
    const problems = validateMarket(spec);
    invariant(problems.length === 0, `${spec.symbol}: ${problems.join(', ')}`);
  }
  return catalogueOf(
    specs,
    [...assets.values()].sort((a, b) => a.id - b.id),
  );
}
