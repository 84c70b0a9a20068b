/** Every call of the contract against every role, by the server that registers them and by a table kept apart. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Call, STREAM_OPERATIONS } from '@cambist/contract/call.ts';
import { LOCALES } from '@cambist/contract/locales.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { type CallServer, type Identity, Refusal } from '../src/platform/calls.ts';
import { Moments } from '../src/platform/moments.ts';
import { createCallServer } from '../src/platform/serve.ts';
import { frozen } from './permission-table.ts';

type Group = keyof typeof frozen;

const roles = {
  client: { clientId: 1000, sessionId: 1, role: 'client' },
  operator: { clientId: 1001, sessionId: 2, role: 'operator' },
  'read key': { clientId: 1000, sessionId: -1, role: 'client', permissions: ['read'] },
  'trade key': { clientId: 1000, sessionId: -2, role: 'client', permissions: ['trade'] },
  'key of an operator': { clientId: 1001, sessionId: -3, role: 'operator', permissions: ['read', 'trade'] },
} as const satisfies Record<string, Identity>;
type Role = keyof typeof roles;
const callers = ['stranger', ...(Object.keys(roles) as Role[])] as const;
type Caller = (typeof callers)[number];

/** How a group answers each caller: the code of the refusal, or undefined where the call is made. */
const answers: Readonly<Record<Group, Readonly<Partial<Record<Caller, string>>>>> = {
  public: {},
  'visitor, any key': {},
  'visitor, no key': keys('NOT_FOR_THIS_KEY'),
  'client, no key': { stranger: 'UNAUTHENTICATED', ...keys('NOT_FOR_THIS_KEY') },
  'holder, read key': {
    stranger: 'UNAUTHENTICATED',
    operator: 'OPERATOR_HAS_NO_WALLET',
    'trade key': 'NOT_FOR_THIS_KEY',
    'key of an operator': 'OPERATOR_HAS_NO_WALLET',
  },
  'holder, no key': { stranger: 'UNAUTHENTICATED', operator: 'OPERATOR_HAS_NO_WALLET', ...keys('NOT_FOR_THIS_KEY') },
  'trader, trade key': {
    stranger: 'UNAUTHENTICATED',
    operator: 'OPERATOR_HAS_NO_WALLET',
    'read key': 'NOT_FOR_THIS_KEY',
    'key of an operator': 'OPERATOR_HAS_NO_WALLET',
  },
  'trader, no key': { stranger: 'UNAUTHENTICATED', operator: 'OPERATOR_HAS_NO_WALLET', ...keys('NOT_FOR_THIS_KEY') },
  operator: {
    stranger: 'UNAUTHENTICATED',
    client: 'NOT_AN_OPERATOR',
    'read key': 'NOT_AN_OPERATOR',
    'trade key': 'NOT_AN_OPERATOR',
    'key of an operator': 'NOT_FOR_THIS_KEY',
  },
};

function keys(code: string) {
  return { 'read key': code, 'trade key': code, 'key of an operator': code };
}

async function contractCalls(): Promise<Call[]> {
  const directory = join(import.meta.dirname, '../../contract/src');
  const files = readdirSync(directory).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const modules = await Promise.all(files.map((name) => import(join(directory, name)) as Promise<object>));
  return modules
    .flatMap((module) => Object.values(module))
    .filter((value): value is Call => typeof value === 'object' && value !== null && 'methods' in value);
}

const names = (call: Call) => call.methods.map((method) => `${method} ${call.path}`);
const listed = (group: Group) => frozen[group].trim().split(/\s*\n\s*/);

