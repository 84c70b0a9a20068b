/** Whether the process lives, whether it can take orders, and its figures for Prometheus. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { Refusal } from './calls.ts';
import { sendRefusal } from './http.ts';

export interface Problem {
  readonly text: string;
  /** Whether it keeps the exchange from its work. */
  readonly isFatal: boolean;
}

export interface Readiness {
  /** Empty when everything is well; else what is not. */
  problems(): Promise<readonly Problem[]>;
}

export interface EngineFigures {
  readonly commands: number;
  readonly lastBatch: number;
  readonly queued: number;
  readonly verifiedBatch: number;
  readonly snapshotBatch: number;
  readonly snapshotFailures: number;
  readonly backlog: number;
  readonly openOrders: number;
  readonly streamConnections: number;
  readonly connections: number;
  readonly refusedConnections: number;
}

/** A figure of a slice, with one value for each name of its label. */
export interface LabelledFigure {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly read: () => Iterable<readonly [string, number]>;
}

export interface ObservabilityDeps {
  readonly labelled: readonly LabelledFigure[];
  readonly app: FastifyInstance;
  readonly readiness: Readiness;
  readonly figures: () => EngineFigures;
  readonly openAlarms: () => number;
  readonly isLocal: (request: IncomingMessage) => boolean;
  readonly metricsToken: string | undefined;
  /** Whether requests are limited at all. */
  readonly isLimited: boolean;
}

const LATENCY_BUCKETS_S = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** A gauge that asks when it is read. */
function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

function registerLabelled(registry: Registry, { name, help, label, read }: LabelledFigure): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [value, figure] of read()) this.set({ [label]: value }, figure);
    },
  });
}

function registerEngineFigures(registry: Registry, deps: ObservabilityDeps): void {
  const { figures } = deps;
  gauge(registry, 'cambist_commands_total', 'Commands committed since the start', () => figures().commands);
  gauge(registry, 'cambist_last_batch', 'Number of the last committed batch', () => figures().lastBatch);
  gauge(registry, 'cambist_verified_batch', 'Last batch computed a second time alike', () => figures().verifiedBatch);
  gauge(registry, 'cambist_snapshot_batch', 'Batch of the newest snapshot', () => figures().snapshotBatch);
  gauge(
    registry,
    'cambist_snapshot_failures_total',
    'Failures of the second computation and its snapshots',
    () => figures().snapshotFailures,
  );
  gauge(registry, 'cambist_queue_commands', 'Commands waiting for the sequencer', () => figures().queued);
  gauge(registry, 'cambist_projection_backlog_events', 'Events that the tables are behind', () => figures().backlog);
  gauge(registry, 'cambist_open_orders', 'Orders resting in the books', () => figures().openOrders);
  gauge(registry, 'cambist_stream_connections', 'Open websockets', () => figures().streamConnections);
  gauge(registry, 'cambist_connections', 'Open connections, websockets included', () => figures().connections);
  gauge(
    registry,
    'cambist_connections_refused_total',
    'Connections closed at once because there were too many',
    () => figures().refusedConnections,
  );
  gauge(registry, 'cambist_open_alarms', 'Alarms not acknowledged yet', deps.openAlarms);
}

const WATCHES_PER_MINUTE = 1200;

const notForYou = new Refusal(404, 'NOT_FOUND', 'There is nothing at this address.');

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whoever has the token where one is set; without one only this machine itself, and no request through a proxy on it. */
function mayWatch({ metricsToken, isLocal }: ObservabilityDeps, { headers, raw }: FastifyRequest): boolean {
  if (metricsToken === undefined) return isLocal(raw);
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${metricsToken}`));
}

export function installObservability(deps: ObservabilityDeps): Registry {
  const { app, readiness } = deps;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registerEngineFigures(registry, deps);
  for (const figure of deps.labelled) registerLabelled(registry, figure);
  const latency = new Histogram({
    name: 'cambist_http_seconds',
    help: 'Time to answer, by route and status class',
    labelNames: ['method', 'route', 'status'],
    buckets: LATENCY_BUCKETS_S,
    registers: [registry],
  });
  const refused = new Counter({
    name: 'cambist_http_refused_total',
    help: 'Answers of 429 and 503',
    registers: [registry],
  });
  const observers = new Map<string, ReturnType<typeof latency.labels>>();
  app.addHook('onResponse', (request, reply, done) => {
    done();
    const route = request.routeOptions.url ?? 'none';
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    const name = `${request.method} ${route} ${status}`;
    const known = observers.get(name) ?? latency.labels(request.method, route, status);
    observers.set(name, known);
    known.observe(reply.elapsedTime / 1000);
    if (reply.statusCode === 429 || reply.statusCode === 503) refused.inc();
  });

  // A count of their own: a watcher behind the address of many clients is not refused for them.
  const rateLimit = deps.isLimited ? { max: WATCHES_PER_MINUTE, timeWindow: 60_000 } : (false as const);
  const quiet = { config: { rateLimit }, schema: { hide: true } };
  app.get('/healthz', quiet, () => ({ status: 'ok' }));
  app.get('/readyz', quiet, async (_request, reply) => {
    const problems = await readiness.problems();
    const isReady = !problems.some(({ isFatal }) => isFatal);
    return reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? 'ready' : 'not-ready', problems: problems.map(({ text }) => text) });
  });
  app.get('/metrics', quiet, async (request, reply) => {
    if (!mayWatch(deps, request)) return sendRefusal(reply, notForYou);
    reply.type(registry.contentType);
    return registry.metrics();
  });
  return registry;
}
