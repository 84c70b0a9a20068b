/** Registers calls of the contract on Fastify, and by their names for the private socket. */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Call, StreamOperation } from '@cambist/contract/call.ts';
import type { MOMENT_HEADER } from '@cambist/contract/stream.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import { type CallServer, Download, type Handler, Redirect, Refusal, type SocketRequest } from './calls.ts';
import { sendRefusal } from './http.ts';
import { MAXIMUM_KEY_LENGTH } from './intent.ts';
import type { Moments } from './moments.ts';
import { createRunner, type Incoming, type RunDeps } from './run-call.ts';
import { localeOf } from './texts.ts';

type SocketPart = Omit<SocketRequest, 'args'>;

export interface ServeDeps extends RunDeps {
  readonly app: FastifyInstance;
  readonly isDevelopment: boolean;
  readonly moments: Moments;
  /** Tighter limit for calls that carry secrets; 0 switches it off. */
  readonly sensitivePerMinute: number;
}

function tokenOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  return header?.startsWith('Bearer ') ? header.slice(7) : undefined;
}

/** Fields of a state change come by query from old clients and by body from ours; the body wins. */
function queryOf(call: Call, request: FastifyRequest): unknown {
  if (call.body !== undefined || request.method === 'GET' || request.body === null) return request.query;
  if (typeof request.body !== 'object') return request.query;
  return { ...(request.query as object), ...request.body };
}

function incomingOf(call: Call, request: FastifyRequest): Incoming {
  return {
    token: tokenOf(request),
    query: queryOf(call, request),
    body: request.body ?? {},
    params: request.params,
    key: request.headers['idempotency-key'],
    locale: localeOf(request),
    http: request,
  };
}

/** JSON Schema for the document; transforms are shown by what goes in. */
function documented(schema: z.ZodType): object {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'openapi-3.0' });
}

const KEY_HEADER = {
  type: 'object',
  properties: {
    'idempotency-key': {
      ...{ type: 'string', minLength: 1, maxLength: MAXIMUM_KEY_LENGTH },
      description: 'Your name of this wish. Sent again with it within 24 hours, the wish is not done again',
    },
  },
};

