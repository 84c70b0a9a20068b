/** The wiring, by hand: what exists, what it is given, in which order it starts and ends. `calls.ts` says who serves what. */
import { randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { createHttpServer } from './calls.ts';
import type { Config } from './config.ts';
import { type Alerts, createAlertStore, createAlerts } from './exchange/alerts/service.ts';
import { type Engine, startEngine } from './exchange/engine/engine.ts';
import { type Catalogue, createMarketsService, loadMarkets } from './exchange/instruments/service.ts';
import { createMarketsStore } from './exchange/instruments/store.ts';
import { createReconciler, type Reconciler } from './exchange/ledger/reconciler.ts';
import { createReconcilerStore } from './exchange/ledger/reconciler-store.ts';
import { createMarks } from './exchange/liquidity/mark-prices.ts';
import {
  createLiquidity,
  createOkxHistory,
  createOkxReference,
  createSimulatedReference,
  type Liquidity,
  type Reference,
} from './exchange/liquidity/service.ts';
import { createMarketData, type MarketData } from './exchange/market-data/service.ts';
import { createMarketDataStore } from './exchange/market-data/store.ts';
import { createOrderStore, type OrderStore } from './exchange/orders/order-store.ts';
import { createTradingService, FEE_TIERS, type MarketLookup } from './exchange/orders/service.ts';
import { createStreamStore, createStreams, type StreamAuthority, type Streams } from './exchange/streams/service.ts';
import { createConvertService } from './funds/convert/service.ts';
import { createWalletService, type WalletService } from './funds/overview/service.ts';
import { createWalletStore } from './funds/overview/store.ts';
import type { AccountService } from './identity/accounts/service.ts';
import { createIdentity, createProtection, type IdentityParts, type Protection } from './identity/identity.ts';
import type { Security } from './identity/security/service.ts';
import {
  createContentService,
  createContentStore,
  createNewsService,
  createNewsStore,
  type NewsService,
} from './people/content/service.ts';
import { createNotificationStore, createNotifications, type Notifications } from './people/notifications/service.ts';
import { createDesk } from './people/support/desk.ts';
import { createInboxStore } from './people/support/inbox-store.ts';
import { createSupport, type Support } from './people/support/service.ts';
import { createSupportStore } from './people/support/store.ts';
import type { Capacity } from './platform/capacity.ts';
import type { Database } from './platform/database.ts';
import { type Job, startJobs } from './platform/jobs.ts';
import type { Logger } from './platform/logger.ts';
import { migrate } from './platform/migrations.ts';
import { createProxies } from './platform/proxies.ts';

export interface AppDeps {
  readonly config: Config;
  readonly database: Database;
  readonly logger: Logger;
  readonly clock: { now(): number };
  /** What the system lets the process hold; without it, as if there were no limit. */
  readonly capacity?: Capacity;
  /** Called once memory and store can't be brought together again: the process must end. */
  readonly onFatal: (error: Error) => void;
}

export interface App {
  readonly http: FastifyInstance;
  readonly engine: Engine;
  readonly accounts: AccountService;
  readonly security: Security;
  readonly reconciler: Reconciler;
  readonly wallets: WalletService;
  readonly news: NewsService;
  readonly support: Support;
  readonly alerts: Alerts;
  readonly notifications: Notifications;
  close(): Promise<void>;
}

const GATHER_MS = 50;
const MARK_MS = 1000;
const LIMITS = { batch: 2000, backlog: 500_000 };
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EXPORT_MS = 10_000;
const RETRY_MS = 2_000;
/** How long what the operator command ended may go on in a running server. */
const REVOKE_MS = 1000;
const NEWS_MS = 15 * 60_000;
const MAXIMUM_SEED = 2 ** 31;

/** The exchange itself: books, balances and market data, back from the store. */
async function startExchange(deps: AppDeps) {
  const { config, database, logger, clock } = deps;
  await migrate(database.patient);
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
  const marketData = createMarketData({
    catalogue,
    view: engine.exchange,
    feed: engine.sequencer,
    store: createMarketDataStore(database.patient),
    clock,
    logger,
    seed: randomInt(MAXIMUM_SEED),
    ...(config.MARKET === 'okx'
      ? { externalHistory: createOkxHistory({ catalogue, restUrl: config.OKX_REST_URL, logger }) }
      : {}),
  });
  await marketData.start();
  const markets: MarketLookup = {
    resolve: (name) => catalogue.resolvePair(name)?.spec,
    byId: (id) => catalogue.specs[id] as (typeof catalogue.specs)[number],
  };
  const parts = { catalogue, engine, marketData, markets };
  return { ...parts, ...createPrices(deps, parts) };
}

interface ExchangeParts {
  readonly catalogue: Catalogue;
  readonly engine: Engine;
  readonly marketData: MarketData;
}

/** A price from outside, made or an exchange's, and what waits for it; nobody knows one where nobody quotes. */
function createPrices({ config, clock, logger }: AppDeps, { catalogue, engine, marketData }: ExchangeParts) {
  const urls = { restUrl: config.OKX_REST_URL, webSocketUrl: config.OKX_WS_URL };
  const references: Record<Config['MARKET'], () => Reference | undefined> = {
    none: () => undefined,
    okx: () => createOkxReference({ catalogue, ...urls, clock, logger }),
    simulated: () => createSimulatedReference({ catalogue, marketData, clock, seed: randomInt(MAXIMUM_SEED) }),
  };
  const reference = references[config.MARKET]();
  const { exchange, sequencer } = engine;
  const priceOf = (market: number) => reference?.price(market);
  return { reference, marks: createMarks({ exchange, sequencer, priceOf, logger, everyMs: MARK_MS }) };
}

/** The house that quotes and trades around the reference price. */
function createHouse({ clock, logger }: AppDeps, exchange: Exchange): Liquidity | undefined {
  const { catalogue, engine, marketData, reference } = exchange;
  if (reference === undefined) return undefined;
  return createLiquidity({
    sequencer: engine.sequencer,
    feed: engine.sequencer,
    view: engine.exchange,
    catalogue,
    marketData,
    reference,
    clock,
    logger,
    seed: randomInt(MAXIMUM_SEED),
    takes: true,
  });
}

/** The fee tier that an operator gave a client; 0 for rates that are no tier's. */
function tierReader(store: OrderStore): (clientId: number) => Promise<number> {
  return async (clientId) => {
    const fees = await store.feesOf(clientId);
    const tier = FEE_TIERS.findIndex(
      ({ makerPpm, takerPpm }) => makerPpm === fees?.makerPpm && takerPpm === fees.takerPpm,
    );
    return Math.max(0, tier);
  };
}

/** What the operator writes, and news from elsewhere. */
async function createContent({ config, database, clock, logger }: AppDeps) {
  const facts = { operator: config.OPERATOR_NAME, jurisdiction: config.OPERATOR_JURISDICTION };
  const content = await createContentService({ store: createContentStore(database), facts, clock });
  const store = createNewsStore(database);
  return { content, news: await createNewsService({ content, store, feeds: config.NEWS_RSS, clock, logger }) };
}

/** The support thread, for customers and for the desk. */
function createSupportParts(
  deps: AppDeps,
  { accounts, mailer }: IdentityParts,
  streams: Streams,
  { tell }: Notifications,
) {
  const { config, database, clock, logger } = deps;
  const shared = {
    store: createSupportStore(database),
    mailer,
    person: accounts.person,
    notify: (clientId: number, messages: readonly unknown[]) => streams.push(clientId, 'support', messages),
    siteName: config.SITE_NAME,
    clock,
    logger,
  };
  return { support: createSupport(shared), desk: createDesk({ ...shared, tell, inbox: createInboxStore(database) }) };
}

function createNotificationParts({ database, clock }: AppDeps, streams: Streams): Notifications {
  return createNotifications({
    store: createNotificationStore(database),
    push: (clientId, news) => streams.push(clientId, 'notifications', [news]),
    clock,
  });
}

/** Price alerts, fired by the trades. */
function createAlertParts(
  { config, database, clock, logger }: AppDeps,
  { markets, marketData }: Exchange,
  { mailer }: IdentityParts,
  streams: Streams,
): Alerts {
  return createAlerts({
    store: createAlertStore(database),
    feed: marketData,
    markets,
    lastPrice: marketData.lastPrice,
    notify: (clientId, alerts) => streams.push(clientId, 'alerts', alerts),
    mailer,
    siteName: config.SITE_NAME,
    clock,
    logger,
  });
}

/** What is kept no longer than it is needed. */
function housekeeping({ config, clock }: AppDeps, engine: Engine, parts: Parts): Job[] {
  const { accounts, security, operatorLinks } = parts;
  const ago = (ms: number) => clock.now() - ms;
  return [
    { name: 'prune journal', everyMs: HOUR_MS, run: () => engine.journal.prune(ago(config.JOURNAL_HOURS * HOUR_MS)) },
    { name: 'forget idempotency keys', everyMs: HOUR_MS, run: () => engine.idempotency.forgetBefore(ago(DAY_MS)) },
    { name: 'end old sessions and codes', everyMs: HOUR_MS, run: accounts.deleteExpired },
    { name: 'gather exports', everyMs: EXPORT_MS, run: security.privacy.gatherWaiting },
    { name: 'delete accounts', everyMs: HOUR_MS, run: security.privacy.deleteDue },
    { name: 'carry out revocations', everyMs: REVOKE_MS, run: operatorLinks.carryOut },
    { name: 'note last uses', everyMs: MINUTE_MS, run: accounts.sessions.flushUses },
    { name: 'note last uses of keys', everyMs: MINUTE_MS, run: security.keys.flushUses },
    { name: 'finish endings of sessions', everyMs: RETRY_MS, run: accounts.sessions.finishEndings },
    { name: 'finish endings of keys', everyMs: RETRY_MS, run: security.keys.finishEndings },
  ];
}

type Exchange = Awaited<ReturnType<typeof startExchange>>;

function createWallets({ database, clock }: AppDeps, { engine, catalogue, marketData }: Exchange) {
  const quote = catalogue.assetByCode('USDT');
  if (quote === undefined) throw new Error('The catalogue has no USDT');
  return createWalletService({
    engine,
    assets: catalogue.assets.map((asset) => ({
      asset,
      name: catalogue.assetName(asset.code),
      image: `/icons/${asset.code.toLowerCase()}.svg`,
      market: asset.id === quote.id ? undefined : catalogue.resolvePair(asset.code)?.spec,
    })),
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
}

/** Sockets obey the same as calls. */
function streamAuthority({ accounts }: IdentityParts, { security, authenticate }: Protection): StreamAuthority {
  const { sessions, states } = accounts;
  return {
    authenticate,
    blockOf: states.blockOf,
    onState: states.onState,
    onEnd(listener) {
      const stops = [sessions.onEnd(listener), security.keys.onEnd(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** Everything that answers, before anybody asks. */
async function createParts(deps: AppDeps) {
  const { config, database, logger, clock } = deps;
  const exchange = await startExchange(deps);
  const { catalogue, engine, marketData, markets, marks } = exchange;
  const orders = createOrderStore(database);
  const known = { ...deps, tierOf: tierReader(orders) };
  const identity = await createIdentity(known);
  const wallets = createWallets(deps, exchange);
  const { exchange: memory } = engine;
  const hasFunds = (owner: number) => memory.accountsOf(owner).some((account) => memory.balance(account) > 0n);
  const protection = createProtection({ ...known, identity, wallets, hasFunds });
  const password = identity.accounts;
  const trading = createTradingService({ engine, markets, store: orders, password, marks });
  const alarms = createReconcilerStore(database.patient);
  const streams = createStreams({
    catalogue,
    marketData,
    feed: engine.sequencer,
    view: engine.exchange,
    store: createStreamStore(database, catalogue.specs),
    authority: streamAuthority(identity, protection),
    clock,
    logger,
    addressOf: createProxies(config.TRUST_PROXY).addressOf,
  });
  const notifications = createNotificationParts(deps, streams);
  return {
    ...exchange,
    ...identity,
    ...protection,
    ...(await createContent(deps)),
    alarms,
    wallets,
    trading,
    convert: createConvertService({
      markets,
      exchange: memory,
      trading,
      password,
      referenceOf: (market) => exchange.reference?.price(market),
      lastPrice: marketData.lastPrice,
      clock,
    }),
    pairs: createMarketsService({ catalogue, figures: marketData, store: createMarketsStore(database), clock }),
    reconciler: createReconciler({
      store: alarms,
      markets: catalogue.specs,
      logger,
      clock,
      everyMs: config.RECONCILE_SECONDS * 1000,
      quiesced: engine.projector.quiesced,
    }),
    streams,
    notifications,
    ...createSupportParts(deps, identity, streams, notifications),
    alerts: createAlertParts(deps, exchange, identity, streams),
  };
}

export type Parts = Awaited<ReturnType<typeof createParts>>;

export async function createApp(deps: AppDeps): Promise<App> {
  const parts = await createParts(deps);
  const { engine, accounts, wallets, reconciler, streams, marketData, mailer, marks } = parts;
  // Before anything answers.
  await parts.operatorLinks.carryOut();
  const http = await createHttpServer(deps, parts);
  streams.attach(http.server);
  reconciler.start();
  const jobs = startJobs(
    [
      ...housekeeping(deps, engine, parts),
      { name: 'forget settled support', everyMs: DAY_MS, run: parts.support.forgetOld },
      { name: 'mail alerts', everyMs: MINUTE_MS, run: parts.alerts.sendMails },
      { name: 'forget old notifications', everyMs: DAY_MS, run: parts.notifications.forgetOld },
      { name: 'forget old alerts', everyMs: HOUR_MS, run: parts.alerts.forgetOld },
      { name: 'import news', everyMs: NEWS_MS, atStart: true, run: parts.news.importAll },
    ],
    deps.logger,
  );
  await parts.alerts.start();
  const house = createHouse(deps, parts);
  await house?.start();
  marks.start();

  return {
    http,
    engine,
    accounts,
    security: parts.security,
    reconciler,
    wallets,
    news: parts.news,
    support: parts.support,
    alerts: parts.alerts,
    notifications: parts.notifications,
    /** Those who ask first, those who answer after them, the store last. */
    async close() {
      await marks.close();
      await house?.close();
      await streams.close();
      await http.close();
      await reconciler.close();
      parts.news.close();
      await jobs.close();
      await engine.close();
      await parts.alerts.close();
      await marketData.close();
      await accounts.post.close();
      mailer.close();
      await deps.database.close();
    },
  };
}
