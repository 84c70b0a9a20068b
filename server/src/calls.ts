/** Which calls there are and who serves them. */
import type { FastifyInstance } from 'fastify';
import type { AppDeps, Parts } from './app.ts';
import { serveAlerts } from './exchange/alerts/routes.ts';
import { registerMarketRoutes } from './exchange/instruments/routes.ts';
import { createChartFeed } from './exchange/market-data/chart-feed.ts';
import { registerChartFeedRoutes } from './exchange/market-data/chart-feed-routes.ts';
import { registerOkxRoutes } from './exchange/market-data/okx-routes.ts';
import { registerMarketDataRoutes } from './exchange/market-data/routes.ts';
import { serveTrading } from './exchange/orders/routes.ts';
import { serveConvert } from './funds/convert/routes.ts';
import { serveWallets } from './funds/overview/routes.ts';
import { createAdmission, serveEntries } from './identity/accounts/entry-routes.ts';
import { serveOperatorLinks } from './identity/accounts/operator-routes.ts';
import { serveAccounts } from './identity/accounts/routes.ts';
import { serveProfile } from './identity/profile/routes.ts';
import { serveAccess } from './identity/security/access-routes.ts';
import { serveFactors } from './identity/security/factor-routes.ts';
import { serveSecurity } from './identity/security/routes.ts';
import { serveAdminClients } from './operator/console/client-routes.ts';
import { createAdminClientStore } from './operator/console/client-store.ts';
import { serveAdmin } from './operator/console/routes.ts';
import { serveDevelopment } from './operator/development/routes.ts';
import { serveContent } from './people/content/routes.ts';
import { serveNotifications } from './people/notifications/routes.ts';
import { serveSupport } from './people/support/routes.ts';
import type { CallServer } from './platform/calls.ts';
import { capacityFor } from './platform/capacity.ts';
import { type ConnectionFigures, superviseConnections } from './platform/connections.ts';
import { isReachable } from './platform/database.ts';
import { createHttp } from './platform/http.ts';
import { installObservability } from './platform/observability.ts';
import { createProxies, type Proxies } from './platform/proxies.ts';
import { createCallServer } from './platform/serve.ts';
import { serveWebClient } from './platform/web-client.ts';

/** Calls that carry secrets, a minute and an address. */
const SENSITIVE_PER_MINUTE = 60;

function observe(
  app: FastifyInstance,
  { config, database }: AppDeps,
  { proxies, connections }: { readonly proxies: Proxies; readonly connections: () => ConnectionFigures },
  { engine, reconciler, streams }: Parts,
): void {
  installObservability({
    app,
    isLocal: proxies.isLocal,
    metricsToken: config.METRICS_TOKEN,
    isLimited: config.RATE_LIMIT_PER_MINUTE > 0,
    readiness: {
      async problems() {
        const isThere = engine.sequencer.statistics().available && (await isReachable(database));
        return isThere ? [] : ['The database is away'];
      },
    },
    figures: () => ({
      ...engine.sequencer.statistics(),
      backlog: engine.projector.backlog(),
      openOrders: engine.exchange.openOrderCount(),
      streamConnections: streams.connectionCount(),
      ...connections(),
    }),
    openAlarms: reconciler.openAlarms,
  });
}

function serveClients(calls: CallServer, { clock, database }: AppDeps, parts: Parts): void {
  const { engine, markets, wallets, outbox, alarms } = parts;
  serveAccounts(calls, parts.accounts, parts.originOf);
  serveOperatorLinks(calls, parts.operatorLinks);
  serveEntries(calls, { ...parts, wallets: parts.walletSignIn });
  serveTrading(calls, parts.trading);
  serveConvert(calls, parts.convert);
  serveAlerts(calls, parts.alerts);
  serveNotifications(calls, parts.notifications);
  serveWallets(calls, wallets);
  serveSecurity(calls, parts);
  serveFactors(calls, parts);
  serveAccess(calls, parts);
  serveProfile(calls, { ...parts, smsThrottle: parts.accounts.throttles.send });
  serveAdminClients(calls, { ...parts, store: createAdminClientStore(database), clock });
  serveAdmin(calls, { alarms, engine, markets, clock });
  serveDevelopment(calls, { engine, wallets, outbox, smsOutbox: parts.smsOutbox, tell: parts.notifications.tell });
}

function serveMarkets(calls: CallServer, app: FastifyInstance, { config, clock }: AppDeps, parts: Parts): void {
  const { catalogue, marketData } = parts;
  const platform = {
    market: config.MARKET,
    house_trades: config.MARKET !== 'none',
    development: !config.isProduction,
  };
  registerMarketRoutes({ calls, app, catalogue, markets: parts.pairs, platform });
  registerMarketDataRoutes({ calls, catalogue, marketData });
  registerOkxRoutes({ calls, catalogue, marketData, clock });
  registerChartFeedRoutes({ calls, chartFeed: createChartFeed({ catalogue, marketData, clock }) });
}

/** What a page may know of the settings. */
function siteOf({ config }: AppDeps) {
  const { CHATWOOT_URL: url, CHATWOOT_TOKEN: token } = config;
  return {
    name: config.SITE_NAME,
    operator: config.OPERATOR_NAME ?? null,
    jurisdiction: config.OPERATOR_JURISDICTION ?? null,
    mail: config.SMTP_URL !== undefined,
    chatwoot: url === undefined || token === undefined ? null : { url, token },
  };
}

function serveSite(calls: CallServer, deps: AppDeps, { content, news, accounts, support, desk }: Parts): void {
  const emailOf = async (clientId: number) => (await accounts.person(clientId))?.email;
  serveContent(calls, { content, news, emailOf, site: siteOf(deps) });
  serveSupport(calls, { support, desk });
}

/** The HTTP server with every call, not listening yet. */
export async function createHttpServer(deps: AppDeps, parts: Parts): Promise<FastifyInstance> {
  const { config, logger } = deps;
  const proxies = createProxies(config.TRUST_PROXY);
  const app = await createHttp({
    logger,
    proxies,
    requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    isProduction: config.isProduction,
    publicUrl: config.PUBLIC_URL,
    widgetOrigin: config.CHATWOOT_URL === undefined ? undefined : new URL(config.CHATWOOT_URL).origin,
  });
  const capacity = deps.capacity ?? capacityFor();
  if (capacity === undefined) throw new Error('There is no capacity to serve with');
  const connections = superviseConnections({ app, capacity, proxies, logger });
  observe(app, deps, { proxies, connections }, parts);
  const calls = createCallServer({
    app,
    authenticate: parts.authenticate,
    admit: createAdmission({
      accounts: parts.accounts,
      hasFactor: parts.hasTotp,
      isOperatorTotpRequired: config.operatorTotp === 'required',
    }),
    isDevelopment: !config.isProduction,
    checkAnswers: config.NODE_ENV === 'test',
    sensitivePerMinute: config.RATE_LIMIT_PER_MINUTE > 0 ? SENSITIVE_PER_MINUTE : 0,
  });
  serveClients(calls, deps, parts);
  serveMarkets(calls, app, deps, parts);
  serveSite(calls, deps, parts);
  await serveWebClient(app, config.webDirectory);
  return app;
}
