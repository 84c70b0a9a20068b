/** The whole wiring, by hand, on one screen: what exists, what it is given, in which order it starts and ends. */
import { DEFAULT_MAKER_PPM, DEFAULT_TAKER_PPM } from '@cambist/core/ledger/fee.ts';
import type { FastifyInstance } from 'fastify';
import { createCodes } from './accounts/codes.ts';
import { serveAccounts } from './accounts/routes.ts';
import { type AccountService, createAccountService } from './accounts/service.ts';
import { createSessions } from './accounts/sessions.ts';
import { createAccountStore } from './accounts/store.ts';
import { serveAdmin } from './admin/routes.ts';
import type { Config } from './config.ts';
import { serveDevelopment } from './development/routes.ts';
import { createOutbox, createSmtpMailer } from './mail/service.ts';
import { loadMarkets } from './markets/service.ts';
import type { Database } from './platform/database.ts';
import { createHttp } from './platform/http.ts';
import type { Logger } from './platform/logger.ts';
import { migrate } from './platform/migrations.ts';
import { installObservability } from './platform/observability.ts';
import { createCallServer } from './platform/serve.ts';
import { serveWebClient } from './platform/web-client.ts';
import { type Engine, startEngine } from './trading/engine.ts';
import { createOrderStore } from './trading/order-store.ts';
import { createReconciler, type Reconciler } from './trading/reconciler.ts';
import { createReconcilerStore } from './trading/reconciler-store.ts';
import { serveTrading } from './trading/routes.ts';
import { createTradingService } from './trading/service.ts';
import { serveWallets } from './wallets/routes.ts';
import { createWalletService } from './wallets/service.ts';
import { createWalletStore } from './wallets/store.ts';

export interface AppDeps {
  readonly config: Config;
  readonly database: Database;
  readonly logger: Logger;
  readonly clock: { now(): number };
  /** Called once memory and store can't be brought together again: the process must end. */
  readonly onFatal: (error: Error) => void;
}

export interface App {
  readonly http: FastifyInstance;
  readonly engine: Engine;
  readonly accounts: AccountService;
  readonly reconciler: Reconciler;
  close(): Promise<void>;
}

const GATHER_MS = 50;
const LIMITS = { batch: 2000, backlog: 500_000 };
const SENSITIVE_PER_MINUTE = 60;
const DAY_MS = 86_400_000;

export async function createApp(deps: AppDeps): Promise<App> {
  const { config, database, logger, clock } = deps;
  await migrate(database);
  const catalogue = await loadMarkets(database);
  const engine = await startEngine({
    database,
    markets: catalogue.specs,
    clock,
    logger,
    limits: { ...LIMITS, queue: config.QUEUE_LIMIT, unavailableMs: config.UNAVAILABLE_SECONDS * 1000 },
    gatherMs: GATHER_MS,
    isDurable: config.DURABILITY === 'commit',
    onFatal: deps.onFatal,
  });

  const outbox = config.SMTP_URL === undefined ? createOutbox(clock) : undefined;
  const mailer = outbox ?? createSmtpMailer(config.SMTP_URL ?? '', config.MAIL_FROM);
  const accountStore = createAccountStore(database);
  const sessions = createSessions({ store: accountStore, clock, lifetimeMs: config.SESSION_DAYS * DAY_MS });
  const codes = createCodes({ store: accountStore, mailer, clock });
  const accounts = createAccountService({ store: accountStore, codes, sessions, clock });
  const markets = {
    resolve: (name: string) => catalogue.resolvePair(name)?.spec,
    byId: (id: number) => catalogue.specs[id] as (typeof catalogue.specs)[number],
  };
  const trading = createTradingService({ engine, markets, store: createOrderStore(database), password: accounts });
  const quote = catalogue.assetByCode('USDT');
  if (quote === undefined) throw new Error('The catalogue has no USDT');
  const wallets = createWalletService({
    engine,
    assets: catalogue.assets.map((asset) => ({
      asset,
      name: catalogue.assetName(asset.code),
      image: `/icons/${asset.code.toLowerCase()}.svg`,
      market: asset.id === quote.id ? undefined : catalogue.resolvePair(asset.code)?.spec,
    })),
    quote,
    prices: {
      last: (market) => engine.exchange.marketState(market).lastPrice,
      at: (market) => engine.exchange.marketState(market).lastPrice,
    },
    store: createWalletStore(database),
    clock,
  });

  const reconcilerStore = createReconcilerStore(database);
  const reconciler = createReconciler({
    store: reconcilerStore,
    markets: catalogue.specs,
    logger,
    clock,
    everyMs: config.RECONCILE_SECONDS * 1000,
    quiesced: engine.projector.quiesced,
  });

  const http = await createHttp({
    logger,
    trustProxy: config.TRUST_PROXY,
    requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    isProduction: config.isProduction,
  });
  installObservability({
    app: http,
    readiness: { problems: () => (engine.sequencer.statistics().available ? [] : ['The database is away']) },
    figures: () => ({
      ...engine.sequencer.statistics(),
      backlog: engine.projector.backlog(),
      openOrders: engine.exchange.openOrderCount(),
    }),
    openAlarms: reconciler.openAlarms,
  });
  const calls = createCallServer({
    app: http,
    authenticate: sessions.authenticate,
    isDevelopment: !config.isProduction,
    checkAnswers: config.NODE_ENV === 'test',
    sensitivePerMinute: config.RATE_LIMIT_PER_MINUTE > 0 ? SENSITIVE_PER_MINUTE : 0,
  });
  serveAccounts(calls, accounts);
  serveTrading(calls, trading, { makerPpm: DEFAULT_MAKER_PPM, takerPpm: DEFAULT_TAKER_PPM });
  serveWallets(calls, wallets);
  serveAdmin(calls, { alarms: reconcilerStore, engine, markets, clock });
  serveDevelopment(calls, { engine, wallets, outbox });
  await serveWebClient(http, config.webDirectory);
  reconciler.start();

  return {
    http,
    engine,
    accounts,
    reconciler,
    async close() {
      await http.close();
      await reconciler.close();
      await engine.close();
      mailer.close();
      await database.close();
    },
  };
}
