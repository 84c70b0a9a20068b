import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { anyKind } from '../../../test/databases.ts';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp(anyKind);
});
afterAll(() => server.remove());

const password = 'correct horse';
const transaction_password = 'battery';

const get = (url: string, token?: string) => server.call({ method: 'GET', url, ...(token ? { token } : {}) });
const post = (url: string, payload: object, token?: string) =>
  server.call({ method: 'POST', url, payload, ...(token ? { token } : {}) });

async function codeFor(email: string): Promise<string> {
  const { body } = await get(`/api/dev/outbox?to=${encodeURIComponent(email)}`);
  const [newest] = body.messages as unknown as { subject: string }[];
  return newest?.subject.slice(0, 6) ?? '';
}

async function register(email: string, changes: object = {}) {
  await post('/api/v2/send-code', { email });
  const code = await codeFor(email);
  const passwords = { password, password_confirmation: password, transaction_password };
  return post('/api/v2/register', { code, username: email, ...passwords, ...changes });
}

describe('sign-up', () => {
  it('says whether an address is taken, by GET and by its POST twin (A-calls-25)', async () => {
    expect((await get('/api/v2/username-check?username=new@example.test')).body).toEqual({ message: 'not_exist' });
    await register('taken@example.test');
    expect((await get('/api/v2/username-check?username=Taken@Example.test')).body).toEqual({ message: 'exist' });
    expect((await post('/api/v2/username-check', { username: 'taken@example.test' })).body).toEqual({
      message: 'exist',
    });
  });

  it('mails a six-digit code, and not again within the minute (A-calls-27)', async () => {
    const first = await get('/api/v2/send-code?email=code@example.test');
    expect(first).toMatchObject({ status: 200, body: { message: 'success', resend_after_s: 60 } });
    expect(await codeFor('code@example.test')).toMatch(/^\d{6}$/);
    const second = await post('/api/v2/send-code', { email: 'code@example.test' });
    expect(second).toMatchObject({ status: 429, body: { code: 'CODE_SENT_RECENTLY' } });
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(50);
  });

  it('keeps newest first in the development outbox, with text, html and time', async () => {
    const { body } = await get('/api/dev/outbox?to=code@example.test');
    const [mail] = body.messages as unknown as Record<string, string>[];
    expect(mail).toMatchObject({ to: 'code@example.test', subject: expect.stringMatching(/^\d{6} /) });
    expect(mail?.text).toContain('ten minutes');
    expect(mail?.html).toContain('<p');
    expect(Date.parse(mail?.sentAt ?? '')).toBeGreaterThan(0);
  });

  it('answers CODE_DOES_NOT_MATCH, SUCCESS and USER_ALREADY_EXIST (A-calls-28)', async () => {
    await post('/api/v2/send-code', { email: 'ann@example.test' });
    const code = await codeFor('ann@example.test');
    const wrong = code === '000000' ? '111111' : '000000';
    const body = { username: 'ann@example.test', password, password_confirmation: password, transaction_password };
    expect((await post('/api/v2/register', { ...body, code: wrong })).body).toEqual({ message: 'CODE_DOES_NOT_MATCH' });
    expect((await post('/api/v2/register', { ...body, code })).body).toEqual({ message: 'SUCCESS' });
    expect((await post('/api/v2/register', { ...body, code })).body).toEqual({ message: 'CODE_DOES_NOT_MATCH' });
    server.advance(120_000);
    expect((await register('ann@example.test')).body).toEqual({ message: 'USER_ALREADY_EXIST' });
  });

  it('says whether a code is right before the rest is asked for, and only a wrong one costs a try', async () => {
    const email = 'early@example.test';
    await post('/api/v2/send-code', { email });
    const code = await codeFor(email);
    const wrong = code === '000000' ? '111111' : '000000';
    const verify = async (given: string, to = email) =>
      (await post('/api/v3/register-code/verify', { email: to, code: given })).body.message;
    expect(await verify(code, 'another@example.test')).toBe('CODE_DOES_NOT_MATCH');
    for (let slip = 0; slip < 4; slip += 1) expect(await verify(wrong)).toBe('CODE_DOES_NOT_MATCH');
    expect([await verify(code), await verify(` ${code} `)]).toEqual(['SUCCESS', 'SUCCESS']);
    const body = { username: email, password, password_confirmation: password, transaction_password };
    expect((await post('/api/v2/register', { ...body, code })).body).toEqual({ message: 'SUCCESS' });
    // It was used up by registering.
    expect(await verify(code)).toBe('CODE_DOES_NOT_MATCH');
  });

  it('stops listening after five wrong codes, wherever they were said', async () => {
    const email = 'guessed@example.test';
    await post('/api/v2/send-code', { email });
    const code = await codeFor(email);
    const wrong = code === '000000' ? '111111' : '000000';
    for (let slip = 0; slip < 5; slip += 1) await post('/api/v3/register-code/verify', { email, code: wrong });
    const late = await post('/api/v3/register-code/verify', { email, code });
    expect(late.body).toEqual({ message: 'CODE_DOES_NOT_MATCH' });
    const body = { username: email, password, password_confirmation: password, transaction_password };
    expect((await post('/api/v2/register', { ...body, code })).body).toEqual({ message: 'CODE_DOES_NOT_MATCH' });
  });

  it('a code is good for five tries and ten minutes', async () => {
    await post('/api/v2/send-code', { email: 'tries@example.test' });
    const code = await codeFor('tries@example.test');
    const body = { username: 'tries@example.test', password, password_confirmation: password, transaction_password };
    const wrong = code === '000000' ? '111111' : '000000';
    for (let attempt = 0; attempt < 5; attempt += 1) await post('/api/v2/register', { ...body, code: wrong });
    expect((await post('/api/v2/register', { ...body, code })).body).toEqual({ message: 'CODE_DOES_NOT_MATCH' });

    await post('/api/v2/send-code', { email: 'late@example.test' });
    const late = await codeFor('late@example.test');
    server.advance(10 * 60_000 + 1);
    const answer = await post('/api/v2/register', { ...body, username: 'late@example.test', code: late });
    expect(answer.body).toEqual({ message: 'CODE_DOES_NOT_MATCH' });
  });

  it.each([
    [{ username: 'not-an-address' }, 'E-mail must be valid'],
    [{ username: '' }, 'E-mail is required'],
    [{ password: '12345678', password_confirmation: '12345678' }, 'Password must be at least 9 characters'],
    [{ password_confirmation: 'another one' }, 'Password does not match'],
    [{ transaction_password: password }, 'may not equal the password'],
    [{ code: '' }, 'This field is required'],
  ])('refuses %j with the documented words', async (change, words) => {
    const good = {
      code: '123456',
      username: 'bad@example.test',
      password,
      password_confirmation: password,
      transaction_password,
    };
    const answer = await post('/api/v2/register', { ...good, ...change });
    expect(answer.status).toBe(422);
    expect(String(answer.body.message)).toContain(words);
  });
});