const REFUSAL = {
  description: 'A refusal: programs decide by `code`, and `errors` names the fields',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

const MOMENT: typeof MOMENT_HEADER = 'stream-moment';

/** What trades is no list that a page keeps, and saying it would take a twentieth of an order's time. */
const saysMoment = (call: Call): boolean => call.access !== 'public' && call.keys !== 'trade';

const doneOf = (call: Call) => ({
  description: 'Done',
  ...(saysMoment(call) && {
    headers: {
      [MOMENT]: {
        type: 'string',
        description: 'When it was asked for: all that the private channels had told by then is in the answer',
      },
    },
  }),
});

/** `GET /api/v3/orders/:id` is `getOrdersById`, and of another version `getV2…`: stable, and each once. */
function operationIdOf({ path }: Call, method: string): string {
  const words = path.replace(/^\/api(\/v3)?\//, '').split(/[^A-Za-z0-9:]+/);
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return (
    method.toLowerCase() +
    words.map((word) => capital(word.replace(/^:(.*)/, (_, name) => `By${capital(name)}`))).join('')
  );
}

function schemaOf(call: Call, method: string): object {
  const inBody = method !== 'GET' && call.body === undefined && call.query !== undefined;
  return {
    operationId: operationIdOf(call, method),
    tags: [call.tag],
    summary: call.summary,
    ...(call.query && !inBody ? { querystring: documented(call.query) } : {}),
    ...(inBody && call.query ? { body: documented(call.query) } : {}),
    ...(call.body ? { body: documented(call.body) } : {}),
    ...(call.params ? { params: documented(call.params) } : {}),
    ...(call.idempotent ? { headers: KEY_HEADER } : {}),
    ...(call.access === 'public' ? {} : { security: [{ bearer: [] }] }),
    // Who may make it, for programs that read the document.
    'x-access': call.access,
    'x-keys': call.keys ?? 'never',
    ...(call.op ? { 'x-socket-op': call.op } : {}),
    ...(call.stepUp ? { 'x-step-up': call.stepUp } : {}),
    ...(call.stepUpAtTimes ? { 'x-step-up-at-times': call.stepUpAtTimes } : {}),
    response: { 200: { ...doneOf(call), ...documented(call.answer) }, default: REFUSAL },
  };
}

/** Whether a call that failed has certainly done nothing, by its declaration: a GET of older clients may change state. */
const isRead = ({ methods, changesState = false }: Call): boolean => methods[0] === 'GET' && !changesState;

/** Off the main thread, whatever the size; files go as they are, at the pace of their caller. */
const COMPRESSED: RouteOptions['compress'] = {
  encodings: ['br', 'gzip'],
  customTypes: /^application\/json/,
  syncThreshold: 0,
};

/**
 * Answers to readings are made small where the caller takes it; one that changes state is small, and waited for. What
 * carries secrets is not compressed: its length would tell of them.
 */
const compressionOf = (call: Call, method: string) =>
  method === 'GET' && isRead(call) && !call.sensitive ? COMPRESSED : false;

/** Sends the answer with its ETag, or only says that what the asker has is still right. */
function sendCacheable(request: FastifyRequest, reply: FastifyReply, seconds: number, answer: unknown): FastifyReply {
  const text = JSON.stringify(answer);
  const etag = `"${hash('sha256', text, 'base64url').slice(0, 27)}"`;
  reply.headers({ 'cache-control': `public, max-age=${seconds}`, etag });
  const known = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(etag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(text);
}

/** A caller who takes nothing of a file for so long is let go. */
const STALL_MS = 60_000;

/** The text as it is made, at the pace of the connection. Its end comes with the file's, or with the connection's. */
function sendDownload(reply: FastifyReply, { fileName, text, ended }: Download): FastifyReply {
  const file = Readable.from(text, { objectMode: false });
  file.once('close', ended);
  reply.raw.setTimeout(STALL_MS, () => file.destroy(new Error('The caller has stopped reading')));
  reply.headers({ 'cache-control': 'no-store', 'content-disposition': `attachment; filename="${fileName}"` });
  return reply.type('text/csv; charset=utf-8').send(file);
}

/**
 * What a GET of the contract does is the handler's to know, and some change state for older clients; a HEAD, which link
 * checkers and previews send, runs none of them.
 */
function refuseHead(app: FastifyInstance, path: string, methods: ReadonlySet<string>): void {
  app.route({
    method: 'HEAD',
    url: path,
    schema: { hide: true },
    helmet: false,
    handler: (_request, reply) =>
      reply
        .code(405)
        .header('allow', [...methods].join(', '))
        .send(),
  });
}

/** Of a socket's arguments, which are the fields of params and body together. */
function argumentsOf({ params: schema }: Call, args: object): Pick<Incoming, 'query' | 'body' | 'params'> {
  const named = schema instanceof z.ZodObject ? schema.shape : {};
  const entries = Object.entries(args);
  const body = Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(named, name)));
  return { query: args, body, params: args };
}

function createHandling(run: ReturnType<typeof createRunner>['run'], moments: Moments) {
  return function handle<C extends Call>(call: C, handler: Handler<C>) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      if (call.sensitive) reply.header('cache-control', 'no-store');
      if (call.anyOrigin) reply.header('access-control-allow-origin', '*');
      // Taken before anything is read: all that was told up to here is in the answer.
      if (saysMoment(call)) reply.header(MOMENT, moments.textOf(moments.now()));
      const answer = await run(call, handler, incomingOf(call, request));
      if (answer instanceof Refusal) return sendRefusal(reply, answer);
      if (answer instanceof Redirect) return reply.redirect(answer.location, 302);
      if (answer instanceof Download) return sendDownload(reply, answer);
      if (call.cacheSeconds !== undefined) return sendCacheable(request, reply, call.cacheSeconds, answer);
      return answer;
    };
  };
}

export function createCallServer(deps: ServeDeps): CallServer {
  const { app } = deps;
  const { identify, run } = createRunner(deps);
  const handle = createHandling(run, deps.moments);
  /** What the private socket may ask for. */
  const operations = new Map<StreamOperation, (args: object, request: SocketPart) => Promise<unknown>>();
  const methodsOf = new Map<string, Set<string>>();

  return {
    async perform(op, { args, ...request }) {
      const operation = operations.get(op);
      if (operation === undefined) throw new Error(`No slice serves ${op}`);
      return operation(args, request);
    },

    async admit(call, token) {
      const identity = await identify(call, token);
      if (identity === undefined) throw new Error(`${call.path} is for callers without an account`);
      return identity;
    },

    serve(call, handler) {
      if (call.op !== undefined) {
        operations.set(call.op, (args, request) =>
          run(call, handler, { ...request, ...argumentsOf(call, args), http: undefined }),
        );
      }
      if (call.developmentOnly && !deps.isDevelopment) return;
      const limited = call.sensitive && call.access === 'public' && deps.sensitivePerMinute > 0;
      const rateLimit = { max: deps.sensitivePerMinute, timeWindow: 60_000 };
      const config = { isRead: isRead(call), ...(limited ? { rateLimit } : {}) };
      const methods = methodsOf.get(call.path) ?? new Set();
      methodsOf.set(call.path, methods);
      for (const method of call.methods) {
        methods.add(method);
        if (method === 'GET') refuseHead(app, call.path, methods);
        app.route({
          method,
          exposeHeadRoute: false,
          url: call.path,
          // Two hundred schemas take a tenth of a start to write out: the document does it when it is asked for.
          config: { ...config, swaggerTransform: ({ url }) => ({ url, schema: schemaOf(call, method) }) },
          ...(call.bodyLimitBytes === undefined ? {} : { bodyLimit: call.bodyLimitBytes }),
          helmet: false,
          compress: compressionOf(call, method),
          handler: handle(call, handler),
        });
      }
    },
  };
}
