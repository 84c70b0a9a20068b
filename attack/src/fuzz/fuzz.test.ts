/**
 * Every operation of the OpenAPI document, as every role, with input made from its schema and against it: never a 500,
 * never a hang, never a word of what is inside, and never an answer to a role that may not ask. Then every operation of the
 * private socket; and after all of it the server is killed and starts again on what it has taken.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Answer, Sending } from '../http.ts';
import { OPERATOR, signIn } from '../people.ts';
import { sizes } from '../sizes.ts';
import { databaseKinds, startTarget, type Target } from '../target.ts';
import { type Operation, readOperations } from './document.ts';
import { createRoles, type RoleName, type Roles, refusedWith, refusesFrozen, roleNames } from './roles.ts';
import { framesFor, sendFrames } from './socket.ts';
import { brokenBody, objectFor, valueFor } from './values.ts';

const AT_ONCE = 24;
const { requests, seed } = sizes;
const VERIFIED_WITHIN_MS = 60_000;
const MARK = 'fuzz-never-say-this';

/** What nobody outside may read: traces, statements, hashes, and what was sent as a secret. */
const LEAK = new RegExp(
  [
    String.raw`\.ts:\d+`,
    'node_modules',
    'SELECT .* FROM',
    'INSERT INTO',
    'violates',
    'syntax error at',
    String.raw`\$argon2`,
    MARK,
  ].join('|'),
);
const SECRET = /password|secret|token|factor|verifier|signature|code$/i;

interface Shot {
  readonly method: string;
  readonly path: string;
  readonly sending: Sending;
  readonly isWellFormed: boolean;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();

/** A secret that comes back is known by its mark. */
const marked = (object: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      SECRET.test(name) && typeof value === 'string' && value.length > 20 ? MARK + value : value,
    ]),
  );

