/** Makes a call, whichever way it came: who makes it, whether the input is good, what the answer is. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Call, StepUpPurpose } from '@cambist/contract/call.ts';
import type { Locale } from '@cambist/contract/locales.ts';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type AuditLog, recordingActs } from './audit-log.ts';
import type { Authority } from './authority.ts';
import { type CallRequest, Download, type Handler, type Identity, Redirect, Refusal, refuseIssues } from './calls.ts';
import { createExpiring } from './expiring.ts';
import { type IntentKey, intentOf, isKey, MAXIMUM_KEY_LENGTH } from './intent.ts';
import { permissionRefusal } from './permission.ts';
import { type StepUpNeed, stepUpRequired } from './step-up.ts';
import { say, schemaErrors } from './texts.ts';

export interface RunDeps {
  readonly authenticate: (token: string) => Promise<Identity | undefined> | Identity | undefined;
  /** What else the state of the account or the platform forbids; asked after the token was found good. */
  readonly admit?: (call: Call, identity: Identity) => Refusal | undefined | Promise<Refusal | undefined>;
  /** Uses up the step-up that the session has made for this act. @returns what the act is done by; or what is missing */
  readonly stepUp: (identity: Identity, purpose: StepUpPurpose, act: string) => Promise<Authority | StepUpNeed>;
  readonly audit: AuditLog;
  readonly clock: { now(): number };
  /** Checks every answer against its schema, and acts against the audit log: on in tests and development. */
  readonly checkAnswers: boolean;
}

/** A request as it came, before anything of it was looked at. */
export interface Incoming {
  readonly token: string | undefined;
  readonly query: unknown;
  readonly body: unknown;
  readonly params: unknown;
  readonly key: unknown;
  readonly locale: Locale;
  readonly http: FastifyRequest | undefined;
}

const noToken = new Refusal(401, 'UNAUTHENTICATED', 'Log in to continue.', { 'www-authenticate': 'Bearer' });
const badToken = new Refusal(401, 'SESSION_ENDED', 'Your session has ended. Log in again.', {
  'www-authenticate': 'Bearer error="invalid_token"',
});

const badAddress = new Refusal(403, 'ADDRESS_NOT_ALLOWED', 'This API key may not be used from this address.');

interface Parts {
  readonly query: unknown;
  readonly body: unknown;
  readonly params: unknown;
}

type Messages = z.core.ParseContext<z.core.$ZodIssue>;

function validate(call: Call, incoming: Incoming, messages?: Messages): Parts | z.core.$ZodIssue[] {
  const query = call.query?.safeParse(incoming.query, messages);
  const body = call.body?.safeParse(incoming.body, messages);
  const params = call.params?.safeParse(incoming.params, messages);
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

const nulRefusal = new Refusal(422, 'INVALID_INPUT', 'A text may not contain the character NUL');

/** What is wrong, once more in the caller's language: good input never pays for it. */
function issuesOf(call: Call, incoming: Incoming, issues: z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  if (incoming.locale.name === 'en') return issues;
  const translated = validate(call, incoming, { error: schemaErrors(incoming.locale) });
  return Array.isArray(translated) ? translated : issues;
}

const badKey = new Refusal(
  422,
  'INVALID_IDEMPOTENCY_KEY',
  say('Idempotency-Key is 1 to {{maximum}} characters.', { maximum: MAXIMUM_KEY_LENGTH }),
);

/** By the call's own path, so that a key means the same however the request was written. */
function readIntent(
  call: Call,
  { query, params, body }: Parts,
  { http, key }: Incoming,
): IntentKey | Refusal | undefined {
  if (call.idempotent === undefined || key === undefined) return undefined;
  if (!isKey(key)) return badKey;
  const values = (params ?? {}) as Readonly<Record<string, unknown>>;
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => String(values[name]));
  const wish = { ...(query as object | undefined), ...values, ...(body as object | undefined) };
  return intentOf(key, [http?.method ?? call.methods[0], path], wish, call.idempotent);
}

/** Acts mean nothing outside this process, so they do not reveal the secrets among its fields. */
const ACT_KEY = randomBytes(32);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([name, one]) => [name, sorted(one)]);
}

/** Stands for the call with the values of all its fields, in whichever order and way they came. */
function actOf(call: Call, { query, body, params }: Parts): string {
  const text = JSON.stringify([call.methods[0], call.path, sorted([query, body, params])]);
  return createHmac('sha256', ACT_KEY).update(text).digest('base64url');
}