describe('sign-in', () => {
  it('answers token, user and client, also when mobile is sent (A-calls-20)', async () => {
    await register('sam@example.test');
    const answer = await post('/api/v3/login', { username: 'SAM@example.test', password, mobile: '5550001234' });
    expect(answer.body).toMatchObject({
      status: 200,
      token: expect.stringMatching(/^[\w-]{43}$/),
      user: { email: 'sam@example.test', account_status: 'Unverified' },
      client: { status: 'ACTIVE', platform_status: 'active', membership_level: 'NO_BADGE' },
    });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('answers alike for a wrong password and an unknown address', async () => {
    const wrong = await post('/api/v3/login', { username: 'sam@example.test', password: 'not this one' });
    const unknown = await post('/api/v3/login', { username: 'nobody@example.test', password: 'not this one' });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'LOGIN_FAILED' } });
    expect(unknown.body.detail).toBe(wrong.body.detail);
  });

  it('reads the account by bearer token (A-calls-05, T-calls-40)', async () => {
    const { body } = await post('/api/v3/login', { username: 'sam@example.test', password });
    const token = String(body.token);
    const account = await get('/api/v3/account-client', token);
    expect(account.body.client).toMatchObject({ status: 'ACTIVE', platform_status: 'active' });
    expect((await get('/api/v3/account-client')).status).toBe(401);
    expect((await get('/api/v3/account-client', 'made-up')).body).toMatchObject({ code: 'SESSION_ENDED' });
  });

  it('signs out with no body, and the token is dead at once (A-calls-06, T-calls-41)', async () => {
    const { body } = await post('/api/v3/login', { username: 'sam@example.test', password });
    const token = String(body.token);
    expect((await server.call({ method: 'POST', url: '/api/v3/logout', token })).status).toBe(200);
    expect((await get('/api/v3/account-client', token)).status).toBe(401);
    expect((await server.call({ method: 'POST', url: '/api/v3/logout', token })).status).toBe(401);
  });

  it('a session ends by its time', async () => {
    const { body } = await post('/api/v3/login', { username: 'sam@example.test', password });
    server.advance(8 * 86_400_000);
    expect((await get('/api/v3/account-client', String(body.token))).status).toBe(401);
  });
});

describe('the transaction password', () => {
  it('unlocks trading for a while, and five wrong ones close the door for a minute', async () => {
    await register('pin@example.test');
    const { body } = await post('/api/v3/login', { username: 'pin@example.test', password });
    const token = String(body.token);
    const unlock = (value: string) =>
      post('/api/v3/trading-unlock', { transaction_password: value, minutes: 15 }, token);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await unlock('wrong one')).body).toEqual({ message: 'wrong_transaction_password', unlocked_until: null });
    }
    expect((await unlock(transaction_password)).body.message).toBe('wrong_transaction_password');
    server.advance(61_000);
    expect((await unlock(transaction_password)).body.message).toBe('success');
  });

  it('an order without it is refused while the session is locked', async () => {
    const { body } = await post('/api/v3/login', { username: 'sam@example.test', password });
    const order = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '90000', quantity: '0.01' };
    const answer = await post('/api/v3/orders', order, String(body.token));
    expect(answer).toMatchObject({ status: 403, body: { code: 'TRANSACTION_PASSWORD_REQUIRED' } });
  });
});
