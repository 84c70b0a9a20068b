/** Every way in but the plain password, and what keeps people out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { anyKind } from '../../../test/databases.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp(anyKind);
});
afterAll(() => server.remove());

type Answer = { status: number; body: Record<string, unknown>; headers: Record<string, unknown> };
const get = (url: string, token?: string) =>
  server.call({ method: 'GET', url, ...(token ? { token } : {}) }) as Promise<Answer>;
const post = (url: string, payload: object, token?: string) =>
  server.call({ method: 'POST', url, payload, ...(token ? { token } : {}) }) as Promise<Answer>;

async function codeFor(email: string): Promise<string> {
  const { messages } = (await get(`/api/dev/outbox?to=${encodeURIComponent(email)}`)).body as {
    messages: { subject: string }[];
  };
  return messages[0]?.subject.slice(0, 6) ?? '';
}

async function register(email: string, changes: object = {}): Promise<Answer> {
  await post('/api/v2/send-code', { email });
  return post('/api/v2/register', {
    code: await codeFor(email),
    username: email,
    password: PASSWORD,
    password_confirmation: PASSWORD,
    transaction_password: TRANSACTION_PASSWORD,
    ...changes,
  });
}
const login = (username: string, password = PASSWORD) => post('/api/v3/login', { username, password });
const stateOf = async (token: string) =>
  (await get('/api/v3/account-client', token)).body.client as Record<string, unknown>;

describe('a phone number', () => {
  it.each([
    ['555000123', 'Phone number must have at least 10 characters'],
    ['+1 555 000 123', 'Phone number must have at least 10 characters'],
    ['55500012345', 'Please enter a valid phone number'],
    ['not a number', 'Please enter a valid phone number'],
  ])('%s is refused: %s (A-signup-23..25)', async (mobile_number, words) => {
    const answer = await register('phone@example.test', { mobile_number });
    expect(answer.status).toBe(422);
    expect(answer.body.message).toContain(words);
    server.advance(61_000);
  });

  it('signs in, its spaces and the dial code of the US aside (A-calls-21, A-calls-26, A-signup-08, A-signup-26)', async () => {
    expect((await get('/api/v2/mobile-check?username=4155550100')).body).toEqual({ message: 'not_exist' });
    const mobile_number = '415 555 0100';
    expect((await register('mobile@example.test', { mobile_number })).body).toEqual({ message: 'SUCCESS' });
    for (const spelling of ['4155550100', '+1 415 555 0100', '(415) 555-0100']) {
      expect((await post('/api/v2/mobile-check', { username: spelling })).body).toEqual({ message: 'exist' });
      const answer = await post('/api/v3/mobile-login', { mobile: spelling, password: PASSWORD });
      expect(answer.body).toMatchObject({ status: 200, user: { mobile_number: '+14155550100' } });
    }
    expect((await post('/api/v3/mobile-login', { username: '4155550100', password: PASSWORD })).status).toBe(200);
    const wrong = await post('/api/v3/mobile-login', { mobile: '4155550100', password: 'not this one' });
    const unknown = await post('/api/v3/mobile-login', { mobile: '4155550199', password: 'not this one' });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(unknown.body.detail).toBe(wrong.body.detail);
  });

  it('belongs to one account', async () => {
    const taken = await register('second@example.test', { mobile_number: '+14155550100' });
    expect(taken.body).toEqual({ message: 'USER_ALREADY_EXIST' });
  });

  it('is written with the dial code of a country of the list, named in the language asked for (A-signup-11)', async () => {
    const list = async (locale: string) =>
      (await get(`/api/v3/countries?locale=${locale}`)).body.countries as {
        code: string;
        name: string;
        dial_code: string;
      }[];
    expect((await list('en')).find(({ code }) => code === 'US')).toEqual({
      code: 'US',
      name: 'United States',
      dial_code: '1',
    });
    expect((await list('german')).find(({ code }) => code === 'DE')).toMatchObject({
      name: 'Deutschland',
      dial_code: '49',
    });
    expect((await list('en')).length).toBeGreaterThan(200);
  });
});

describe('sign-up', () => {
  it('refuses a password of the lists of stolen ones, and says so before', async () => {
    const password = 'password123';
    const answer = await register('stolen@example.test', { password, password_confirmation: password });
    expect(answer).toMatchObject({ status: 422, body: { code: 'STOLEN_PASSWORD' } });
    expect((await post('/api/v3/password-check', { password })).body).toEqual({ stolen: true });
    expect((await post('/api/v3/password-check', { password: PASSWORD })).body).toEqual({ stolen: false });
  });

  it('answers one state in all its fields (A-signin-13..15, A-account-state-02, A-account-state-05..12, A-account-state-42, A-account-state-43, T-account-state-03..07)', async () => {
    await register('fields@example.test');
    const { body } = await login('fields@example.test');
    const user = {
      id: expect.any(Number),
      email: 'fields@example.test',
      account_status: 'Unverified',
      user_unique_id: expect.stringMatching(/^\d{11}$/),
      mobile_number: '',
      provider: 'email',
    };
    const client = {
      id: expect.any(Number),
      status: 'ACTIVE',
      platform_status: 'active',
      membership_level: 'NO_BADGE',
      verified: 'FALSE',
      user,
    };
    expect(body).toMatchObject({ token: expect.any(String), user, client });
    const record = await get('/api/v3/clients', String(body.token));
    expect(record.body).toMatchObject({ verified: 'FALSE', clients: client });
    const id = (body.client as { id: number }).id;
    await server.app.engine.sequencer.submit({ kind: 'set-fees', owner: id, makerPpm: 500, takerPpm: 650 });
    await server.app.engine.projector.caughtUp();
    expect((await stateOf(String(body.token))).membership_level).toBe('VIP 2');
    await server.database.query('UPDATE clients SET verified = true WHERE id = $1', [id]);
    const verified = { verified: 'TRUE', user: { account_status: 'Verified' } };
    expect(await stateOf(String(body.token))).toMatchObject(verified);
    expect((await get('/api/v3/clients', String(body.token))).body).toMatchObject({
      verified: 'TRUE',
      clients: verified,
    });
  });
});

it.each([
  ['GET', '/api/v3/trades/funds'],
  ['GET', '/api/v3/wallets/spot'],
  ['POST', '/api/v3/orders'],
] as const)(
  'a token opens the wallet and trading: %s %s (A-account-state-49, A-account-state-52)',
  async (method, url) => {
    const token = await server.trader('opener', {});
    const ask = (who: object) => server.call({ method, url, ...who, ...(method === 'POST' ? { payload: {} } : {}) });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ token })).status).toBe(method === 'POST' ? 422 : 200);
  },
);

it('a client sees the wallet and manages how it is withdrawn from, a visitor neither (A-account-state-50)', async () => {
  const token = await server.trader('manager', { USDT: '125' });
  const ask = (method: 'GET' | 'POST' | 'PATCH', url: string, who?: string, payload?: object) =>
    server.call({ method, url, ...(who ? { token: who } : {}), ...(payload ? { payload } : {}) }) as Promise<Answer>;
  const acts = [
    ['GET', '/api/v3/wallets/spot', undefined],
    ['GET', '/api/v3/overview', undefined],
    ['POST', '/api/v3/update-withdraw-limit', { withdraw_limit: 500 }],
    ['PATCH', '/api/v3/security/withdrawal', { whitelist_only: true }],
    ['GET', '/api/v3/whitelist', undefined],
  ] as const;
  for (const [method, url, payload] of acts) {
    expect([url, (await ask(method, url, undefined, payload)).status]).toEqual([url, 401]);
    expect([url, (await ask(method, url, token, payload)).status]).toEqual([url, 200]);
  }
  const { wallet } = (await get('/api/v3/wallets/spot', token)).body as { wallet: Record<string, string>[] };
  expect(wallet.find(({ name }) => name === 'USDT')).toMatchObject({ coin_value: '125.00000000' });
  expect((await get('/api/v3/security', token)).body).toMatchObject({ withdraw_limit: 500, whitelist_only: true });
});

describe('a forgotten password', () => {
  /** Nobody waits for the mail, so that it takes no longer where there is an account. */
  async function send(email: string, isKnown = true): Promise<Answer> {
    const before = await codeFor(email);
    const answer = await get(`/api/v3/forgot-password/send-code?email=${encodeURIComponent(email)}`);
    if (isKnown) await expect.poll(() => codeFor(email)).not.toBe(before);
    return answer;
  }
  const verify = (email: string, code: string) => post('/api/v3/forget-password-code/verify', { email, code });
  const reset = (email: string, password: string, more: object = {}) =>
    post('/api/v3/reset-password', { email, password, ...more });

  it('is replaced once after the mailed code, which ends every session and restricts withdrawals (A-calls-29, A-calls-30, A-calls-33, A-signin-25, A-signin-26, A-signin-27)', async () => {
    const email = 'forgot@example.test';
    await register(email);
    const token = String((await login(email)).body.token);
    expect((await reset(email, 'without-a-code')).body.code).toBe('RESET_NOT_ALLOWED');
    expect((await send(email)).body).toEqual({ message: 'success', resend_after_s: 60 });
    expect((await verify(email, '000000x')).body).toEqual({ message: 'CODE_DOES_NOT_MATCH' });
    const code = await codeFor(email);
    const { reset_token } = (await verify(email, code)).body;
    expect((await verify(email, code)).body).toEqual({ message: 'CODE_DOES_NOT_MATCH' });
    expect((await reset(email, 'without-the-secret')).body.code).toBe('RESET_NOT_ALLOWED');
    expect((await reset('fields@example.test', 'not-his-own', { reset_token })).body.code).toBe('RESET_NOT_ALLOWED');
    expect((await reset(email, TRANSACTION_PASSWORD, { reset_token })).body.message).toBe(
      'same_as_transaction_password',
    );
    expect((await reset(email, 'a-fresh-password', { reset_token })).body).toEqual({ message: 'success' });
    expect((await reset(email, 'once-more-please', { reset_token })).body.code).toBe('RESET_NOT_ALLOWED');
    expect((await get('/api/v3/account-client', token)).status).toBe(401);
    expect((await login(email)).status).toBe(401);
    const fresh = await login(email, 'a-fresh-password');
    expect((fresh.body.client as { withdraw_transfer_status: string }).withdraw_transfer_status).toBe('NOT_ALLOWED');
  });

  it('is replaced by an old client, which asks by GET', async () => {
    const email = 'by-get@example.test';
    await register(email);
    await send(email);
    const ask = (path: string, fields: Record<string, string>) =>
      get(`/api/v3/${path}?${new URLSearchParams({ email, ...fields })}`);
    expect((await ask('forget-password-code/verify', { code: '000000x' })).body).toEqual({
      message: 'CODE_DOES_NOT_MATCH',
    });
    const checked = await ask('forget-password-code/verify', { code: await codeFor(email) });
    expect(checked.body.message).toBe('success');
    expect(checked.headers['cache-control']).toBe('no-store');
    const reset_token = String(checked.body.reset_token);
    expect((await ask('reset-password', { password: 'by-get-alone' })).body.code).toBe('RESET_NOT_ALLOWED');
    const replaced = await ask('reset-password', { password: 'by-get-alone', reset_token });
    expect(replaced.body).toEqual({ message: 'success' });
    expect(replaced.headers['cache-control']).toBe('no-store');
    expect((await login(email)).status).toBe(401);
    expect((await login(email, 'by-get-alone')).status).toBe(200);
  });

  /** @returns the secret */
  async function verified(email: string): Promise<string> {
    server.advance(61_000);
    await send(email);
    return String((await verify(email, await codeFor(email))).body.reset_token);
  }

  it('is set by the secret of the code alone: the same browser at the same address has none, and ten minutes end it', async () => {
    const email = 'older@example.test';
    await register(email);
    const reset_token = await verified(email);
    for (const wrong of [{}, { reset_token: '' }, { reset_token: email }, { reset_token: `${reset_token}x` }]) {
      expect(await reset(email, 'without-a-secret', wrong)).toMatchObject({
        status: 403,
        body: { code: 'RESET_NOT_ALLOWED' },
      });
    }
    server.advance(10 * 60_000 + 1);
    expect((await reset(email, 'ten-minutes-late', { reset_token })).body.code).toBe('RESET_NOT_ALLOWED');
    expect((await login(email)).status).toBe(200);
  });

  it('is not set by a secret after a newer one was given, or after the password has changed in another way', async () => {
    const email = 'newer@example.test';
    await register(email);
    const [older, newer] = [await verified(email), await verified(email)];
    expect((await reset(email, 'by-the-older-one', { reset_token: older })).body.code).toBe('RESET_NOT_ALLOWED');
    const token = String((await login(email)).body.token);
    await post('/api/v3/step-up', { purpose: 'password', transaction_password: TRANSACTION_PASSWORD }, token);
    const wish = { oldLoginPassword: PASSWORD, password: 'changed-by-myself' };
    expect((await post('/api/v3/update-password', wish, token)).body).toEqual({ message: 'saved' });
    expect((await reset(email, 'by-the-newer-one', { reset_token: newer })).body.code).toBe('RESET_NOT_ALLOWED');
    expect((await login(email, 'changed-by-myself')).status).toBe(200);
  });

  it('is set once by two that come at once, and also when the account changed in between', async () => {
    const email = 'twice@example.test';
    await register(email);
    const reset_token = await verified(email);
    const token = String((await login(email)).body.token);
    const words = ['the-first-of-two', 'the-second-of-two'];
    const [, ...answers] = await Promise.all([
      post('/api/v3/sessions/end-others', {}, token),
      ...words.map((password) => reset(email, password, { reset_token })),
    ]);
    const good = answers.map(({ body }) => body.message === 'success');
    expect(good.filter(Boolean)).toHaveLength(1);
    const entries = await Promise.all(words.map((password) => login(email, password)));
    expect(entries.map(({ status }) => status === 200)).toEqual(good);
  });

  it('does not tell whether an address has an account', async () => {
    await register('known@example.test');
    const [known, unknown] = [await send('known@example.test'), await send('unknown@example.test', false)];
    expect(unknown.body).toEqual(known.body);
    const again = await send('unknown@example.test', false);
    expect(again).toMatchObject({ status: 429, body: { code: 'CODE_SENT_RECENTLY' } });
    expect(await codeFor('unknown@example.test')).toBe('');
    expect((await verify('unknown@example.test', '123456')).body).toEqual({ message: 'CODE_DOES_NOT_MATCH' });
  });
});

