/** A price from outside, the mark prices that follow it, and the market maker that quotes and trades around it. */

import { randomInt } from 'node:crypto';
import type { MarketPausing } from '@cambist/core/events/event.ts';
import { HOUSE_MAKER } from '@cambist/core/ledger/account.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import { formatTicks } from '@cambist/core/money/price.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { Engine } from '../engine/engine.ts';
import type { Catalogue, MarketInfo } from '../instruments/service.ts';
import type { MarketData } from '../market-data/service.ts';
import { createMarks, type Marks } from './mark-prices.ts';
import {
  type CapitalNotice,
  createAgreedReference,
  createLiquidity,
  createOkxReference,
  createPerpetualReference,
  createSimulatedReference,
  createWorth,
  type PriceSource,
  type Reference,
  type Worth,
} from './service.ts';
import { BAND_PAUSE_MS } from './teller.ts';

const MARK_MS = 1000;
const MINUTE_MS = 60_000;
/** USDT; made up like the rest of the market, so not where money is real. */
const DEVELOPMENT_INSURANCE = 10_000_000;
/** USDT beside the insurance, in production, unless the operator says how much. */
const USUAL_LOSS_LIMIT = 1_000_000;
const MAXIMUM_SEED = 2 ** 31;

interface LiquidityParts {
  readonly catalogue: Catalogue;
  readonly engine: Engine;
  readonly marketData: MarketData;
  readonly alarms: { raise(kind: string, detail: string, now: number): Promise<unknown> };
}

export interface LiquiditySlice extends Slice {
  readonly marks: Marks;
  /** Ticks, with a fraction, of a spot market elsewhere; undefined where and while nothing trustworthy is known. */
  readonly referenceOf: (market: number) => number | undefined;
  readonly worth: Worth;
  /** The reference and the further feeds, each with a freshness of its own; none without a market outside. */
  readonly indexSources: readonly PriceSource[];
}

/** The first is what the market maker quotes around; from all of them the index of perpetuals is made. */
function createSources(
  { config, clock, logger }: Platform,
  { catalogue, engine, marketData }: LiquidityParts,
): readonly (Reference & PriceSource)[] {
  if (config.MARKET === 'none') return [];
  if (config.MARKET === 'simulated') {
    const bandPrice = (market: number) => engine.exchange.bandPrice(market);
    const simulated = createSimulatedReference({
      ...{ catalogue, marketData, bandPrice, clock },
      seed: randomInt(MAXIMUM_SEED),
    });
    const last = (market: number) => {
      const ticks = simulated.price(market);
      return ticks === undefined ? undefined : { ticks, at: clock.now() };
    };
    return [{ ...simulated, name: 'simulated', isFresh: () => true, last }];
  }
  const reference = { restUrl: config.OKX_REST_URL, webSocketUrl: config.OKX_WS_URL };
  return [reference, ...config.INDEX_URLS].map((urls) => ({
    name: new URL(urls.restUrl).host,
    ...createOkxReference({ catalogue, ...urls, clock, logger }),
  }));
}

/** What the operator stands for, in USDT. */
function commitmentsOf({ NODE_ENV, INSURANCE_USDT, LOSS_LIMIT_USDT }: Platform['config']) {
  const isProduction = NODE_ENV === 'production';
  const insured = INSURANCE_USDT ?? (isProduction ? 0 : DEVELOPMENT_INSURANCE);
  const usualLimit = isProduction ? insured + USUAL_LOSS_LIMIT : undefined;
  return { insured: BigInt(insured), lossLimit: LOSS_LIMIT_USDT ?? usualLimit };
}

function textOf(notice: CapitalNotice, codeOf: (asset: number) => string): readonly [kind: string, detail: string] {
  switch (notice.kind) {
    case 'insurance-refilled':
      return [
        'insurance-spent',
        `The insurance of perpetuals in ${codeOf(notice.asset)} had fallen below a quarter of what it is kept at, and was filled up from the capital of the market maker: look for who has won it`,
      ];
    case 'maker-refilled':
      return [
        'maker-spent',
        `The market maker's ${codeOf(notice.asset)} had fallen below a quarter of what it is kept at, and was filled up: clients have it now, so look for who has won or bought it, and whether you hold it for them`,
      ];
    case 'capital-lost':
      return [
        'capital-lost',
        `The market maker and the insurance of perpetuals have lost more than ${notice.usdt} USDT of what was put behind them: look for who has won it, and whether the feeds are right`,
      ];
    case 'loss-limit':
      return [
        'loss-limit',
        `The market maker and the insurance of perpetuals have lost more than the ${notice.usdt} USDT that they may (LOSS_LIMIT_USDT): the market maker has taken its quotes away, and nothing is filled up. Look for who has won it, and whether the feeds are right; start with a higher limit to go on`,
      ];
  }
}

