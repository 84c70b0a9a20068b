/** Fastify with everything that every call shares: limits, headers, ids, logs, and one shape for each refusal. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problem } from '@cambist/contract/problem.ts';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Refusal } from './calls.ts';
import type { Logger } from './logger.ts';
import type { Proxies } from './proxies.ts';
import { problemOf, refusalForError, tooMany } from './refusals.ts';
import { localeOf } from './texts.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a call: whether it certainly did nothing when it failed. */
    readonly isRead?: boolean;
  }
}

export interface HttpOptions {
  readonly logger: Logger;
  readonly proxies: Pick<Proxies, 'trust'>;
  /** 0 switches the limit off. */
  readonly requestsPerMinute: number;
  readonly isProduction: boolean;
  /** Where browsers find the site; their streams go there. */
  readonly publicUrl?: string | undefined;
  /** A chat widget of another site, which pages may load and talk to; nothing else from elsewhere may. */
  readonly widgetOrigin?: string | undefined;
}

const BODY_LIMIT_BYTES = 64 * 1024;
/** A request must be there whole within this, its headers sooner; looked at every other second. */
const REQUEST_TIMEOUT_MS = 15_000;
const HEADERS_TIMEOUT_MS = 10_000;
const TIMEOUT_CHECK_MS = 2000;
const SLOW_MS = 1000;

export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply
    .code(refusal.status)
    .headers(refusal.headers)
    .type('application/problem+json')
    .send(problemOf(refusal, localeOf(reply.request), String(reply.request.id)));
}

function installLogs(app: FastifyInstance, logger: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    done();
    const isBad = reply.statusCode >= 500 || reply.elapsedTime > SLOW_MS;
    if (!isBad && !logger.isLevelEnabled('debug')) return;
    const line = {
      requestId: request.id,
      method: request.method,
      // Never the query string: old clients send passwords there.
      path: request.routeOptions.url ?? request.url.split('?')[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    if (isBad) logger.warn(line, 'request');
    else logger.debug(line, 'request');
  });
}

function installErrors(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler((error: FastifyError | Refusal, request: FastifyRequest, reply) => {
    // What is no call of the contract, such as a page or a file, changes nothing by GET.
    const { isRead = request.method === 'GET' || request.method === 'HEAD' } = request.routeOptions.config;
    return sendRefusal(reply, refusalForError(error, { isRead, requestId: String(request.id), logger }));
  });
}

/** The site's own streams, for browsers to which `'self'` means pages alone. */
function streamOrigins(publicUrl: string | undefined): string[] {
  return publicUrl === undefined ? [] : [new URL(publicUrl).origin.replace(/^http/, 'ws')];
}

function contentSecurityPolicy({ publicUrl, widgetOrigin }: Pick<HttpOptions, 'publicUrl' | 'widgetOrigin'>) {
  const widget = widgetOrigin === undefined ? [] : [widgetOrigin];
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", ...widget],
      // The component library sets styles on elements.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:', ...widget],
      fontSrc: ["'self'", 'data:'],
      connectSrc: ["'self'", ...streamOrigins(publicUrl), ...widget],
      frameSrc: ["'self'", ...widget],
      objectSrc: ["'none'"],
      baseUri: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  };
}

const dataHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

const repository = join(import.meta.dirname, '../../..');

async function installDocumentation(app: FastifyInstance): Promise<void> {
  // What no list of calls says: keys, what to do without an answer, the websocket.
  const description = readFileSync(join(repository, 'docs/API.md'), 'utf8');
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Cambist', description, version: '0.1.0' },
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
        schemas: { Problem: z.toJSONSchema(problem, { target: 'openapi-3.0' }) as object },
      },
    },
  });
  const logo = {
    type: 'image/svg+xml',
    content: readFileSync(join(repository, 'web/public/favicon.svg')),
  };
  const theme = { title: 'Cambist: every call' };
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: false, logo, theme });
}

export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { logger } = options;
  const app = Fastify({
    // Our own hook writes the log lines; Fastify's would make a child logger for each request.
    logger: false,
    trustProxy: options.proxies.trust,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
  });
  // Calls validate by their zod schemas in `serve`; Fastify's own validator would do it twice.
  app.setValidatorCompiler(() => (value: unknown) => ({ value }));
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // Answers to calls are data: they need no page's policy, and helmet would build one for each of them.
    if (request.url.startsWith('/api/')) reply.headers(dataHeaders);
    done();
  });
  installLogs(app, logger);
  installErrors(app, logger);
  await app.register(helmet, {
    contentSecurityPolicy: contentSecurityPolicy(options),
    hsts: options.isProduction,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
  });
  // Routes say themselves what of them is compressed: `serve.ts`.
  await app.register(compress, { global: false });
  if (options.requestsPerMinute > 0) {
    await app.register(rateLimit, {
      max: options.requestsPerMinute,
      timeWindow: 60_000,
      errorResponseBuilder: (_request, context) => tooMany(Math.ceil(context.ttl / 1000)),
    });
  }
  await installDocumentation(app);
  return app;
}
