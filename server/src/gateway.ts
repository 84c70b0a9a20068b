/** The HTTP server with every call of the slices, not listening yet. */
import type { FastifyInstance } from 'fastify';
import type { ClockSlice } from './exchange/engine/clock-slice.ts';
import type { Engine } from './exchange/engine/engine.ts';
import type { SnapshotFigures } from './exchange/engine/snapshots.ts';
import type { Reconciler } from './exchange/ledger/reconciler.ts';
import type { Streams } from './exchange/streams/service.ts';
import { createAdmission } from './identity/accounts/entry-routes.ts';
import type { AccountsSlice } from './identity/accounts/slice.ts';
import type { SecuritySlice } from './identity/security/slice.ts';
import type { AuditLog } from './platform/audit-log.ts';
import { capacityFor } from './platform/capacity.ts';
import { type ConnectionFigures, superviseConnections } from './platform/connections.ts';
import { isReachable } from './platform/database.ts';
import { createHttp } from './platform/http.ts';
import { installObservability } from './platform/observability.ts';
import { createCallServer } from './platform/serve.ts';
import type { Platform, Slice } from './platform/slice.ts';
import { serveWebClient } from './platform/web-client.ts';

/** Calls that carry secrets, a minute and an address. */
const SENSITIVE_PER_MINUTE = 60;

export interface GatewayParts {
  readonly engine: Engine;
  readonly snapshotFigures: () => SnapshotFigures;
  readonly reconciler: Reconciler;
  readonly clockProblems: ClockSlice['clockProblems'];
  readonly streams: Streams;
  readonly identity: Pick<AccountsSlice, 'accounts' | 'hasTotp'> & Pick<SecuritySlice, 'security' | 'authenticate'>;
  readonly audit: AuditLog;
  readonly slices: readonly Slice[];
}

function observe(
  app: FastifyInstance,
  { config, database, proxies }: Platform,
  connections: () => ConnectionFigures,
  { engine, snapshotFigures, reconciler, clockProblems, streams, slices }: GatewayParts,
): void {
  installObservability({
    app,
    isLocal: proxies.isLocal,
    metricsToken: config.METRICS_TOKEN,
    isLimited: config.RATE_LIMIT_PER_MINUTE > 0,
    readiness: {
      async problems() {
        const isThere = engine.sequencer.statistics().available && (await isReachable(database));
        const ofClock = clockProblems().map(({ text, standsStill }) => ({ text, isFatal: standsStill }));
        return isThere ? ofClock : [{ text: 'The database is away', isFatal: true }, ...ofClock];
      },
    },
    figures: () => ({
      ...engine.sequencer.statistics(),
      ...snapshotFigures(),
      backlog: engine.projector.backlog(),
      openOrders: engine.exchange.openOrderCount(),
      streamConnections: streams.connectionCount(),
      ...connections(),
    }),
    openAlarms: () => reconciler.openAlarms(),
    labelled: slices.flatMap(({ figures = [] }) => figures),
  });
}

export async function createGateway(platform: Platform, parts: GatewayParts): Promise<FastifyInstance> {
  const { config, logger, proxies } = platform;
  const { accounts, hasTotp, security, authenticate } = parts.identity;
  const http = await createHttp({
    logger,
    proxies,
    requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    isProduction: config.isProduction,
    publicUrl: config.PUBLIC_URL,
    widgetOrigin: config.CHATWOOT_URL === undefined ? undefined : new URL(config.CHATWOOT_URL).origin,
  });
  const capacity = platform.capacity ?? capacityFor();
  if (capacity === undefined) throw new Error('There is no capacity to serve with');
  const connections = superviseConnections({ app: http, capacity, proxies, logger });
  observe(http, platform, connections, parts);
  const calls = createCallServer({
    app: http,
    moments: platform.moments,
    authenticate,
    admit: createAdmission({
      accounts,
      hasFactor: hasTotp,
      isOperatorTotpRequired: config.operatorTotp === 'required',
    }),
    stepUp: security.stepUp.authority,
    audit: parts.audit,
    clock: platform.clock,
    isDevelopment: !config.isProduction,
    checkAnswers: config.NODE_ENV === 'test',
    sensitivePerMinute: config.RATE_LIMIT_PER_MINUTE > 0 ? SENSITIVE_PER_MINUTE : 0,
  });
  for (const slice of parts.slices) slice.routes?.(calls, http);
  await serveWebClient(http, config.webDirectory);
  return http;
}
