/**
 * Malformed input at every call of the contract: never a 500, never a hang, never a word of what is inside.
 * `FUZZ_INPUTS=1000000 FUZZ_SEED=7 npx vitest run server/test/fuzz` looks longer; a failure names its seed and its input.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '@cambist/contract/call.ts';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../app.ts';

const INPUTS = Number(process.env.FUZZ_INPUTS ?? 100_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const AT_ONCE = 24;
const PATIENCE_MS = 10_000;
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

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp('pglite');
  await server.app.accounts.ensure('client@example.test', PASSWORD, TRANSACTION_PASSWORD, 'client');
  await server.app.accounts.ensure('operator@example.test', PASSWORD, TRANSACTION_PASSWORD, 'operator');
});
afterAll(() => server.remove());

async function everyCall(): Promise<Call[]> {
  const folder = join(import.meta.dirname, '../../../contract/src');
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const modules = (await Promise.all(names.map((name) => import(join(folder, name))))) as Record<string, unknown>[];
  const isCall = (value: unknown): value is Call =>
    typeof value === 'object' && value !== null && 'methods' in value && 'path' in value;
  return modules.flatMap((module) => Object.values(module)).filter(isCall);
}

/** The names that a schema knows, however deep: input with the right names gets further in. */
function namesOf(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return [];
  const names = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('properties' in node) for (const name of Object.keys(node.properties as object)) names.add(name);
    for (const value of Object.values(node)) walk(value);
  };
  walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return [...names];
}

const nasty = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  'NaN',
  'null',
  'true',
  '\u0000',
  '\ud800',
  '💥',
  '../../etc/passwd',
  "' OR 1=1 --",
  '"; DROP TABLE clients; --',
  '{{7*7}}',
  '$t(key)',
  '<script>alert(1)</script>',
  '%00',
  '%',
  '\\',
  'BTC-USDT',
  'BTC',
  'USDT',
  '1',
  '0.001',
  '100',
  'ann@example.test',
  '2026-01-01',
  'a'.repeat(300),
  '９'.repeat(12),
  '0x'.padEnd(42, 'f'),
  '+14155550100',
  '9007199254740993',
  '99999999999999999999',
  '-0',
  '１２３',
  'a\nb',
  'constructor',
  '__proto__',
  'limit',
  'market',
  'BUY',
  'SELL',
];
const scalar = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...nasty) },
  fc.string({ maxLength: 40, unit: 'binary' }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined, 0, 1, 2, 10, 100, 2 ** 53, -(2 ** 63), 8_640_000_000_000_001),
);
const value = fc.oneof(
  { weight: 8, arbitrary: scalar },
  fc.array(scalar, { maxLength: 4 }),
  fc.dictionary(fc.constantFrom('a', '__proto__', 'price', 'id', 'en'), scalar, { maxKeys: 3 }),
  fc.array(fc.dictionary(fc.constantFrom('symbol', 'price', 'side', 'id'), scalar, { maxKeys: 3 }), { maxLength: 3 }),
);
const marked = (name: string, given: unknown) =>
  SECRET.test(name) && typeof given === 'string' ? MARK + given : given;

function inputsOf(call: Call): fc.Arbitrary<InjectOptions> {
  const names = [...namesOf(call.query), ...namesOf(call.body), 'unknown', '__proto__'];
  const fields = fc
    .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: Math.min(names.length + 1, 8) })
    .map((pairs) => Object.fromEntries(pairs.map(([name, given]) => [name, marked(name, given)])));
  const raw = fc.oneof(
    { weight: 12, arbitrary: fields.map((object) => JSON.stringify(object)) },
    fc.constantFrom(
      '{',
      '[]',
      'null',
      '"text"',
      '1',
      '{"a":'.repeat(200),
      '[['.repeat(500),
      '\u0000',
      '{"__proto__":{"x":1}}',
    ),
  );
  const query = fields.map((object) =>
    Object.entries(object)
      .map(([name, given]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(given))}`)
      .join('&'),
  );
  const parameter = fc.oneof(fc.constantFrom(...nasty.map(wellFormed)), fc.nat().map(String));
  return fc
    .record({
      method: fc.constantFrom(...call.methods),
      raw,
      query,
      parameter,
      type: fc.constantFrom(
        'application/json',
        'application/json',
        'application/json',
        'text/plain',
        'application/x-www-form-urlencoded',
      ),
      language: fc.constantFrom('en', 'de', 'ja;q=x', '*', 'zh-TW', ''),
    })
    .map(({ method, raw: payload, query: search, parameter: id, type, language }) => ({
      method,
      url: `${call.path.replace(/:\w+/g, encodeURIComponent(id) || '0')}${search ? `?${search}` : ''}`,
      headers: { 'accept-language': language, ...(method === 'GET' ? {} : { 'content-type': type }) },
      ...(method === 'GET' ? {} : { payload }),
    }));
}

/** What a URL cannot carry goes only in bodies. */
const wellFormed = (text: string) => text.toWellFormed();
const textOf = (given: unknown) => wellFormed(typeof given === 'string' ? given : (JSON.stringify(given) ?? ''));

async function signIn(name: string): Promise<string> {
  const payload = { username: `${name}@example.test`, password: PASSWORD };
  return String((await server.call({ method: 'POST', url: '/api/v3/login', payload })).body.token);
}

/** Some inputs end a session; the next call gets a new one. */
async function tokens(known: readonly string[]): Promise<string[]> {
  const isGood = async (token: string) =>
    (await server.call({ method: 'GET', url: '/api/v3/account-client', token })).status === 200;
  const names = ['client', 'operator'];
  return Promise.all(
    names.map(async (name, at) => (known[at] && (await isGood(known[at])) ? known[at] : signIn(name))),
  );
}

async function send(input: InjectOptions, token: string | undefined): Promise<void> {
  const headers = { ...input.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer: ${JSON.stringify(input)}`)), PATIENCE_MS);
  });
  const answer = await Promise.race([server.app.http.inject({ ...input, headers }), late]).finally(() =>
    clearTimeout(timer),
  );
  if (answer.statusCode >= 500 || LEAK.test(answer.body)) {
    throw new Error(
      `seed ${SEED}: ${answer.statusCode} for ${JSON.stringify(input).slice(0, 600)}: ${answer.body.slice(0, 300)}`,
    );
  }
}

it(`${INPUTS} malformed inputs at every call: no 500, no hang, no leak`, { timeout: 10 * 60_000 }, async () => {
  const calls = await everyCall();
  expect(calls.length).toBeGreaterThan(100);
  const open = calls.filter(
    (call) => namesOf(call.query).length + namesOf(call.body).length > 0 || call.path.includes(':'),
  );
  const plain = calls.filter((call) => !open.includes(call));
  const few = 40;
  const many = Math.ceil((INPUTS - plain.length * few) / open.length);
  let sent = 0;
  let held: string[] = [];
  for (const [at, call] of calls.entries()) {
    held = await tokens(held);
    const inputs = fc.sample(inputsOf(call), { seed: SEED + at, numRuns: plain.includes(call) ? few : many });
    const wants = {
      anyone: [undefined],
      'visitor-or-client': [undefined, held[0]],
      client: [held[0], held[0], undefined],
      operator: [held[1], held[1], held[0]],
    }[call.access];
    for (let first = 0; first < inputs.length; first += AT_ONCE) {
      const group = inputs.slice(first, first + AT_ONCE);
      await Promise.all(group.map((input, position) => send(input, wants[(first + position) % wants.length])));
    }
    sent += inputs.length;
  }
  expect(sent).toBeGreaterThanOrEqual(INPUTS);
});
