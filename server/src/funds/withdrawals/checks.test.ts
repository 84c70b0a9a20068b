/** What stands in the way of a withdrawal, each by itself, through the whole server. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { checkWithdrawal, withdrawalLimits, withdrawNetworks } from '@cambist/contract/withdrawals.ts';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { evmElsewhere, tronElsewhere } from '../../../test/elsewhere.ts';
import { createWithdrawing, type Withdrawing } from '../../../test/withdrawing.ts';
import { byExchange } from '../../platform/authority.ts';

const DAY_MS = 86_400_000;
const toTron = { coin: 'USDT', bchain_name: 'TRC20', withdraw_address: tronElsewhere(1), withdraw_amount: '100' };

describe.each(databaseKinds)('a withdrawal is checked (%s)', (kind) => {
  let server: TestApp;
  let wd: Withdrawing;
  let names = 0;

  beforeAll(async () => {
    server = await startTestApp(kind);
    wd = createWithdrawing(server);
    await server.app.withdrawals.warnOf('TRC20', tronElsewhere(66), 'A known fraud');
  });
  afterAll(() => server.remove());

  async function client(funds: Record<string, string> = { USDT: '1000' }) {
    names += 1;
    const name = `checked-${names}`;
    return { name, token: await server.client(name, funds) };
  }
  const check = async (token: string, changed: object = {}) => {
    const { status, body } = await wd.post('/api/v3/withdrawals/check', token, { ...toTron, ...changed });
    return status === 200 ? (body as AnswerOf<typeof checkWithdrawal>) : `${status} ${body.code}: ${body.message}`;
  };
  const limits = (token: string) => wd.get<AnswerOf<typeof withdrawalLimits>>('/api/v3/withdrawal-limits', token);
  const send = async ({ name, token }: { name: string; token: string }, changed: object = {}, headers = {}) =>
    wd.withdraw(token, { ...toTron, verification: await wd.code(name, token), ...changed }, headers);
  const stepUp = (token: string, purpose: string, more: object = {}) =>
    wd.post('/api/v3/step-up', token, { purpose, transaction_password: TRANSACTION_PASSWORD, ...more });

  it('by the networks and figures of the documents (T-withdraw-01, T-withdraw-05, T-withdraw-06, T-withdraw-07, T-withdraw-61, T-withdraw-62, T-withdraw-63, T-withdraw-64, T-withdraw-65, T-withdraw-66, T-withdraw-67, T-withdraw-68, T-withdraw-69, T-withdraw-70, T-withdraw-71, T-withdraw-72, T-withdraw-73, T-withdraw-74)', async () => {
    const { body } = await server.call({ method: 'GET', url: '/api/v3/withdraw-networks' });
    const { coins } = body as unknown as AnswerOf<typeof withdrawNetworks>;
    const dollar = ['TRC20 min 10 fee 1, 2 min, 1', 'ERC20 min 30 fee 20, 5 min, 6'];
    const row = ({ value, minimum, fee, arrival, confirmation }: (typeof coins)[number]['networks'][number]) =>
      `${value} min ${minimum} fee ${fee}, ${arrival} min, ${confirmation}`;
    const shown = Object.fromEntries(coins.map(({ name, networks }) => [name, networks.map(row)]));
    expect(shown).toMatchObject({ USDT: dollar, USDC: dollar });
    expect(shown.ETH).toEqual([expect.stringMatching(/^ERC20 min 0\.01 fee 0\.0025, (null|\d+) min, 64$/)]);
    expect(shown.BTC).toEqual([expect.stringMatching(/^BTC min 0\.0001 fee 0\.000068, (null|\d+) min, 64$/)]);
    expect(Object.keys(shown)).toHaveLength(4);
  });

  it('for its coin, network, amount and fee (T-withdraw-37, T-withdraw-38)', async () => {
    const person = await client();
    const refused = (changed: object) => check(person.token, changed);
    expect(await refused({ coin: 'DOGE2' })).toMatch(/^404 UNKNOWN_COIN/);
    expect(await refused({ bchain_name: 'BEP20', withdraw_address: evmElsewhere(1) })).toBe(
      '404 UNKNOWN_NETWORK: USDT cannot be withdrawn by BEP20.',
    );
    expect(await refused({ withdraw_amount: '9.999999' })).toBe(
      '422 BELOW_MINIMUM: Amount must be greater than minimum withdrawable (10)',
    );
    expect(await refused({ withdraw_amount: '1000.000001' })).toBe(
      '422 INSUFFICIENT_FUNDS: Amount must be less than or equal to your balance (1000.00000000)',
    );
    // The ledger has eight decimals, the chain has six.
    expect(await refused({ withdraw_amount: '10.0000001' })).toMatch(/^422 INVALID_AMOUNT: Use at most 6/);
    expect(await refused({ withdraw_amount: '10.00000000' })).toMatchObject({ receive_amount: '9.00000000' });
    expect(await refused({ withdraw_amount: '10.000000001' })).toMatch(/^422 INVALID_AMOUNT/);
    const changed = await send(person, { gasfee: '0.5' });
    expect([changed.status, changed.body.code, changed.body.fee]).toEqual([409, 'FEE_CHANGED', '1']);
    expect((await send(person, { gasFee: '1.0' })).body.message).toBe('success');
  });

  it('for its address: known frauds, contracts and the own one are refused (T-withdraw-52)', async () => {
    const { token } = await client();
    const to = (withdraw_address: string, bchain_name = 'TRC20') =>
      check(token, { withdraw_address, bchain_name, withdraw_amount: '100' });
    expect(await to(tronElsewhere(66))).toBe(
      '422 FRAUDULENT_ADDRESS: This address is fraudulent. Do not send funds to it.',
    );
    expect(await to('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toMatch(/TOKEN_CONTRACT/);
    expect(await to('0xdac17f958d2ee523a2206206994597c13d831ec7', 'ERC20')).toMatch(/TOKEN_CONTRACT/);
    const { wallet } = await wd.get<{ wallet: { wallet_address: string } }>(
      '/api/v3/generate-wallet?wallet_type=TRC20',
      token,
    );
    expect(await to(wallet.wallet_address)).toMatch(/OWN_ADDRESS/);
    expect(await to(tronElsewhere(3).slice(0, 30))).toBe(
      '422 INVALID_ADDRESS: The withdrawal address format is wrong. Please check the withdrawal address length and character content and try again.',
    );
    expect(await to(evmElsewhere(3))).toBe(
      '422 INVALID_ADDRESS: This address does not match the currently selected primary network.',
    );
  });

  it('for its receiver: nothing goes to the address of an account that has ended', async () => {
    const [sender, receiver] = [await client(), await client({})];
    const { wallet } = await wd.get<{ wallet: { wallet_address: string } }>(
      '/api/v3/generate-wallet?wallet_type=TRC20',
      receiver.token,
    );
    const to = { withdraw_address: wallet.wallet_address };
    expect(await check(sender.token, to)).toMatchObject({ is_internal: true });
    const { clientId } = (await server.app.accounts.sessions.authenticate(receiver.token))!;
    await server.app.accounts.clients.beginDeletion(byExchange(clientId), 0);
    expect(await server.app.accounts.clients.erase(clientId, server.now(), [])).toBe(true);
    expect(await check(sender.token, to)).toMatch(/^422 EXCHANGE_ADDRESS/);
    expect((await send(sender, to)).body.code).toBe('EXCHANGE_ADDRESS');
  });

  it('for the account: while it is restricted nothing is asked for, and the wait is said (T-withdraw-25, T-withdraw-35, T-withdraw-55, T-withdraw-56)', async () => {
    const person = await client({ USDT: '20000' });
    // So much waits for an operator.
    const sent = await send(person, { withdraw_amount: '15000' });
    const { clientId } = (await server.app.accounts.sessions.authenticate(person.token))!;
    await server.app.accounts.restrictions.byOperator(clientId, 'We look into it', server.now() + 2 * 3_600_000, 1);
    const refused = await send(person, { withdraw_amount: '50' });
    expect([refused.status, refused.body.code]).toEqual([403, 'WITHDRAWALS_HELD']);
    expect(refused.body.message).toMatch(
      /identified as having a high risk of being linked to a potential scam, and withdrawals are temporarily disabled for .*(hour|minutes)/,
    );
    expect(await check(person.token)).toMatch(/^403 WITHDRAWALS_HELD/);
    expect((await limits(person.token)).status).toBe('NOT_ALLOWED');
    // What has not left yet waits too.
    expect(await wd.history(person.token)).toMatchObject([{ id: sent.body.withdrawal?.id, state: 'FREEZE' }]);
  });

  it('while a password is being changed: nothing leaves between the change and the pause that it brings', async () => {
    const person = await client();
    const { clientId } = (await server.app.accounts.sessions.authenticate(person.token))!;
    const { restrictions } = server.app.accounts;
    const held = async () => (await restrictions.active(clientId)).length;
    const during = await restrictions.around(clientId, 'factor', held);
    expect([during, await held()]).toEqual([1, 1]);
    const other = (await server.app.accounts.sessions.authenticate((await client()).token))!.clientId;
    const notMade = await restrictions.around(
      other,
      'factor',
      async () => (await restrictions.active(other)).length,
      () => false,
    );
    expect([notMade, (await restrictions.active(other)).length]).toEqual([1, 0]);
    const lost = restrictions.around(other, 'factor', () => Promise.reject(new Error('The answer was lost')));
    await expect(lost).rejects.toThrow('lost');
    // Whether it was made is not known: the pause stays.
    expect((await restrictions.active(other)).length).toBe(1);
  });

  it('for the password and the code, and a right code is good until something is written (T-calls-49, T-withdraw-57, T-withdraw-58)', async () => {
    const person = await client();
    const verification = await wd.code(person.name, person.token);
    const ask = async (changed: object) => {
      const { body } = await wd.withdraw(person.token, { ...toTron, verification, ...changed });
      return body.code ?? body.message;
    };
    expect(await ask({ transaction_password: 'wrong' })).toBe('wrong_password');
    expect(await ask({ transaction_password: '' })).toBe('wrong_password');
    expect(await ask({ verification: verification === '000000' ? '000001' : '000000' })).toBe('wrong_code');
    expect(await ask({ verification: '' })).toBe('wrong_code');
    expect(await ask({ withdraw_amount: '2000' })).toBe('INSUFFICIENT_FUNDS');
    expect(await ask({})).toBe('success');
    expect(await ask({})).toBe('wrong_code');
    expect(await wd.history(person.token)).toHaveLength(1);
  });

  it('under a key once: the same wish finds the same withdrawal, another one is refused', async () => {
    const person = await client();
    const headers = { 'idempotency-key': 'my-key' };
    const verification = await wd.code(person.name, person.token);
    const ask = (changed: object = {}) => wd.withdraw(person.token, { ...toTron, verification, ...changed }, headers);
    const all = await Promise.all(Array.from({ length: 8 }, () => ask()));
    expect(new Set(all.map(({ body }) => `${body.message} ${body.withdrawal?.id}`)).size).toBe(1);
    expect(all[0]?.body.message).toBe('success');
    expect((await ask({ withdraw_amount: '101' })).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await wd.balance(person.token, 'USDT')).toEqual(['900', '100']);
  });

  it('by its own limits: of twenty at once none exceeds the cap of a day', async () => {
    const person = await client({ USDT: '5000' });
    await wd.post('/api/v3/update-withdraw-limit', person.token, {});
    const capped = await server.call({
      method: 'POST',
      url: '/api/v3/update-withdraw-limit?withdraw_limit=500',
      token: person.token,
    });
    expect(capped.status).toBe(200);
    const verification = await wd.code(person.name, person.token);
    const all = await Promise.all(
      Array.from({ length: 20 }, () => wd.withdraw(person.token, { ...toTron, withdraw_amount: '300', verification })),
    );
    // The code is good for one; the next has one of its own and meets the cap.
    expect(all.filter(({ body }) => body.message === 'success')).toHaveLength(1);
    const next = await send(person, { withdraw_amount: '201' });
    expect([next.status, next.body.code]).toEqual([409, 'LIMIT_EXCEEDED']);
    expect(next.body.message).toBe('You have set a limit of 500 USDT within 24 hours. You have used 300 USDT.');
    expect(await check(person.token, { withdraw_amount: '201' })).toMatch(/^409 LIMIT_EXCEEDED/);
    expect((await send(person, { withdraw_amount: '200' })).body.message).toBe('success');
    expect(await limits(person.token)).toMatchObject({
      ...{ status: 'ALLOWED', own: { limit_usdt: '500', used_usdt: '500.00000000' } },
      day: { limit_usdt: '8000000', used_usdt: '500.00000000' },
    });
    server.advance(DAY_MS + 1000);
    expect((await limits(person.token)).day.used_usdt).toBe('0.00000000');
  });

  it('without a code inside the sum of one-step withdrawal, however many come at once (A-security-21)', async () => {
    const person = await client({ USDT: '50000' });
    await stepUp(person.token, 'withdrawal-settings');
    await server.call({
      method: 'PATCH',
      url: '/api/v3/security/withdrawal',
      token: person.token,
      payload: { one_step: true },
    });
    server.advance(DAY_MS + 1000);
    expect(await check(person.token)).toMatchObject({ needs_code: false });
    const all = await Promise.all(
      Array.from({ length: 5 }, () => wd.withdraw(person.token, { ...toTron, withdraw_amount: '3000' })),
    );
    const messages = all.map(({ body }) => body.message).toSorted();
    expect(messages).toEqual(['success', 'success', 'success', 'wrong_code', 'wrong_code']);
    expect(await check(person.token, { withdraw_amount: '1001' })).toMatchObject({ needs_code: true });
    const { one_step } = await wd.get<{ one_step: { used_usdt: string } }>('/api/v3/security', person.token);
    expect(one_step.used_usdt).toBe('9000.00000000');
  });

  it('against saved addresses where only those are allowed, and those of less than 24 hours are not (A-security-22)', async () => {
    const person = await client();
    await wd.post('/api/v3/security/withdrawal', person.token);
    await server.call({
      method: 'PATCH',
      url: '/api/v3/security/withdrawal',
      token: person.token,
      payload: { whitelist_only: true },
    });
    expect(await check(person.token)).toMatch(/^422 NOT_WHITELISTED/);
    await stepUp(person.token, 'whitelist');
    const entry = { label: 'Cold', coin: 'USDT', network: 'TRC20', address: toTron.withdraw_address };
    expect((await wd.post('/api/v3/whitelist', person.token, entry)).status).toBe(200);
    const { clientId } = (await server.app.accounts.sessions.authenticate(person.token))!;
    // A change of the list restricts withdrawals as long; an operator may lift that, the list still waits.
    for (const { id } of await server.app.accounts.restrictions.active(clientId)) {
      await server.app.accounts.restrictions.lift(id);
    }
    expect(await check(person.token)).toMatch(/^422 NOT_WHITELISTED/);
    server.advance(DAY_MS + 1000);
    expect(await check(person.token)).toMatchObject({ is_new_address: false });
    const book = await wd.get<{ addresses: { label: string; is_saved: boolean; last_used_at: number | null }[] }>(
      '/api/v3/withdraw-addresses?coin=usdt',
      person.token,
    );
    expect(book.addresses).toEqual([expect.objectContaining({ label: 'Cold', is_saved: true, last_used_at: null })]);
    expect((await send(person)).body.message).toBe('success');
  });

  it('with a step-up to a new address, of who has a second factor', async () => {
    const person = await client();
    await stepUp(person.token, 'factors');
    const { secret } = (await wd.post('/api/v3/totp/enrolment', person.token)).body as { secret: string };
    const code = () => generateSync({ secret, epoch: Math.floor(server.now() / 1000) });
    expect((await wd.post('/api/v3/totp', person.token, { code: code() })).status).toBe(200);
    server.advance(DAY_MS + 1000);
    expect(await check(person.token)).toMatchObject({ is_new_address: true, needs_step_up: true, needs_code: true });
    const verification = await wd.code(person.name, person.token);
    const first = await wd.withdraw(person.token, { ...toTron, verification });
    expect([first.status, first.body.code]).toEqual([403, 'STEP_UP_REQUIRED']);
    server.advance(60_000);
    expect((await stepUp(person.token, 'withdrawal', { second_factor: code() })).body.message).toBe('success');
    expect((await wd.withdraw(person.token, { ...toTron, verification })).body.message).toBe('success');
  });
});
