/** A whole exchange for tests of market data: database, engine, market data and HTTP, on a free port. */

import { issue } from '@cambist/core/ledger/issue.ts';
import type { Side } from '@cambist/core/terms/order-terms.ts';
import { pino } from 'pino';
import { anyKind, openMigrated, type TestDatabase } from '../../../test/databases.ts';
import type { Identity } from '../../platform/calls.ts';
import type { Database } from '../../platform/database.ts';
import { createHttp } from '../../platform/http.ts';
import { Moments } from '../../platform/moments.ts';
import { createProxies } from '../../platform/proxies.ts';
import { createCallServer } from '../../platform/serve.ts';
import { startEngine } from '../engine/engine.ts';
import { registerMarketRoutes } from '../instruments/routes.ts';
import { createMarketsService, openCatalogue } from '../instruments/service.ts';
import { createMarketsStore } from '../instruments/store.ts';
import { exchangeProjections } from '../projections.ts';
import { ChartFeed } from './chart-feed.ts';
import { registerChartFeedRoutes } from './chart-feed-routes.ts';
import { registerFiguresRoutes } from './figures-routes.ts';
import { registerOkxRoutes } from './okx-routes.ts';
import { registerMarketDataRoutes } from './routes.ts';
import { createMarketData } from './service.ts';
import { tradesBetween } from './slice.ts';
import { createMarketDataStore } from './store.ts';

const LIMITS = { batch: 2000, backlog: 500_000, queue: 20_000, unavailableMs: 10_000 };
const logger = pino({ level: 'silent' });
const SEED = 11;

/** Token `client-1000` belongs to client 1000. */
export const authenticate = (token: string): Identity | undefined => {
  const clientId = Number(/^client-(\d+)$/.exec(token)?.[1] ?? 0);
  return clientId === 0 ? undefined : { clientId, sessionId: clientId, role: 'client' };
};

/** For streams of such clients, whom nothing ends or stops. */
export const openAuthority = {
  authenticate,
  blockOf: () => undefined,
  onEnd: () => () => undefined,
  onState: () => () => undefined,
};

/** For streams on which no orders are placed. */
export const noOrders = { isOpen: () => false, cancelOrders: async () => [] };

interface Clock {
  now(): number;
}

/** @param past what candles show before the start; a simulated past costs most of the CPU time of a start */
export async function startTestExchange(clock: Clock = Date, past?: 'simulated') {
  const { database, source } = await openMigrated(anyKind);
  return startOn(database, source, clock, past);
}

export async function startOn(database: Database, source: TestDatabase, clock: Clock, past?: 'simulated') {
  const engine = await startEngine({
    parts: exchangeProjections,
    database,
    clock,
    logger,
    limits: LIMITS,
    directory: '',
    isFollowed: false,
    gatherMs: 1,
    onFatal: (error) => {
      throw error;
    },
  });
  const catalogue = await openCatalogue(engine.exchange, engine.sequencer, LIMITS.queue);
  // Other tables name the markets that were just listed.
  await engine.projector.caughtUp();
  const marketData = createMarketData({
    catalogue,
    view: engine.exchange,
    feed: engine.sequencer,
    store: createMarketDataStore(database),
    clock,
    logger,
    seed: SEED,
    past,
  });
  await marketData.start();
  const http = await createHttp({ logger, proxies: createProxies(0), requestsPerMinute: 0, isProduction: false });
  const calls = createCallServer({
    app: http,
    moments: new Moments(),
    authenticate,
    stepUp: async (_identity, purpose, act) => ({ purpose, act, needs: [], second_factors: [] }),
    audit: { record: async () => undefined },
    clock: Date,
    isDevelopment: true,
    checkAnswers: true,
    sensitivePerMinute: 0,
  });
  const store = createMarketsStore(database);
  const markets = createMarketsService({ catalogue, figures: marketData, store, clock });
  registerMarketRoutes({
    calls,
    app: http,
    catalogue,
    markets,
    platform: { market: 'none', house_trades: false, development: true },
  });
  registerMarketDataRoutes({ calls, catalogue, marketData });
  registerFiguresRoutes({ calls, catalogue, marketData, engine });
  registerOkxRoutes({
    ...{ calls, catalogue, marketData, clock },
    tradesBetween: tradesBetween(engine, createMarketDataStore(database)),
  });
  registerChartFeedRoutes({ calls, chartFeed: new ChartFeed({ catalogue, marketData, clock }) });
  const submit = engine.sequencer.submit.bind(engine.sequencer);

  return {
    catalogue,
    engine,
    marketData,
    http,
    logger,
    clock,
    database,
    source,

    /** Funds an owner in one coin, by its code; whole smallest units. */
    fund: (owner: number, code: string, amount: bigint) =>
      submit(issue('development-credit', owner, catalogue.assetByCode(code)!.id, amount)),

    /** A limit order that must be accepted. @returns its id */
    async place(owner: number, market: number, side: Side, price: number, quantity: number): Promise<number> {
      const { outcome, id } = await submit({
        kind: 'place-order',
        owner,
        market,
        side,
        type: 'limit',
        timeInForce: 'GTC',
        price,
        quantity,
        quoteTotal: 0n,
        selfTrade: 'CANCEL_NEWEST',
      });
      if (!outcome.ok) throw new Error(`refused: ${outcome.reason}`);
      return id;
    },

    get: async (path: string, token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return (await http.inject({ method: 'GET', url: path, headers })).json();
    },

    async listen(): Promise<string> {
      await http.listen({ port: 0, host: '127.0.0.1' });
      const address = http.server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      return `127.0.0.1:${address.port}`;
    },

    async stop(): Promise<void> {
      await http.close();
      await marketData.close();
      await engine.close();
      await database.close();
    },
  };
}

export type TestExchange = Awaited<ReturnType<typeof startTestExchange>>;
