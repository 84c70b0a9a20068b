/** Perpetual futures as a slice: positions, their orders and histories, the index that moves them, and what clients are told. */
import { createConsumerStore } from '../../platform/consumer-store.ts';
import type { Job } from '../../platform/jobs.ts';
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { Engine } from '../engine/engine.ts';
import type { Catalogue } from '../instruments/service.ts';
import { type AlarmRaiser, createAlarms } from '../ledger/service.ts';
import type { PriceSource } from '../liquidity/service.ts';
import type { MarketData } from '../market-data/service.ts';
import type { MarketLookup, TradingService } from '../orders/service.ts';
import type { Streams } from '../streams/service.ts';
import { readClosed } from './closed-positions.ts';
import { Closing } from './closing.ts';
import { FuturesForm } from './form.ts';
import { createFundingNotices } from './funding-notices.ts';
import { FuturesHistories } from './histories.ts';
import { serveFuturesHistories } from './history-routes.ts';
import { IndexRunner } from './index-runner.ts';
import { quotesOf } from './index-sources.ts';
import { MarginCalls } from './margin-calls.ts';
import { pushPositions } from './news.ts';
import { createNotices, type Telling } from './notices.ts';
import { servePerpetuals } from './okx-routes.ts';
import { createPositionNotices } from './position-notices.ts';
import { servePublic } from './public-routes.ts';
import { serveRisk } from './risk.ts';
import { serveFutures } from './routes.ts';
import { FuturesService } from './service.ts';
import { createFuturesStore, type FuturesStore, futuresTables } from './store.ts';

const SECOND_MS = 1_000;
const SETTLEMENT = 'USDT';

export interface FuturesParts {
  readonly engine: Engine;
  readonly catalogue: Catalogue;
  readonly markets: MarketLookup;
  readonly marketData: MarketData;
  readonly trading: TradingService;
  readonly streams: Pick<Streams, 'push' | 'note'>;
  readonly alarms: AlarmRaiser;
  readonly notifications: Telling;
  /** What indexes are made from; none without a market outside. */
  readonly indexSources: readonly PriceSource[];
}

export interface FuturesSlice extends Slice {
  readonly futures: FuturesService;
  readonly form: FuturesForm;
}

/** After the transaction that wrote notices and mails: both are on their way at once. */
function announcer({ outbox }: Platform, { notifications }: FuturesParts): Telling['announce'] {
  return async (clientIds) => {
    outbox.wake();
    await notifications.announce(clientIds);
  };
}

/** What runs of its own accord: indexes, and margin calls. */
function createJobs(platform: Platform, parts: FuturesParts, service: FuturesService, store: FuturesStore) {
  const { engine, markets, notifications } = parts;
  const { config, clock } = platform;
  const alarms = createAlarms(platform, parts.alarms);
  const runner = new IndexRunner({ ...parts, alarms, clock });
  const notices = createNotices(platform, notifications);
  const announce = announcer(platform, parts);
  const calls = new MarginCalls({ engine, service, markets, notices, store, announce, clock });
  const warning: Job = { name: 'margin calls', everyMs: SECOND_MS, run: () => calls.run() };
  const pricing: Job = { name: 'indexes of perpetuals', everyMs: SECOND_MS, run: () => runner.run() };
  // Without durability nothing is said that would be forgotten; without other markets no index is lost.
  const jobs = config.DURABILITY === 'commit' ? [warning, ...(config.MARKET === 'none' ? [] : [pricing])] : [];
  return { calls, notices, jobs };
}

function figuresOf(parts: FuturesParts): NonNullable<Slice['figures']> {
  const { engine, catalogue, indexSources } = parts;
  const { exchange } = engine;
  const each = (read: (market: number) => number) =>
    catalogue.perpetuals.map(({ spec }) => [spec.symbol, read(spec.id)] as const);
  return [
    {
      name: 'cambist_perpetual_index_ticks',
      help: 'Index of each perpetual in ticks, 0 while it is lost',
      label: 'market',
      read: () => each((market) => exchange.perpetualState(market).index),
    },
    {
      name: 'cambist_perpetual_open_interest_lots',
      help: 'Lots that are open on each side of a perpetual',
      label: 'market',
      read: () => each((market) => exchange.openInterest(market)),
    },
    {
      name: 'cambist_index_source_fresh',
      help: '1 while a source of indexes is heard, 0 while it is silent and left out',
      label: 'source',
      read: () => indexSources.map(({ name, isFresh }) => [name, isFresh() ? 1 : 0] as const),
    },
    {
      name: 'cambist_index_source_price_ticks',
      help: 'What a source of indexes said last of the coin of a perpetual, in its ticks, believed or not',
      label: 'source_market',
      read: () =>
        catalogue.perpetuals.flatMap(({ spec }) =>
          quotesOf(parts, spec).flatMap(({ source, last }) =>
            last ? [[`${source.name} ${spec.symbol}`, last.ticks] as const] : [],
          ),
        ),
    },
  ];
}

export function createFuturesSlice(platform: Platform, parts: FuturesParts): FuturesSlice {
  const { database, logger, work, clock, sendFile } = platform;
  const { engine, catalogue, markets, trading, streams } = parts;
  const settlement = catalogue.assetByCode(SETTLEMENT);
  if (settlement === undefined) throw new Error(`The catalogue has no ${SETTLEMENT}`);
  const store = createFuturesStore(database);
  const form = new FuturesForm(store);
  const service = new FuturesService({ engine, markets, trading, settlement, clock });
  const closing = new Closing({ futures: service, trading, exchange: engine.exchange, markets });
  const histories = new FuturesHistories({ engine, markets, store, readClosed: readClosed(database) });
  const { calls: marginCalls, notices, jobs } = createJobs(platform, parts, service, store);
  const told = createPositionNotices({
    ...{ store, notices, markets, announce: announcer(platform, parts), logger, work },
    consumers: createConsumerStore(database),
    projected: () => engine.projector.batch(),
  });
  const funding = createFundingNotices({
    ...{ store, notices, markets, streams, announce: announcer(platform, parts), clock, logger, work },
    consumers: createConsumerStore(database),
    projected: () => engine.projector.batch(),
  });
  const stops: (() => void)[] = [];
  return {
    futures: service,
    form,
    routes(calls) {
      serveFutures({ calls, service, closing, store, engine, form, clock });
      servePublic({ calls, catalogue, service, store, engine });
      serveFuturesHistories(calls, histories, sendFile);
      serveRisk({ calls, catalogue, engine, markets, service, form, clock, indexSources: parts.indexSources });
      servePerpetuals({ calls, catalogue, marketData: parts.marketData, engine, store, clock });
    },
    jobs,
    consumers: [...told, funding],
    figures: figuresOf(parts),
    personalData: personalDataOf(database, futuresTables, () => engine.projector.caughtUp()),
    async prepare() {
      await form.load();
      await marginCalls.load();
    },
    start() {
      stops.push(pushPositions({ feed: engine.sequencer, service, streams, logger }));
      stops.push(engine.sequencer.subscribe((batch) => marginCalls.note(batch)));
    },
    stop() {
      for (const stop of stops.splice(0)) stop();
    },
  };
}
