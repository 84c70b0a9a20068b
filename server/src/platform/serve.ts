/** Registers calls of the contract on Fastify: who asks, is the input good, what is the answer. */
import { createHash } from 'node:crypto';
import type { Call, StepUpPurpose } from '@cambist/contract/call.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Authority } from './authority.ts';
import {
  type CallRequest,
  type CallServer,
  type Handler,
  type Identity,
  Redirect,
  Refusal,
  refuseIssues,
} from './calls.ts';
import { sendRefusal } from './http.ts';
import { permissionRefusal } from './permission.ts';
import { type StepUpNeed, stepUpRequired } from './step-up.ts';
import { localeOfHeader, schemaErrors } from './texts.ts';

export interface ServeDeps {
  readonly app: FastifyInstance;
  readonly authenticate: (token: string) => Promise<Identity | undefined> | Identity | undefined;
  /** What else the state of the account or the platform forbids; asked after the token was found good. */
  readonly admit?: (call: Call, identity: Identity) => Refusal | undefined | Promise<Refusal | undefined>;
  /** What a request may be done by, once its session has made a step-up for the purpose; or what is missing. */
  readonly stepUp: (identity: Identity, purpose: StepUpPurpose) => Promise<Authority | StepUpNeed>;
  readonly isDevelopment: boolean;
  /** Checks every answer against its schema: on in tests and development. */
  readonly checkAnswers: boolean;
  /** Tighter limit for calls that carry secrets; 0 switches it off. */
  readonly sensitivePerMinute: number;
}

const noToken = new Refusal(401, 'UNAUTHENTICATED', 'Sign in to continue.', { 'www-authenticate': 'Bearer' });
const badToken = new Refusal(401, 'SESSION_ENDED', 'Your session has ended. Sign in again.', {
  'www-authenticate': 'Bearer error="invalid_token"',
});

function tokenOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  return header?.startsWith('Bearer ') ? header.slice(7) : undefined;
}

interface Parts {
  readonly query: unknown;
  readonly body: unknown;
  readonly params: unknown;
}

/** Fields of a state change come by query from old clients and by body from ours; the body wins. */
function queryOf(call: Call, request: FastifyRequest): unknown {
  if (call.body !== undefined || request.method === 'GET' || request.body === null) return request.query;
  if (typeof request.body !== 'object') return request.query;
  return { ...(request.query as object), ...request.body };
}

function validate(call: Call, request: FastifyRequest, messages?: Messages): Parts | z.core.$ZodIssue[] {
  const query = call.query?.safeParse(queryOf(call, request), messages);
  const body = call.body?.safeParse(request.body ?? {}, messages);
  const params = call.params?.safeParse(request.params, messages);
  const issues = [query, body, params].flatMap((result) => (result && !result.success ? result.error.issues : []));
  if (issues.length > 0) return issues;
  return { query: query?.data, body: body?.data, params: params?.data };
}

/** PostgreSQL keeps every character but this one. Looked for without recursion: input may be nested as deep as it is long. */
function holdsNul(input: readonly unknown[]): boolean {
  const waiting = [...input];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string' && value.includes('\0')) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const name of Object.keys(value)) {
      if (name.includes('\0')) return true;
      waiting.push((value as Record<string, unknown>)[name]);
    }
  }
  return false;
}

const nulRefusal = new Refusal(422, 'INVALID_INPUT', 'A text may not hold the character NUL');

type Messages = z.core.ParseContext<z.core.$ZodIssue>;

/** What is wrong, once more in the asker's language: good input never pays for it. */
function issuesOf(call: Call, request: FastifyRequest, issues: z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const locale = localeOfHeader(request.headers['accept-language']);
  if (locale.name === 'en') return issues;
  const translated = validate(call, request, { error: schemaErrors(locale) });
  return Array.isArray(translated) ? translated : issues;
}

/** JSON Schema for the document; transforms are shown by what goes in. */
function documented(schema: z.ZodType): object {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'openapi-3.0' });
}

function schemaOf(call: Call, method: string): object {
  const inBody = method !== 'GET' && call.body === undefined && call.query !== undefined;
  return {
    tags: [call.tag],
    summary: call.summary,
    ...(call.query && !inBody ? { querystring: documented(call.query) } : {}),
    ...(inBody && call.query ? { body: documented(call.query) } : {}),
    ...(call.body ? { body: documented(call.body) } : {}),
    ...(call.params ? { params: documented(call.params) } : {}),
    ...(call.access === 'public' ? {} : { security: [{ bearer: [] }] }),
    // Who may make it, for programs that read the document.
    'x-access': call.access,
    'x-keys': call.keys ?? 'never',
    ...(call.stepUp ? { 'x-step-up': call.stepUp } : {}),
    ...(call.stepUpAtTimes ? { 'x-step-up-at-times': call.stepUpAtTimes } : {}),
    response: { 200: documented(call.answer) },
  };
}

