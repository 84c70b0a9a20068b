import type { EventLog } from '../events/event-log.ts';
import { InvariantError } from '../invariant.ts';
import { isClient } from '../ledger/account.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import { isFee } from '../ledger/fee.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Margins } from '../margin/margins.ts';
import { PerpetualSettlement } from '../margin/perpetual-settlement.ts';
import { MAXIMUM_OPEN_ORDERS, type OrderPool } from '../matching/order-pool.ts';
import type { Asset, MarketSpec } from '../money/market.ts';
import { maximumTicks } from '../money/notional.ts';
import { MAXIMUM_INT32 } from '../money/price.ts';
import { assetProblems } from '../money/validate-market.ts';
import { INITIAL_LIMITS } from '../orders/limits.ts';
import { MarketBook } from '../orders/market-book.ts';
import { OK, type Outcome, refused } from '../terms/outcome.ts';
import { BAND_FROM_REFERENCE, LAST_PRICE_IS_TOLD, NEWEST_RULES } from '../terms/rules.ts';
import type {
  AnnounceDelisting,
  ChangeMarket,
  DelistMarket,
  HaltMarket,
  ListAsset,
  ListMarket,
  OrderLimits,
  SetDefaultFees,
  SetFees,
  SetLimits,
  SetReferencePrice,
} from './commands.ts';
import type { MarketIds } from './market-ids.ts';
import { marketProblems } from './market-problems.ts';
import type { Delisting, MarketState } from './market-state.ts';

/** Untriggered orders of one market, at most: one price may trigger them all. */
const MOST_UNTRIGGERED = 100_000;

/** What is traded and on which terms: assets, markets, default fees and limits. */
export class Instruments {
  readonly #pool: OrderPool;
  readonly #accounts: AccountTable;
  readonly #ledger: Ledger;
  readonly #margins: Margins;
  readonly #log: EventLog;
  readonly #ids: MarketIds;
  readonly #assets = new Map<number, Asset>();
  readonly #byId: (MarketBook | undefined)[] = [];
  /** By index. */
  readonly books: MarketBook[] = [];
  limits: OrderLimits = INITIAL_LIMITS;
  #rules: number = NEWEST_RULES;

  constructor(
    ids: MarketIds,
    pool: OrderPool,
    accounts: AccountTable,
    ledger: Ledger,
    margins: Margins,
    log: EventLog,
  ) {
    this.#margins = margins;
    this.#ids = ids;
    this.#pool = pool;
    this.#accounts = accounts;
    this.#ledger = ledger;
    this.#log = log;
  }

  /** The version under which commands are applied. */
  get rules(): number {
    return this.#rules;
  }