/** Who makes the call, and whether this call is for them. */
function createIdentification(deps: RunDeps) {
  const { authenticate } = deps;

  async function identify(
    call: Call,
    token: string | undefined,
    http?: FastifyRequest,
  ): Promise<Identity | undefined | Refusal> {
    if (call.access === 'public') return undefined;
    if (token === undefined) return call.access === 'visitor' ? undefined : noToken;
    const identity = (await authenticate(token)) ?? badToken;
    if (identity instanceof Refusal) return identity;
    // A socket was asked where it comes from when it logged in.
    if (http !== undefined && identity.networks?.includes(http.ip) === false) return badAddress;
    const refused = permissionRefusal(call, identity) ?? deps.admit?.(call, identity);
    if (!(refused instanceof Promise)) return refused ?? identity;
    // The session may have ended while that was looked up.
    return (await refused) ?? (await authenticate(token)) ?? badToken;
  }

  async function confirm(identity: Identity, purpose: StepUpPurpose, act: string): Promise<Authority | Refusal> {
    const authority = await deps.stepUp(identity, purpose, act);
    return 'needs' in authority ? stepUpRequired(authority) : authority;
  }

  /** For a handler that asks for the declared step-up itself, in the cases that its summary names. */
  const confirmation = (call: Call, parts: Parts, identity: Identity | undefined) => {
    const { stepUpAtTimes: purpose } = call;
    if (identity === undefined || purpose === undefined) return undefined;
    return () => confirm(identity, purpose, actOf(call, parts));
  };

  return { identify, confirm, confirmation };
}

/** The same search by the same operator is one row for so long: a console asks again every few seconds. */
const READ_MS = 600_000;
const READS = 10_000;
/** Of a search: pages of the same list that a console follows, and marks of what was read. */
const UNRECORDED = new Set(['limit', 'after', 'seen']);

/** Puts on record which operator has read whose data, before it is read. */
function createReadAudit({ audit, clock }: RunDeps) {
  const recorded = createExpiring<true>(clock, { lifetimeMs: READ_MS, limit: READS });
  return async (call: Call, { query, params }: Parts, { clientId: actorId }: Identity, address: string) => {
    if (call.audit === undefined || call.audit === 'none' || !('reads' in call.audit)) return;
    const { reads: act } = call.audit;
    const entries = Object.entries({ ...(query as object | undefined), ...(params as object | undefined) });
    const detail = Object.fromEntries(entries.filter(([name, value]) => !UNRECORDED.has(name) && value !== ''));
    const key = JSON.stringify([actorId, act, detail, address]);
    if (recorded.peek(key) !== undefined) return;
    await audit.record({ actorId, act, detail, address });
    recorded.put(key, true);
  };
}

/** Fails where an operator's act is on record under another name than its call declares, or not at all. */
async function checkedAudit(call: Call, handle: () => unknown): Promise<unknown> {
  const { audit } = call;
  if (audit === undefined) return handle();
  const [answer, recorded] = await recordingActs(handle);
  const declared = audit !== 'none' && 'acts' in audit ? audit.acts : [];
  const other = [...recorded].filter((act) => !declared.includes(act));
  if (other.length > 0) throw new Error(`${call.path} does not declare the acts ${other.join(', ')}`);
  const isDone = !(answer instanceof Refusal);
  if (isDone && declared.length > 0 && recorded.size === 0)
    throw new Error(`${call.path} left no row in the audit log`);
  return answer;
}

export function createRunner(deps: RunDeps) {
  const { identify, confirm, confirmation } = createIdentification(deps);
  const auditRead = createReadAudit(deps);

  async function run<C extends Call>(call: C, handler: Handler<C>, incoming: Incoming): Promise<unknown> {
    const identity = await identify(call, incoming.token, incoming.http);
    if (identity instanceof Refusal) return identity;
    if (holdsNul([incoming.query, incoming.body, incoming.params])) return nulRefusal;
    const parts = validate(call, incoming);
    if (Array.isArray(parts)) return refuseIssues(issuesOf(call, incoming, parts));
    const intent = readIntent(call, parts, incoming);
    if (intent instanceof Refusal) return intent;
    const authority = call.stepUp && identity && (await confirm(identity, call.stepUp, actOf(call, parts)));
    if (authority instanceof Refusal) return authority;
    const { http, locale } = incoming;
    const given = { ...parts, identity, authority, confirm: confirmation(call, parts, identity) };
    const request = { ...given, http, locale, intent };
    if (identity !== undefined) await auditRead(call, parts, identity, http?.ip ?? '');
    const handle = () => handler(request as unknown as CallRequest<C>);
    const answer = deps.checkAnswers ? await checkedAudit(call, handle) : await handle();
    if (answer instanceof Refusal || answer instanceof Redirect || answer instanceof Download) return answer;
    if (deps.checkAnswers) call.answer.parse(answer);
    return answer;
  }

  return { identify, run };
}