describe('an address from before the grammar was strict', () => {
  const email = 'Jürgen@mail.localhost';

  it('still signs in, and gets the code of a forgotten password', async () => {
    await server.app.accounts.ensure(email, PASSWORD, TRANSACTION_PASSWORD, 'client');
    expect((await login('JÜRGEN@mail.localhost'.replace('Ü', 'ü'))).status).toBe(200);
    expect((await post('/api/v2/username-check', { username: email })).body).toEqual({ message: 'exist' });
    await post('/api/v3/forgot-password/send-code', { email });
    await expect.poll(() => codeFor(email)).toMatch(/^\d{6}$/);
  });

  it('is no new one, nor one that gets mail because it was typed', async () => {
    const fresh = 'jörg@mail.localhost';
    const calls = [
      await post('/api/v2/send-code', { email: fresh }),
      await register(fresh),
      await post('/api/v3/support/contact', { name: 'Jörg', email: fresh, topic: 'other', message: 'Hello there' }),
    ];
    for (const answer of calls) expect(answer).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } });
    expect(await codeFor(fresh)).toBe('');
  });
});

describe('a session', () => {
  it('is new at every sign-in: none that was brought along is raised, and none is given twice', async () => {
    await register('fresh@example.test');
    const brought = 'A'.repeat(43);
    const enter = (token: string) =>
      post('/api/v3/login', { username: 'fresh@example.test', password: PASSWORD }, token);
    const first = String((await enter(brought)).body.token);
    const second = String((await enter(first)).body.token);
    expect(new Set([brought, first, second]).size).toBe(3);
    expect((await get('/api/v3/account-client', brought)).status).toBe(401);
    await post('/api/v3/logout', {}, second);
    expect((await get('/api/v3/account-client', second)).status).toBe(401);
    expect((await get('/api/v3/account-client', first)).status).toBe(200);
  });
});