const queryText = (query: Record<string, unknown>) =>
  Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value).slice(0, 2000))}`)
    .join('&');

const oddHeaders = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  fc.constantFrom<Record<string, string>>(
    { 'accept-language': 'de' },
    { 'accept-language': 'ja;q=x, *' },
    { 'idempotency-key': 'k'.repeat(500) },
    { 'idempotency-key': 'again' },
    { 'if-none-match': '*' },
    { 'x-forwarded-for': '1.2.3.4, 5.6.7.8' },
    { 'x-forwarded-host': 'evil.example' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/json; charset=utf-7' },
    { 'x-http-method-override': 'DELETE' },
    { origin: 'https://evil.example' },
    { authorization: 'Basic dXNlcjpwYXNz' },
  ),
);

function shotsAt(operation: Operation): fc.Arbitrary<Shot> {
  const params = Object.entries(operation.params).map(([name, schema]) => valueFor(schema, name));
  const hasBody = operation.method !== 'GET' && operation.method !== 'HEAD';
  const body: fc.Arbitrary<unknown> = hasBody
    ? fc.oneof({ weight: 12, arbitrary: objectFor(operation.body ?? {}).map(marked) }, brokenBody)
    : fc.constant(undefined);
  return fc
    .record({
      params: fc.tuple(...params),
      query: objectFor({ properties: operation.query }).map(marked),
      body,
      headers: oddHeaders,
    })
    .map(({ params: given, query, body: payload, headers }) => {
      let next = 0;
      const place = () => encodeURIComponent(textOf(given[next++]).slice(0, 150)) || '0';
      const search = queryText(query);
      return {
        method: operation.method,
        path: operation.path.replace(/\{\w+\}/g, place) + (search && `?${search}`),
        sending: {
          body: payload,
          headers: { ...(typeof payload === 'string' ? { 'content-type': 'application/json' } : {}), ...headers },
        },
        isWellFormed: !('authorization' in headers),
      };
    });
}

/** What is wrong with an answer; undefined when nothing is. */
function complaint(operation: Operation, role: RoleName, shot: Shot, answer: Answer): string | undefined {
  const { status, text } = answer;
  if (status >= 500) return 'a server error';
  if (LEAK.test(text)) return 'a word of what is inside';
  const refusing = refusedWith(role, operation) ?? (role === 'frozen' && refusesFrozen(operation) ? [403] : undefined);
  // What is unreadable is refused before anybody is asked who he is.
  const unreadable = [400, 413, 414, 415, 431];
  if (refusing !== undefined && shot.isWellFormed && ![...refusing, ...unreadable].includes(status)) {
    return `an answer to ${role}, who may not ask`;
  }
  if (status < 400) return undefined;
  const { code, detail, requestId } = answer.json<Record<string, unknown>>();
  return code && detail && requestId ? undefined : 'a refusal that does not say why';
}

async function shoot(target: Target, roles: Roles, operation: Operation, shots: readonly Shot[]): Promise<void> {
  for (let first = 0; first < shots.length; first += AT_ONCE) {
    const group = shots.slice(first, first + AT_ONCE);
    await Promise.all(
      group.map(async (shot, position) => {
        const role = roleNames[(first + position) % roleNames.length] ?? 'client';
        const answer = await target.http.send(shot.method, shot.path, { token: roles.token(role), ...shot.sending });
        const wrong = complaint(operation, role, shot, answer);
        const shown = `${shot.method} ${shot.path} ${JSON.stringify(shot.sending)}`.slice(0, 700);
        const said = `seed ${seed}: ${role} got ${answer.status}, ${wrong}: ${shown} → ${answer.text.slice(0, 300)}`;
        expect(wrong, said).toBeUndefined();
      }),
    );
  }
}

async function shootSocket(
  { http }: Target,
  token: string | undefined,
  operations: readonly Operation[],
  numRuns: number,
): Promise<void> {
  const taken = operations.flatMap((operation) =>
    operation.op === undefined ? [] : [{ ...operation, op: operation.op }],
  );
  expect(taken.length).toBeGreaterThan(12);
  const frames = taken.flatMap((operation, index) => fc.sample(framesFor(operation), { seed: seed + index, numRuns }));
  for (const { frame, status = 500, text } of await sendFrames(http.url, token, frames)) {
    const said = `seed ${seed}: the socket got ${JSON.stringify(frame).slice(0, 700)} → ${text.slice(0, 300)}`;
    expect(status >= 500 || LEAK.test(text), said).toBe(false);
  }
}

/** It runs, has complained of nothing, and a second computation of what it keeps agrees with it. */
async function expectWhole(target: Target): Promise<void> {
  const figures = async () => (await target.http.send('GET', '/metrics')).text;
  const figure = (text: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  const behind = (text: string) => figure(text, 'cambist_last_batch') - figure(text, 'cambist_verified_batch');
  await vi.waitFor(async () => expect(behind(await figures())).toBeLessThanOrEqual(0), VERIFIED_WITHIN_MS);
  expect(target.defects()).toEqual([]);
  expect(target.isAlive()).toBe(true);
  const operator = await signIn(() => target.http, OPERATOR.email, OPERATOR.password);
  const { alarms } = (await operator.send('GET', '/api/v3/admin/alarms')).json<{ alarms: unknown[] }>();
  expect(alarms).toEqual([]);
}

describe.each(databaseKinds)('%s', (kind) => {
  let target: Target;
  beforeAll(async () => {
    target = await startTarget(kind);
  });
  afterAll(() => target.remove());

  it(`${requests} requests at every call by every role: no 500, no hang, no leak, no way past a role`, {
    timeout: 120_000 + requests * 15,
  }, async () => {
    const operations = await readOperations(target.http);
    expect(operations.length).toBeGreaterThan(190);
    const roles = await createRoles(() => target.http);
    const numRuns = Math.ceil(requests / operations.length);
    for (const [index, operation] of operations.entries()) {
      await roles.renew();
      await shoot(target, roles, operation, fc.sample(shotsAt(operation), { seed: seed + index, numRuns }));
    }
    await roles.renew();
    await shootSocket(target, roles.token('trade-key'), operations, numRuns);
    await expectWhole(target);
    // What was taken must not stand in the way of the next start.
    await target.restart();
    await expectWhole(target);
  });
});
