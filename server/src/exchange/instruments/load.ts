/**
 * What is traded, as other slices see it: the exchange's assets and markets with what is shown of them. A new market is
 * a command; this follows it.
 */
import type { MarketKind } from '@cambist/contract/trading.ts';
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import { InvariantError, invariant } from '@cambist/core/invariant.ts';
import { parseAmount } from '@cambist/core/money/amount.ts';
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import { INITIAL_LIMITS } from '@cambist/core/orders/limits.ts';
import type { BatchFeed, Sequencer, Submission } from '../engine/feed.ts';
import { FEE_TIERS } from '../ledger/fee-tiers.ts';
import {
  baseScale,
  type Listing,
  listings,
  MINIMUM_NOTIONAL,
  PRICE_BAND_PPM,
  perpetualListings,
  perpetualSymbol,
  QUOTE,
} from './catalogue.ts';
import { iconPath } from './icons.ts';
import type { PairType } from './pair-type.ts';

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
  /** Ascending by id. */
  readonly assets: readonly Asset[];
  /** Spot markets in the order of listing, without those that are delisted. */
  readonly markets: readonly MarketInfo[];
  /** Perpetual markets, likewise. */
  readonly perpetuals: readonly MarketInfo[];
  /** Both. */
  readonly listed: readonly MarketInfo[];
  assetByCode(code: string): Asset | undefined;
  assetById(id: number): Asset | undefined;
  /** The long name of an asset, `Bitcoin`; its code where nothing better is known. */
  assetName(code: string): string;
  /** Also of a delisted market, whose history stays. */
  byId(id: number): MarketInfo | undefined;
  /**
   * `BTC`, `BTCUSDT`, `BTC-USDT` or `BTC/USDT`, in any case; a perpetual only by `BTC-USDT-SWAP` or `BTCUSDTSWAP`. Not of a
   * delisted market.
   */
  resolvePair(name: string): MarketInfo | undefined;
  /** Every market that has had this name, delisted ones too; for what was traded. */
  everNamed(name: string): readonly number[];
  /** All of a kind, delisted ones too. */
  everOf(kind: MarketKind): readonly number[];
  /** Calls with each market that is listed from now on. */
  onListed(listener: (market: MarketInfo) => void): void;
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

/** Of its coin's spot market: the market maker trades both. */
const PERPETUAL_TURNOVER = 0.25;

/** What is shown of a market: from the listings, or what follows from the market itself. */
function infoOf(spec: MarketSpec): MarketInfo {
  const coin = spec.base.code;
  const listing = listings.find((entry) => entry.code === coin);
  // A price of the file is one in USDT; a market that was listed with fewer decimals may not be able to say it.
  const price = spec.quote.code === QUOTE.code ? parseAmount(listing?.price ?? '0', spec.tickScale) : undefined;
  return {
    spec,
    coin,
    name: listing?.name ?? coin,
    type: listing?.type ?? 'ALT',
    image: iconPath(coin),
    referencePrice: price?.ok ? Number(price.value) : 0,
    dailyTurnover: (listing?.dailyTurnover ?? 0) * (spec.perpetual === undefined ? 1 : PERPETUAL_TURNOVER),
    dailyVolatility: listing?.dailyVolatility ?? 0,
  };
}

const plainName = (name: string) => name.trim().toUpperCase().replace(/[-/]/g, '');
/** `BTCUSDT`; of a perpetual `BTCUSDTSWAP`. */
export const coinPairName = ({ symbol }: MarketSpec): string => plainName(symbol);
/** The coin alone means its spot market. */
const namesOf = ({ coin, spec }: MarketInfo): readonly string[] =>
  spec.perpetual === undefined ? [coinPairName(spec), coin] : [coinPairName(spec)];

type Source = Pick<Exchange, 'assets' | 'markets' | 'marketState'>;

class LiveCatalogue implements Catalogue {
  readonly #source: Source;
  readonly #names: ReadonlyMap<string, string>;
  readonly #listeners: ((market: MarketInfo) => void)[] = [];
  readonly #byId = new Map<number, MarketInfo>();
  readonly #byName = new Map<string, MarketInfo>();
  readonly #byCode = new Map<string, Asset>();
  assets: readonly Asset[] = [];
  markets: readonly MarketInfo[] = [];
  perpetuals: readonly MarketInfo[] = [];
  listed: readonly MarketInfo[] = [];

  constructor(source: Source) {
    this.#source = source;
    const named = listings.map(({ code, name }): [string, string] => [code, name]);
    this.#names = new Map([[QUOTE.code, QUOTE.name], ...named]);
    this.refresh();
  }

  assetByCode(code: string): Asset | undefined {
    return this.#byCode.get(code.toUpperCase());
  }

  assetById(id: number): Asset | undefined {
    return this.assets.find((asset) => asset.id === id);
  }

  assetName(code: string): string {
    return this.#names.get(code) ?? code;
  }

  byId(id: number): MarketInfo | undefined {
    return this.#byId.get(id);
  }

  resolvePair(name: string): MarketInfo | undefined {
    return this.#byName.get(plainName(name));
  }

