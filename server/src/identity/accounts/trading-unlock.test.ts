/** A session that stays unlocked for orders: where it holds, and everything that ends it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';

const MINUTE_MS = 60_000;
const order = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '50000', quantity: '0.001' };

describe.each(databaseKinds)('trading unlock (%s)', (kind) => {
  let server: TestApp;
  let names = 0;

  const signIn = async (username: string) =>
    String(
      (await server.call({ method: 'POST', url: '/api/v3/login', payload: { username, password: PASSWORD } })).body
        .token,
    );
  const unlock = (token: string, payload: object = {}) =>
    server.call({
      method: 'POST',
      url: '/api/v3/trading-unlock',
      token,
      payload: { transaction_password: TRANSACTION_PASSWORD, ...payload },
    });
  const state = async (token: string) =>
    (await server.call({ method: 'GET', url: '/api/v3/trading-unlock', token })).body.unlocked_until;
  const place = async (token: string) =>
    (await server.call({ method: 'POST', url: '/api/v3/orders', token, payload: order })).body.code ?? 'OK';

  /** A client who can pay for orders, in a session that is locked. */
  async function locked(): Promise<{ token: string; username: string }> {
    names += 1;
    const unlocked = await server.trader(`locked${names}`, { USDT: '100000' });
    expect(await place(unlocked)).toBe('OK');
    const username = `locked${names}@example.test`;
    return { token: await signIn(username), username };
  }

  beforeAll(async () => {
    server = await startTestApp(kind);
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
  });
  afterAll(() => server.remove());

  it.each([5, 15, 30, 60])('holds for %i minutes, in this session only (T-spot-119)', async (minutes) => {
    const { token, username } = await locked();
    expect(await state(token)).toBeNull();
    expect(await place(token)).toBe('TRANSACTION_PASSWORD_REQUIRED');
    const answer = await unlock(token, { minutes });
    expect(answer).toMatchObject({ status: 200, body: { message: 'success' } });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await state(token)).toBe(answer.body.unlocked_until);
    expect(await place(token)).toBe('OK');
    expect(await place(await signIn(username))).toBe('TRANSACTION_PASSWORD_REQUIRED');
    server.advance(minutes * MINUTE_MS - 5_000);
    expect(await place(token)).toBe('OK');
    server.advance(5_000);
    expect(await place(token)).toBe('TRANSACTION_PASSWORD_REQUIRED');
    expect(await state(token)).toBeNull();
  });

  it.each([0, 6, 720, 15.5])('is not given for %d minutes', async (minutes) => {
    const { token } = await locked();
    expect(await unlock(token, { minutes })).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } });
    expect(await state(token)).toBeNull();
  });

  it('is not given for a wrong password, which counts among the attempts', async () => {
    const { token } = await locked();
    const wrong = { message: 'wrong_transaction_password', unlocked_until: null };
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await unlock(token, { transaction_password: 'guess' })).body).toEqual(wrong);
    }
    expect((await unlock(token)).body).toEqual(wrong);
    expect(await place(token)).toBe('TRANSACTION_PASSWORD_REQUIRED');
    server.advance(MINUTE_MS + 1);
    expect((await unlock(token)).body.message).toBe('success');
  });

  it('ends when the client locks it, signs out, or changes a password', async () => {
    const { token, username } = await locked();
    await unlock(token);
    await server.call({ method: 'DELETE', url: '/api/v3/trading-unlock', token });
    expect(await place(token)).toBe('TRANSACTION_PASSWORD_REQUIRED');

    const other = await signIn(username);
    await Promise.all([unlock(token), unlock(other)]);
    const payload = { purpose: 'transaction-password', transaction_password: TRANSACTION_PASSWORD };
    await server.call({ method: 'POST', url: '/api/v3/step-up', token, payload });
    const changed = await server.call({
      method: 'POST',
      url: '/api/v3/update-transaction-password',
      token,
      payload: { oldTransactionPassword: TRANSACTION_PASSWORD, transactionPassword: 'order-other' },
    });
    expect(changed.body).toEqual({ message: 'saved' });
    expect(await place(token)).toBe('TRANSACTION_PASSWORD_REQUIRED');
    expect(await place(other)).toBe('TRANSACTION_PASSWORD_REQUIRED');

    await unlock(token, { transaction_password: 'order-other' });
    await server.call({ method: 'POST', url: '/api/v3/logout', token });
    expect(await place(token)).toBe('SESSION_ENDED');
    expect(await place(await signIn(username))).toBe('TRANSACTION_PASSWORD_REQUIRED');
  });

  it('is still there after a restart, and so is its end', async () => {
    const [kept, ended] = [await locked(), await locked()];
    await Promise.all([unlock(kept.token), unlock(ended.token)]);
    await server.call({ method: 'DELETE', url: '/api/v3/trading-unlock', token: ended.token });
    await server.stop();
    server = await startTestApp(kind, server.source);
    expect(await place(kept.token)).toBe('OK');
    expect(await place(ended.token)).toBe('TRANSACTION_PASSWORD_REQUIRED');
    expect((await server.call({ method: 'GET', url: '/api/v3/trading-unlock' })).status).toBe(401);
  });
});