describe('a frozen account', () => {
  it('is told why, until when and where to object; it reads its state and nothing else (A-account-state-03, A-signin-23)', async () => {
    await register('frozen@example.test');
    const token = String((await login('frozen@example.test')).body.token);
    const id = Number((await stateOf(token)).id);
    const until = Date.now() + 30 * 86_400_000;
    await server.app.accounts.states.freeze(id, 'Unusual withdrawals', until);
    const restriction = { reason: 'Unusual withdrawals', until, appeal: '/contactus' };
    expect(await stateOf(token)).toMatchObject({ status: 'FREEZE_ACCOUNT', restriction });
    const refused = {
      status: 403,
      body: {
        code: 'FREEZE_ACCOUNT',
        message: 'Your account has been freezed. Please contact customer service for more details.',
        restriction,
      },
    };
    expect(await get('/api/v3/trades/funds', token)).toMatchObject(refused);
    expect(await post('/api/v3/orders', {}, token)).toMatchObject(refused);
    expect(await login('frozen@example.test')).toMatchObject(refused);
    expect((await login('frozen@example.test', 'not this one')).body.code).toBe('LOGIN_FAILED');
    expect((await post('/api/v3/logout', {}, token)).status).toBe(200);
    await server.app.accounts.states.unfreeze(id);
    expect((await login('frozen@example.test')).status).toBe(200);
  });

  it('is free again at its end', async () => {
    await register('thaw@example.test');
    const token = String((await login('thaw@example.test')).body.token);
    const id = Number((await stateOf(token)).id);
    // The clock of a test runs ahead by what it was advanced.
    const now = await new Promise<number>((resolve) => {
      const stop = server.app.accounts.states.onState((_, { ts }) => resolve(Number(ts)));
      void server.app.accounts.states.unfreeze(id).then(stop);
    });
    await server.app.accounts.states.freeze(id, 'For an hour', now + 3_600_000);
    expect((await stateOf(token)).status).toBe('FREEZE_ACCOUNT');
    server.advance(3_600_001);
    expect((await stateOf(token)).status).toBe('ACTIVE');
    expect((await login('thaw@example.test')).status).toBe(200);
  });
});