  everNamed(name: string): readonly number[] {
    const wanted = plainName(name);
    return [...this.#byId.values()].filter((market) => namesOf(market).includes(wanted)).map(({ spec }) => spec.id);
  }

  everOf(kind: MarketKind): readonly number[] {
    const isOf = ({ spec }: MarketInfo) => (spec.perpetual === undefined) === (kind === 'spot');
    return [...this.#byId.values()].filter(isOf).map(({ spec }) => spec.id);
  }

  onListed(listener: (market: MarketInfo) => void): void {
    this.#listeners.push(listener);
  }

  /** Reads all of it again: listings and changes are rare. */
  refresh(): void {
    this.assets = this.#source.assets();
    for (const asset of this.assets) this.#byCode.set(asset.code, asset);
    const infos = this.#source.markets().map(infoOf);
    const listed = infos.filter(({ spec }) => !this.#byId.has(spec.id));
    for (const info of infos) this.#byId.set(info.spec.id, info);
    this.listed = infos.filter(({ spec }) => !this.#source.marketState(spec.id).delisted);
    this.markets = this.listed.filter(({ spec }) => spec.perpetual === undefined);
    this.perpetuals = this.listed.filter(({ spec }) => spec.perpetual !== undefined);
    this.#byName.clear();
    for (const market of this.listed) {
      for (const name of namesOf(market)) if (!this.#byName.has(name)) this.#byName.set(name, market);
    }
    for (const market of listed) for (const listener of this.#listeners) listener(market);
  }
}

/** A catalogue of what an exchange trades at the moment. */
export function catalogueOf(source: Source): Catalogue {
  return new LiveCatalogue(source);
}

type ListMarket = Extract<Submission, { readonly kind: 'list-market' }>;

/** What a coin's spot market and its perpetual have alike. */
function marketTerms(listing: Listing, assets: ReadonlyMap<string, number>): Omit<ListMarket, 'market' | 'symbol'> {
  return {
    kind: 'list-market',
    base: assets.get(listing.code)!,
    quote: assets.get(QUOTE.code)!,
    tickScale: listing.tickScale,
    lotScale: listing.lotScale,
    minimumLots: minimumLots(listing),
    maximumLots: Number(units(listing.maximum, listing.lotScale)),
    minimumNotional: MINIMUM_NOTIONAL,
    priceBandPpm: PRICE_BAND_PPM,
  };
}

/** All markets of the file, spot markets first. */
function filedMarkets(assets: ReadonlyMap<string, number>): Omit<ListMarket, 'market'>[] {
  const spot = listings.map((listing) => ({
    ...marketTerms(listing, assets),
    symbol: `${listing.code}-${QUOTE.code}`,
  }));
  const perpetuals = perpetualListings.map(({ code, terms }) => {
    const listing = listings.find((one) => one.code === code);
    invariant(listing !== undefined, 'the coin of a perpetual is listed', { code });
    return { ...marketTerms(listing, assets), symbol: perpetualSymbol(code), perpetual: terms };
  });
  return [...spot, ...perpetuals];
}

/** Commands that list what the catalogue's file names and the exchange has not listed yet; none on most starts. */
export function listingCommands(source: Source): Submission[] {
  const assets = new Map(source.assets().map((asset) => [asset.code, asset.id]));
  const markets = source.markets();
  const symbols = new Set(markets.map(({ symbol }) => symbol));
  const isNew = markets.length === 0;
  let nextAsset = Math.max(-1, ...assets.values()) + 1;
  const nextMarket = Math.max(-1, ...markets.map(({ id }) => id)) + 1;
  const commands: Submission[] = [];
  if (isNew) {
    commands.push({ kind: 'set-default-fees', ...FEE_TIERS[0] }, { kind: 'set-limits', ...INITIAL_LIMITS });
  }
  for (const { code, scale } of [QUOTE, ...listings.map(({ code }) => ({ code, scale: baseScale(code) }))]) {
    if (assets.has(code)) continue;
    commands.push({ kind: 'list-asset', asset: nextAsset, code, scale });
    assets.set(code, nextAsset);
    nextAsset += 1;
  }
  const missing = filedMarkets(assets).filter(({ symbol }) => !symbols.has(symbol));
  return [...commands, ...missing.map((market, index) => ({ ...market, market: nextMarket + index }))];
}

async function list(sequencer: Sequencer, command: Submission): Promise<void> {
  const { outcome } = await sequencer.submit(command);
  const name = 'symbol' in command ? command.symbol : 'code' in command ? command.code : command.kind;
  if (!outcome.ok) throw new InvariantError('a listing of the catalogue is valid', { name, reason: outcome.reason });
}

/**
 * Lists what is new in the catalogue's file, and follows every listing and change from then on.
 * @param queueLimit how many commands may wait
 * @throws when a listing is refused: the file has a mistake
 */
export async function openCatalogue(
  exchange: Source,
  sequencer: Sequencer & BatchFeed,
  queueLimit: number,
): Promise<Catalogue> {
  const commands = listingCommands(exchange);
  // As many at once as the queue takes, so that they are few batches of the journal.
  for (let start = 0; start < commands.length; start += queueLimit) {
    const some = commands.slice(start, start + queueLimit);
    await Promise.all(some.map((command) => list(sequencer, command)));
  }
  const catalogue = new LiveCatalogue(exchange);
  sequencer.subscribe(({ events }) => {
    if (events.objects.some(({ kind }) => kind === 'asset-listed' || kind === 'market-changed')) catalogue.refresh();
  });
  return catalogue;
}