  set rules(version: number) {
    if (version === this.#rules) return;
    this.#rules = version;
    for (const market of this.books) market.follow(version);
  }

  /** Ascending by id. */
  get assets(): readonly Asset[] {
    return [...this.#assets.values()].sort((left, right) => left.id - right.id);
  }

  hasAsset(id: number): boolean {
    return this.#assets.has(id);
  }

  /** A market by its id; undefined for one that was never listed. */
  find(id: number): MarketBook | undefined {
    return this.#byId[id];
  }

  /** For queries and recovery, where an unknown market is the caller's mistake. */
  market(id: number): MarketBook {
    const market = this.#byId[id];
    if (market === undefined) throw new InvariantError('a market is known', { market: id });
    return market;
  }

  listAsset({ asset: id, code, scale }: ListAsset): Outcome {
    const asset: Asset = { id, code, scale };
    if (this.#assets.has(id) || this.assets.some((other) => other.code === code)) return refused('DUPLICATE_ID');
    if (assetProblems(asset).length > 0) return refused('INVALID_MARKET');
    this.restoreAsset(asset);
    this.#log.object({ kind: 'asset-listed', asset });
    return OK;
  }

  listMarket(command: ListMarket): Outcome {
    const { kind: _kind, market: id, base, quote, ...terms } = command;
    const isKnown = this.#byId[id] !== undefined || this.books.some(({ spec }) => spec.symbol === command.symbol);
    if (isKnown) return refused('DUPLICATE_ID');
    const [baseAsset, quoteAsset] = [this.#assets.get(base), this.#assets.get(quote)];
    if (baseAsset === undefined || quoteAsset === undefined) return refused('UNKNOWN_ASSET');
    const spec: MarketSpec = { id, ...terms, base: baseAsset, quote: quoteAsset };
    if (marketProblems(spec).length > 0) return refused('INVALID_MARKET');
    this.#changed(this.#add(spec));
    return OK;
  }

  /** Refused when an order rests at a price that the new limits do not allow. */
  /** @param twaps that are open there */
  changeMarket(command: ChangeMarket, twaps: number): Outcome {
    const market = this.#byId[command.market];
    if (market === undefined) return refused('UNKNOWN_MARKET');
    if (market.delisted) return refused('MARKET_DELISTED');
    const { minimumLots, maximumLots, minimumNotional, priceBandPpm } = command;
    const limits = { minimumLots, maximumLots, minimumNotional, priceBandPpm };
    const { perpetual = market.spec.perpetual } = command;
    const spec = { ...market.spec, ...limits, perpetual };
    // A spot market never becomes a perpetual.
    const isOther = (market.spec.perpetual === undefined) !== (perpetual === undefined);
    if (isOther || marketProblems(spec).length > 0) return refused('INVALID_MARKET');
    // What open orders have reserved for their fee is released by the same fee.
    if ((market.hasResting || twaps > 0) && perpetual?.takerPpm !== market.spec.perpetual?.takerPpm)
      return refused('MARKET_NOT_EMPTY');
    const isTooHigh = Math.max(market.lastPrice, market.book.ladder.below(MAXIMUM_INT32)) > maximumTicks(spec);
    if (isTooHigh) return refused('INVALID_PRICE');
    market.setLimits(limits);
    if (perpetual !== undefined) {
      market.setPerpetual(perpetual);
      this.#margins.termsChanged(market.index);
    }
    this.#changed(market);
    return OK;
  }

  halt({ market: id, halted }: HaltMarket): Outcome {
    const market = this.#byId[id];
    if (market === undefined) return refused('UNKNOWN_MARKET');
    if (market.delisted) return refused('MARKET_DELISTED');
    market.halted = halted;
    this.#changed(market);
    if (!halted && !market.isPaused) market.lastWatch?.restart();
    return OK;
  }

  announceDelisting({ market: id, delisting }: AnnounceDelisting): Outcome {
    const market = this.#byId[id];
    if (market === undefined) return refused('UNKNOWN_MARKET');
    if (market.delisted) return refused('MARKET_DELISTED');
    if (delisting !== undefined && !isDelisting(delisting, this.#log.time)) return refused('INVALID_SCHEDULE');
    market.delisting = delisting;
    this.#changed(market);
    return OK;
  }

  /** @param untriggered how many conditional orders and TWAPs the market has */
  delist({ market: id }: DelistMarket, untriggered: number): Outcome {
    const market = this.#byId[id];
    if (market === undefined) return refused('UNKNOWN_MARKET');
    if (market.delisted) return refused('MARKET_DELISTED');
    const hasPositions = market.perpetual !== undefined && market.perpetual.openLots > 0;
    if (market.hasResting || untriggered > 0 || hasPositions || !market.halted) return refused('MARKET_NOT_EMPTY');
    market.delisted = true;
    this.#changed(market);
    return OK;
  }

  setReferencePrice(command: SetReferencePrice): Outcome {
    const { market: id, price, triggersNothing = false, isReferenceOnly = false } = command;
    const market = this.#byId[id];
    if (market === undefined) return refused('UNKNOWN_MARKET');
    if (market.traded && this.rules < LAST_PRICE_IS_TOLD) return refused('ALREADY_TRADED');
    if (market.traded && market.halted) return refused('MARKET_HALTED');
    if (!isWithin(price, 1, market.maximumTicks)) return refused('INVALID_PRICE');
    const isFirst = market.lastPrice === 0;
    if (isReferenceOnly) return this.#tellReference(market, price);
    market.lastPrice = price;
    market.tellReference(price);
    if (isFirst || this.rules < LAST_PRICE_IS_TOLD) this.#changed(market);
    else this.#log.object({ kind: 'reference-price-set', market: id, price, ...referenceOf(market) });
    const triggers = this.rules >= LAST_PRICE_IS_TOLD && !market.halted && !market.isPaused && !triggersNothing;
    if (triggers) market.lastWatch?.observe(price);
    else market.lastWatch?.note(price);
    return OK;
  }

  /** The last price stays what was traded. */
  #tellReference(market: MarketBook, price: number): Outcome {
    if (this.rules < BAND_FROM_REFERENCE || market.perpetual !== undefined) return refused('INVALID_MARKET');
    if (market.lastPrice === 0) return refused('NO_PRICE');
    market.tellReference(price);
    const { reference, referenceAt } = market;
    this.#log.object({ kind: 'reference-told', market: market.spec.id, price, reference, referenceAt });
    if (!market.halted && !market.isPaused) market.lastWatch?.observe(market.lastPrice);
    return OK;
  }

  setFees({ owner, makerPpm, takerPpm }: SetFees): Outcome {
    if (!isClient(owner)) return refused('ACCOUNT_LIMIT');
    if (!isFee(makerPpm) || !isFee(takerPpm)) return refused('INVALID_FEE');
    this.#accounts.setFees(this.#accounts.owner(owner), makerPpm, takerPpm);
    this.#log.object({ kind: 'fees-set', owner, makerPpm, takerPpm });
    return OK;
  }

  setDefaultFees({ makerPpm, takerPpm }: SetDefaultFees): Outcome {
    if (!isFee(makerPpm) || !isFee(takerPpm)) return refused('INVALID_FEE');
    this.#accounts.setDefaultFees(makerPpm, takerPpm);
    this.#log.object({ kind: 'default-fees-set', makerPpm, takerPpm });
    return OK;
  }

  setLimits(command: SetLimits): Outcome {
    const { maximumOpenOrdersPerOwner, maximumUntriggeredOrdersPerOwner, maximumUntriggeredOrdersPerMarket } = command;
    const isValid =
      isWithin(maximumOpenOrdersPerOwner, 0, MAXIMUM_OPEN_ORDERS) &&
      isWithin(maximumUntriggeredOrdersPerOwner, 0, MOST_UNTRIGGERED) &&
      isWithin(maximumUntriggeredOrdersPerMarket, 0, MOST_UNTRIGGERED);
    if (!isValid) return refused('INVALID_QUANTITY');
    this.limits = { maximumOpenOrdersPerOwner, maximumUntriggeredOrdersPerOwner, maximumUntriggeredOrdersPerMarket };
    this.#log.object({ kind: 'limits-set', limits: this.limits });
    return OK;
  }

  /** A market changed otherwise, such as its mark price. */
  restoreAsset(asset: Asset): void {
    this.#assets.set(asset.id, asset);
  }

  restoreMarket(spec: MarketSpec, state: MarketState): void {
    const [problem] = marketProblems(spec);
    if (problem !== undefined) throw new InvariantError('a market is valid', { symbol: spec.symbol, problem });
    this.#add(spec).restore(state);
  }

  #add(spec: MarketSpec): MarketBook {
    const index = this.#ids.add(spec.id);
    const perpetual = this.#perpetual(spec, index);
    const settlement = perpetual ?? this.#ledger.spotSettlement(spec);
    const market = new MarketBook(spec, index, this.#pool, settlement, this.#log, perpetual);
    market.follow(this.#rules);
    this.books.push(market);
    this.#byId[spec.id] = market;
    return market;
  }

  #perpetual(spec: MarketSpec, index: number): PerpetualSettlement | undefined {
    const { perpetual } = spec;
    if (perpetual === undefined) return undefined;
    return new PerpetualSettlement({ ...spec, perpetual }, index, this.#ledger, this.#accounts, this.#margins);
  }

  #changed(market: MarketBook): void {
    this.#log.object({ kind: 'market-changed', market: market.spec, state: market.state });
  }
}

/** What an event says of a market's reference; nothing under rules that have none. */
const referenceOf = ({ reference, referenceAt }: MarketBook) => (reference === 0 ? {} : { reference, referenceAt });

/** Whether a market may end then: in time for its clients to close. */
const isDelisting = ({ closeOnlyAt, endsAt }: Delisting, time: number): boolean =>
  isWithin(endsAt, time + 1, Number.MAX_SAFE_INTEGER) && isWithin(closeOnlyAt, 0, endsAt);

function isWithin(value: number, low: number, high: number): boolean {
  return Number.isInteger(value) && value >= low && value <= high;
}
