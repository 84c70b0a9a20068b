/** Perpetuals in the OKX v5 shape, beside what spot markets have too: marks, indexes, funding, open interest, limits and tiers. */
import * as okx from '@cambist/contract/okx.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import { highestInBand, lowestInBand } from '@cambist/core/money/market.ts';
import { formatTicks } from '@cambist/core/money/price.ts';
import type { CallServer } from '../../platform/calls.ts';
import type { Engine } from '../engine/engine.ts';
import type { Catalogue } from '../instruments/service.ts';
import {
  fundingRateRow,
  indexRow,
  markPriceRow,
  openInterestRow,
  rateOf,
  underlyingOf,
} from '../market-data/okx-format.ts';
import {
  type Answer,
  isOfFamily,
  ok,
  okxServer,
  type Query,
  refuse,
  spanOf,
  unknownInstrument,
  whole,
} from '../market-data/okx-routes.ts';
import { decimalText, type MarketData, type PerpetualFigures } from '../market-data/service.ts';
import { isPerpetual, type PerpetualMarket } from './service.ts';
import type { FuturesStore } from './store.ts';

interface Deps {
  readonly calls: CallServer;
  readonly catalogue: Catalogue;
  readonly marketData: Pick<MarketData, 'perpetual'>;
  readonly engine: Pick<Engine, 'projector'>;
  readonly store: Pick<FuturesStore, 'settlements'>;
  readonly clock: { now(): number };
}

/** Decimals of a rate in parts per million. */
const PPM_DECIMALS = 6;
const MOST_RATES = 400;

class PerpetualAnswers {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Rows of one instrument, or of all where none is named. */
  each(query: Query, row: (market: PerpetualMarket, figures: PerpetualFigures) => unknown): Answer {
    if (query.instType && query.instType !== 'SWAP') return ok([]);
    const ofFamily = this.#markets().filter((market) => isOfFamily(market, query));
    const named = ofFamily.filter(({ symbol }) => !query.instId || symbol === query.instId);
    if (query.instId && query.instId !== 'ANY' && named.length === 0) return unknownInstrument();
    const markets = query.instId === 'ANY' ? ofFamily : named;
    return ok(this.#rows(markets, row));
  }

  /** An index has the name of the coin's spot market. */
  indexes({ instId, quoteCcy }: Query): Answer {
    if (!instId && !quoteCcy) return refuse('50014', 'Parameter instId and quoteCcy can not be both empty');
    const markets = this.#markets().filter(
      (market) => (!instId || underlyingOf(market) === instId) && (!quoteCcy || market.quote.code === quoteCcy),
    );
    return markets.length === 0 ? unknownInstrument() : ok(this.#rows(markets, indexRow));
  }

  /** `after` asks for what was settled before that time, `before` for what was settled after it; newest first. */
  async rates(query: Query): Promise<Answer> {
    const market = this.#find(query);
    if ('code' in market) return market;
    const limit = whole(query.limit, MOST_RATES, MOST_RATES);
    if (limit === undefined) return refuse('51000', 'Parameter limit error');
    const span = spanOf(query);
    if ('code' in span) return span;
    const { newerThan = 0, olderThan = Number.MAX_SAFE_INTEGER } = span;
    const { engine, store } = this.#deps;
    await engine.projector.caughtUp();
    const rows = await store.settlements(market.id, olderThan, newerThan, limit);
    return ok(
      rows.map(({ time, rate }) => ({
        ...{ instType: 'SWAP', instId: market.symbol, method: 'current_period', formulaType: 'noRate' },
        ...{ fundingRate: rateOf(rate), realizedRate: rateOf(rate), fundingTime: String(time) },
      })),
    );
  }

  limits(query: Query): Answer {
    const market = this.#find(query);
    if ('code' in market) return market;
    const mark = this.#deps.marketData.perpetual(market.id)?.mark ?? 0;
    const { priceBandPpm } = market;
    const isLimited = mark > 0 && priceBandPpm > 0;
    return ok([
      {
        ...{ instType: 'SWAP', instId: market.symbol, ts: String(this.#deps.clock.now()), enabled: isLimited },
        buyLmt: isLimited ? formatTicks(highestInBand(mark, priceBandPpm), market) : '',
        sellLmt: isLimited ? formatTicks(lowestInBand(mark, priceBandPpm), market) : '',
      },
    ]);
  }

  /** What OKX states in contracts is a value here: tiers are by value. */
  tiers(query: Query): Answer {
    const { instType, instId } = query;
    if (!instType) return refuse('50014', 'Parameter instType can not be empty');
    if (instType !== 'SWAP') return ok([]);
    const isWanted = (market: PerpetualMarket) => (!instId || market.symbol === instId) && isOfFamily(market, query);
    return ok(this.#markets().filter(isWanted).flatMap(tierRows));
  }

  #rows(
    markets: readonly PerpetualMarket[],
    row: (market: PerpetualMarket, figures: PerpetualFigures) => unknown,
  ): unknown[] {
    return markets.flatMap((market) => {
      const figures = this.#deps.marketData.perpetual(market.id);
      return figures === undefined ? [] : [row(market, figures)];
    });
  }

  #markets(): readonly PerpetualMarket[] {
    return this.#deps.catalogue.perpetuals.map(({ spec }) => spec).filter(isPerpetual);
  }

  #find({ instId }: Query): PerpetualMarket | Answer {
    if (!instId) return refuse('50014', 'Parameter instId can not be empty');
    return this.#markets().find(({ symbol }) => symbol === instId) ?? unknownInstrument();
  }
}

function tierRows(market: PerpetualMarket): Record<string, string>[] {
  const { tiers } = market.perpetual;
  const value = (units: bigint) => formatAmount(units, market.quote.scale);
  const underlying = underlyingOf(market);
  return tiers.map(({ maximumNotional, maximumLeverage, maintenancePpm }, place) => ({
    ...{ instType: 'SWAP', instId: market.symbol, uly: underlying, instFamily: underlying, tier: String(place + 1) },
    ...{ minSz: value(tiers[place - 1]?.maximumNotional ?? 0n), maxSz: value(maximumNotional) },
    mmr: decimalText(maintenancePpm, PPM_DECIMALS),
    imr: decimalText(Math.ceil(1_000_000 / maximumLeverage), PPM_DECIMALS),
    maxLever: String(maximumLeverage),
    ...{ optMgnFactor: '0', quoteMaxLoan: '', baseMaxLoan: '' },
  }));
}

export function servePerpetuals(deps: Deps): void {
  const answers = new PerpetualAnswers(deps);
  const serve = okxServer(deps.calls);
  serve(okx.markPrice, (query) => answers.each(query, markPriceRow));
  serve(okx.indexTickers, (query) => answers.indexes(query));
  serve(okx.fundingRate, (query) => answers.each(query, fundingRateRow));
  serve(okx.fundingRateHistory, (query) => answers.rates(query));
  serve(okx.openInterest, (query) => answers.each(query, openInterestRow));
  serve(okx.priceLimit, (query) => answers.limits(query));
  serve(okx.positionTiers, (query) => answers.tiers(query));
}