describe('permissions', () => {
  let http: FastifyInstance;
  let calls: CallServer;
  let all: Call[];

  beforeAll(async () => {
    http = Fastify();
    http.setValidatorCompiler(() => (value: unknown) => ({ value }));
    all = await contractCalls();
    calls = createCallServer({
      app: http,
      moments: new Moments(),
      authenticate: (token) => roles[token as Role],
      stepUp: async ({ clientId, sessionId }) => ({ clientId, sessionId, epoch: 0 }),
      audit: { record: async () => undefined },
      clock: Date,
      isDevelopment: true,
      checkAnswers: true,
      sensitivePerMinute: 0,
    });
    for (const call of all) calls.serve(call, () => new Refusal(418, 'MADE', 'The handler was reached'));
  });
  afterAll(() => http.close());

  async function codeFor(name: string, caller: Caller): Promise<string | undefined> {
    const [method, path] = name.split(' ') as ['GET', string];
    const answer = await http.inject({
      method,
      url: path.replace(/:\w+/g, '1'),
      ...(caller === 'stranger' ? {} : { headers: { authorization: `Bearer ${caller}` } }),
    });
    const { code } = answer.json<{ code: string }>();
    // Input is looked at after the caller, so a refusal of the input means that the caller was admitted.
    return ['MADE', 'INVALID_INPUT'].includes(code) ? undefined : code;
  }

  it('are declared by every call of the contract, and the table names each of them once', () => {
    const declared = all.flatMap(names).sort();
    const inTable = (Object.keys(frozen) as Group[]).flatMap(listed).sort();
    expect(declared.length).toBeGreaterThan(150);
    expect(inTable).toEqual(declared);
    expect(all.filter(({ access, keys }) => keys === undefined && !/^(public|operator:)/.test(access))).toEqual([]);
  });

  for (const group of Object.keys(frozen) as Group[]) {
    it(`admit and refuse each role as the table says: ${group}`, async () => {
      for (const name of listed(group)) {
        for (const caller of callers) {
          expect(`${caller}: ${await codeFor(name, caller)}`, name).toBe(`${caller}: ${answers[group][caller]}`);
        }
      }
    });
  }

  it('admit and refuse over the private socket as over HTTP', async () => {
    const taken = all.filter(({ op }) => op !== undefined);
    expect(taken.map(({ op }) => op).sort()).toEqual([...STREAM_OPERATIONS].sort());
    for (const call of taken) {
      for (const caller of callers) {
        const token = caller === 'stranger' ? undefined : caller;
        const request = { token, args: { id: '1' }, key: undefined, locale: LOCALES[0] };
        const answer = await calls.perform(call.op!, request);
        const code = answer instanceof Refusal ? answer.code : 'ANSWERED';
        const admitted = ['MADE', 'INVALID_INPUT'].includes(code) ? undefined : code;
        expect(`${caller}: ${admitted}`, call.path).toBe(`${caller}: ${await codeFor(names(call)[0]!, caller)}`);
      }
    }
  });

  it('keep operators, and keys without `trade`, out of every call of a trader', async () => {
    const trading = all.filter(({ access }) => access === 'trader');
    expect(trading.length).toBeGreaterThan(0);
    for (const name of trading.flatMap(names)) {
      expect(await codeFor(name, 'operator'), name).toBe('OPERATOR_HAS_NO_WALLET');
      expect(await codeFor(name, 'read key'), name).toBe('NOT_FOR_THIS_KEY');
    }
  });

  it('take a key with every wish that trades, and count no proof as a part of the wish', () => {
    const trading = all.filter(({ keys }) => keys === 'trade');
    expect(trading.length).toBeGreaterThan(0);
    for (const call of all.filter(({ keys, idempotent }) => keys === 'trade' || idempotent)) {
      const fields = [call.query, call.body, call.params].flatMap((one) =>
        Object.keys((one as z.ZodObject)?.shape ?? {}),
      );
      const proofs = fields.filter((name) => /password|token|verification/.test(name));
      expect(call.idempotent?.except, call.path).toEqual(expect.arrayContaining(proofs));
      expect(fields, call.path).toEqual(expect.arrayContaining([...(call.idempotent?.except ?? [])]));
    }
  });

  it('let pages of other sites read market data, and nothing that a caller or a page of ours may change', async () => {
    for (const call of all) {
      for (const method of call.methods) {
        const { headers } = await http.inject({
          method,
          url: call.path.replace(/:\w+/g, '1'),
          headers: { origin: 'https://a.b' },
        });
        const read = headers['access-control-allow-origin'];
        expect(`${method} ${call.path} ${read}`).toBe(`${method} ${call.path} ${call.anyOrigin ? '*' : undefined}`);
        expect(headers).not.toHaveProperty('access-control-allow-credentials');
      }
    }
    const open = all.filter(({ anyOrigin }) => anyOrigin);
    expect(open.flatMap(({ methods }) => methods).every((method) => method === 'GET')).toBe(true);
    expect(open.map(({ path }) => path)).toEqual(expect.arrayContaining(['/api/v3/history', '/api/v5/market/ticker']));
  });
});