/** What is filled up would be so every ten minutes, for whoever wins it. One alarm of each kind until it is acknowledged. */
function createCapitalAlarm({ clock, logger }: Platform, { engine, alarms }: LiquidityParts) {
  const assetOf = (id: number) => engine.exchange.assets().find((asset) => asset.id === id)!;
  return (notice: CapitalNotice): void => {
    const [kind, detail] = textOf(notice, (asset) => assetOf(asset).code);
    const figures =
      'usdt' in notice
        ? { usdt: notice.usdt }
        : { amount: formatAmount(notice.amount, assetOf(notice.asset).scale), asset: assetOf(notice.asset).code };
    logger.warn({ kind, ...figures }, 'Capital of the exchange was lost');
    alarms.raise(kind, detail, clock.now()).catch((error: unknown) => {
      logger.error({ err: error }, 'The alarm of the capital could not be raised');
    });
  };
}

/** A pause is short: it is told as soon as it begins, with what to look at. */
function watchPauses({ clock, logger }: Platform, { alarms, catalogue, engine }: LiquidityParts): () => void {
  const raise = ({ market, state: { pause, lastPrice } }: MarketPausing) => {
    const spec = catalogue.byId(market)?.spec;
    if (spec === undefined || pause === undefined) return;
    const [last, reference] = [formatTicks(lastPrice, spec), formatTicks(pause.reference, spec)];
    const detail =
      `${spec.symbol} pauses until ${new Date(pause.until).toISOString()}: it was traded at ${last}, the ` +
      `${pause.isAbove ? 'upper' : 'lower'} end of its band around ${reference}. It goes on by itself from there. Compare the price with ` +
      'other markets, and look who traded: halt the pair where it was brought there on purpose';
    logger.warn({ market: spec.symbol, until: pause.until }, 'A market pauses at the end of its price band');
    alarms.raise('market-paused', detail, clock.now()).catch((error: unknown) => {
      logger.error({ err: error }, 'The alarm of a pause could not be raised');
    });
  };
  return engine.sequencer.subscribe(({ events }) => {
    for (const event of events.objects) if (event.kind === 'market-paused') raise(event);
  });
}

/** The band is measured from the reference. Where the price has run past it, nothing is quoted for some minutes. */
function createBandAlarm({ clock, logger }: Platform, { alarms }: LiquidityParts) {
  return ({ spec: { symbol } }: MarketInfo): void => {
    logger.warn({ market: symbol }, 'A market cannot be quoted: its reference has left its price band');
    const detail =
      `The price of ${symbol} elsewhere is further from its reference price here than its price band lets orders be, so that no order at it ` +
      `is taken. Where it stays there for ${BAND_PAUSE_MS / MINUTE_MS} minutes it becomes the reference, and the market maker quotes it: ` +
      'halt the pair if the feeds are wrong; widen its band to go on at once';
    alarms.raise('band-left', detail, clock.now()).catch((error: unknown) => {
      logger.error({ err: error }, 'The alarm of a price band could not be raised');
    });
  };
}

export function createLiquiditySlice(platform: Platform, parts: LiquidityParts): LiquiditySlice {
  const { clock, logger } = platform;
  const { catalogue, engine, marketData } = parts;
  const { exchange, sequencer } = engine;
  const indexSources = createSources(platform, parts);
  const [first, ...further] = indexSources;
  const reference = first && createAgreedReference(first, indexSources);
  const referenceOf = (market: number) =>
    catalogue.byId(market)?.spec.perpetual === undefined ? reference?.price(market) : undefined;
  const marks = createMarks({
    exchange,
    sequencer,
    priceOf: referenceOf,
    logger,
    everyMs: MARK_MS,
  });
  const maker =
    reference &&
    createLiquidity({
      sequencer,
      feed: sequencer,
      view: exchange,
      catalogue,
      marketData,
      reference: createPerpetualReference({
        ...{ reference, catalogue, clock, seed: randomInt(MAXIMUM_SEED) },
        isSimulated: platform.config.MARKET === 'simulated',
      }),
      clock,
      logger,
      seed: randomInt(MAXIMUM_SEED),
      takes: platform.config.MARKET === 'simulated',
      ...commitmentsOf(platform.config),
      onCapital: createCapitalAlarm(platform, parts),
      onBandLeft: createBandAlarm(platform, parts),
    });
  let unwatch: (() => void) | undefined;
  return {
    marks,
    referenceOf,
    worth: createWorth({ ...marketData, catalogue, referenceOf, clock }),
    indexSources,
    figures: [
      {
        name: 'cambist_own_capital_result',
        help: 'What the market maker, the insurance and the fees have won, below zero lost, of what was put behind them',
        label: 'coin',
        read: () => (maker === undefined ? [] : [['USDT', maker.result()] as const]),
      },
    ],
    async start() {
      unwatch = watchPauses(platform, parts);
      // Quotes of a start with a market maker would be met at the prices of then.
      if (maker === undefined && exchange.openOrdersOf(HOUSE_MAKER).length > 0) {
        await sequencer.submit({ kind: 'cancel-all-orders', owner: HOUSE_MAKER, market: undefined });
      }
      // One that does not answer is waited for no longer than the reference is.
      await Promise.all([maker?.start(), ...further.map((source) => source.start())]);
      marks.start();
    },
    async stop() {
      unwatch?.();
      await marks.close();
      await maker?.close();
      for (const source of further) await source.close();
    },
  };
}