/** Sends the answer with its ETag, or only says that what the asker has is still right. */
function sendCacheable(request: FastifyRequest, reply: FastifyReply, seconds: number, answer: unknown): FastifyReply {
  const text = JSON.stringify(answer);
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  reply.headers({ 'cache-control': `public, max-age=${seconds}`, etag });
  const known = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(etag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(text);
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

/** Who makes the call, and whether this call is for them. */
function createIdentification(deps: ServeDeps) {
  const { authenticate } = deps;

  async function identify(call: Call, request: FastifyRequest): Promise<Identity | undefined | Refusal> {
    if (call.access === 'public') return undefined;
    const token = tokenOf(request);
    if (token === undefined) return call.access === 'visitor' ? undefined : noToken;
    const identity = (await authenticate(token)) ?? badToken;
    if (identity instanceof Refusal) return identity;
    const refused = permissionRefusal(call, identity) ?? deps.admit?.(call, identity);
    if (!(refused instanceof Promise)) return refused ?? identity;
    // The session may have ended while that was looked up.
    return (await refused) ?? (await authenticate(token)) ?? badToken;
  }

  async function confirm(identity: Identity, purpose: StepUpPurpose): Promise<Authority | Refusal> {
    const authority = await deps.stepUp(identity, purpose);
    return 'needs' in authority ? stepUpRequired(authority) : authority;
  }

  /** For a handler that asks for the declared step-up itself, in the cases that its summary names. */
  const confirmation = (call: Call, identity: Identity | undefined) => async (): Promise<Authority | Refusal> => {
    if (identity === undefined || call.stepUpAtTimes === undefined) {
      throw new Error(`${call.path} does not declare a step-up`);
    }
    return confirm(identity, call.stepUpAtTimes);
  };

  return { identify, confirm, confirmation };
}

function createHandling(deps: ServeDeps) {
  const { identify, confirm, confirmation } = createIdentification(deps);

  return function handle<C extends Call>(call: C, handler: Handler<C>) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      if (call.sensitive) reply.header('cache-control', 'no-store');
      const identity = await identify(call, request);
      if (identity instanceof Refusal) return sendRefusal(reply, identity);
      if (holdsNul([request.query, request.body, request.params])) return sendRefusal(reply, nulRefusal);
      const parts = validate(call, request);
      if (Array.isArray(parts)) return sendRefusal(reply, refuseIssues(issuesOf(call, request, parts)));
      const authority = call.stepUp && identity && (await confirm(identity, call.stepUp));
      if (authority instanceof Refusal) return sendRefusal(reply, authority);
      const asked = { ...parts, identity, authority, confirm: confirmation(call, identity), http: request };
      const answer = await handler(asked as CallRequest<C>);
      if (answer instanceof Refusal) return sendRefusal(reply, answer);
      if (answer instanceof Redirect) return reply.redirect(answer.location, 302);
      if (deps.checkAnswers) call.answer.parse(answer);
      if (call.cacheSeconds !== undefined) return sendCacheable(request, reply, call.cacheSeconds, answer);
      return answer;
    };
  };
}

export function createCallServer(deps: ServeDeps): CallServer {
  const { app } = deps;
  const handle = createHandling(deps);
  const methodsOf = new Map<string, Set<string>>();

  return {
    serve(call, handler) {
      if (call.developmentOnly && !deps.isDevelopment) return;
      const limited = call.sensitive && call.access === 'public' && deps.sensitivePerMinute > 0;
      const config = limited ? { rateLimit: { max: deps.sensitivePerMinute, timeWindow: 60_000 } } : {};
      const methods = methodsOf.get(call.path) ?? new Set();
      methodsOf.set(call.path, methods);
      for (const method of call.methods) {
        methods.add(method);
        if (method === 'GET') refuseHead(app, call.path, methods);
        app.route({
          method,
          exposeHeadRoute: false,
          url: call.path,
          schema: schemaOf(call, method),
          config,
          ...(call.bodyLimitBytes === undefined ? {} : { bodyLimit: call.bodyLimitBytes }),
          helmet: false,
          handler: handle(call, handler),
        });
      }
    },
  };
}