describe('maintenance', () => {
  it('keeps everybody out but operators, and says so before and after sign-in (A-account-state-04, A-signin-24)', async () => {
    await register('worker@example.test');
    const token = String((await login('worker@example.test')).body.token);
    await server.app.accounts.ensure('keeper@example.test', PASSWORD, TRANSACTION_PASSWORD, 'operator');
    await server.app.accounts.states.maintain({
      since: Date.now(),
      reason: 'A new engine',
      until_at: null,
      by_id: null,
    });
    expect((await stateOf(token)).platform_status).toBe('maintenance');
    expect((await get('/api/v3/sign-in-ways')).body).toMatchObject({
      platform_status: 'maintenance',
      maintenance: { reason: 'A new engine', until: null },
    });
    const refused = await login('worker@example.test');
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'MAINTENANCE', restriction: { reason: 'A new engine' } },
    });
    expect(refused.body.message).toContain('scheduled maintenance to improve system performance and stability');
    expect((await get('/api/v3/trades/funds', token)).body.code).toBe('MAINTENANCE');
    expect((await login('keeper@example.test')).status).toBe(200);
    await server.app.accounts.states.maintain({ since: null, reason: '', until_at: null, by_id: null });
    expect((await get('/api/v3/trades/funds', token)).status).toBe(200);
  });
});
