/** Calls the server by the contract: paths, fields and answers are checked by the compiler. */
import type { DEVICE_HEADER } from '@cambist/contract/accounts.ts';
import type { AnswerOf, Call } from '@cambist/contract/call.ts';
import type { StreamAnswer } from '@cambist/contract/stream.ts';
import type { z } from 'zod';
import { ApiProblem, networkProblem, problemFrom, problemOf } from './api-problem.ts';
import { noteAnswered, noteUnanswered } from './away.ts';
import { useDevice } from './device-store.ts';
import { noteTimeOf } from './exchange-time.ts';
import { currentLocale } from './i18n.ts';
import { noteMoment } from './moments.ts';
import { useSession } from './session-store.ts';
import { useStepUp } from './step-up-store.ts';
import { privateStream } from './streams.ts';

type InputOf<Schema> = NonNullable<Schema> extends z.ZodType ? z.input<NonNullable<Schema>> : undefined;

export interface CallInput<C extends Call> {
  readonly query?: InputOf<C['query']>;
  readonly body?: InputOf<C['body']>;
  readonly params?: InputOf<C['params']>;
  /** One per intent of the person; the same on every retry of it. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 15_000;
/** How a proxy answers for a server that does not, and the server itself while its database is away. */
const GATEWAY: ReadonlySet<number> = new Set([502, 503, 504]);

function pathOf(call: Call, params: unknown): string {
  const values = (params ?? {}) as Record<string, unknown>;
  return call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

export function queryText(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return text ? `?${text}` : '';
}

declare global {
  interface Window {
    /** Of `public/early.js`, on the pages that have it: the answer to what it has asked for already, once. */
    takeEarlyAnswer?(path: string, token: string | undefined): Promise<Response> | undefined;
  }
}

/** Sends a request with the session's token. A 401 while signed in ends the session; the guards then lead to sign-in. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const { token, signOut } = useSession.getState();
  const headers = new Headers(init.headers);
  headers.set('accept', 'application/json');
  headers.set('accept-language', currentLocale().tag);
  if (token) headers.set('authorization', `Bearer ${token}`);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  const early = (init.method ?? 'GET') === 'GET' ? globalThis.window?.takeEarlyAnswer?.(path, token) : undefined;
  const answer = await early?.catch(() => undefined);
  // What was refused is asked again, for the refusal in the person's language.
  const response = answer?.ok
    ? answer
    : await fetch(path, { ...init, headers, signal }).catch((error: unknown) => {
        if (init.signal?.aborted) throw error;
        noteUnanswered();
        throw networkProblem(headers.has('idempotency-key'));
      });
  if (GATEWAY.has(response.status)) noteUnanswered();
  else noteAnswered();
  noteTimeOf(response);
  if (response.ok && init.signal) noteMoment(init.signal, response);
  if (response.ok) return response;
  // A newer session may have begun meanwhile; only the token that was refused is dropped.
  if (response.status === 401 && token && useSession.getState().token === token) signOut('ended');
  const problem = await problemFrom(response);
  // What stands before the exchange has answered in its place, and does not know what was done.
  throw problem.code === 'BAD_ANSWER' && problem.undecided ? networkProblem(headers.has('idempotency-key')) : problem;
}

/**
 * Calls that the private socket takes go by it while it is up, and by HTTP otherwise.
 * When the server wants to see more than a session, the person is asked, and the same call goes out once more.
 */
export async function call<C extends Call>(definition: C, input: CallInput<C> = {}): Promise<AnswerOf<C>> {
  try {
    return await callOnce(definition, input);
  } catch (problem) {
    const need = problem instanceof ApiProblem ? problem.stepUp : undefined;
    if (!need || !(await useStepUp.getState().ask(need))) throw problem;
    return callOnce(definition, input);
  }
}

async function callOnce<C extends Call>(definition: C, given: CallInput<C>): Promise<AnswerOf<C>> {
  // Both ways carry one key, so that what the socket has done and not answered is not done again.
  const input = definition.op ? { ...given, idempotencyKey: given.idempotencyKey ?? crypto.randomUUID() } : given;
  const answered = await callBySocket(definition, input);
  return answered ? checked(definition, answered.body) : callByHttp(definition, input);
}

/** @returns undefined where the call is not one of the socket's, or no answer came */
async function callBySocket<C extends Call>(definition: C, input: CallInput<C>): Promise<StreamAnswer | undefined> {
  const { op } = definition;
  const { token, signOut } = useSession.getState();
  if (op === undefined || !token) return undefined;
  const args = { ...(input.params as object | undefined), ...(input.body as object | undefined) };
  const key = input.idempotencyKey;
  const answer = await privateStream.request({ op, args, language: currentLocale().tag, ...(key ? { key } : {}) });
  if (answer === undefined || answer.status === 200) return answer;
  if (answer.status === 401 && useSession.getState().token === token) signOut('ended');
  throw problemOf(answer.status, answer.body);
}

async function callByHttp<C extends Call>(definition: C, input: CallInput<C>): Promise<AnswerOf<C>> {
  const method = definition.methods[0];
  // Calls that change state take their fields in the body, whatever schema says them; queries end up in logs.
  const body = input.body ?? (method === 'POST' && input.query ? input.query : undefined);
  const query = method === 'POST' ? '' : queryText(input.query);
  const headers = new Headers();
  if (body !== undefined) headers.set('content-type', 'application/json');
  const device = definition.access === 'public' && definition.sensitive ? useDevice.getState().secret : undefined;
  if (device) headers.set('x-device-secret' satisfies typeof DEVICE_HEADER, device);
  if (input.idempotencyKey) headers.set('idempotency-key', input.idempotencyKey);
  const response = await send(pathOf(definition, input.params) + query, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(input.signal ? { signal: input.signal } : {}),
  });
  // The connection may go in the middle of an answer, too.
  const answer: unknown = await response.json().catch((error: unknown) => {
    if (input.signal?.aborted) throw error;
    throw networkProblem(input.idempotencyKey !== undefined);
  });
  return checked(definition, answer);
}

/** Development insists on the contract; production trusts the server, so that a newer one does not break older tabs. */
function checked<C extends Call>(definition: C, answer: unknown): AnswerOf<C> {
  if (!import.meta.env.DEV) return answer as AnswerOf<C>;
  const parsed = definition.answer.safeParse(answer);
  if (parsed.success) return parsed.data as AnswerOf<C>;
  console.error(`${definition.path} broke its contract`, parsed.error.issues);
  const message = `${definition.path} broke its contract`;
  throw new ApiProblem({ status: 200, code: 'BAD_ANSWER', detail: message, message });
}
