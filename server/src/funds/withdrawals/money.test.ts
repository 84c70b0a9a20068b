/** What a withdrawal is to the rest of a client's money: to totals, histories, the proof, and deposits that may be undone. */

import type { AnswerOf } from '@cambist/contract/call.ts';
import type { LiabilityRun, OwnLiabilities } from '@cambist/contract/liabilities.ts';
import type { accountLimits } from '@cambist/contract/profile.ts';
import type { balanceHistory } from '@cambist/contract/wallets.ts';
import type { withdrawalLimits } from '@cambist/contract/withdrawals.ts';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { evmElsewhere, tronElsewhere } from '../../../test/elsewhere.ts';
import { createWithdrawing, type Withdrawing } from '../../../test/withdrawing.ts';
import { byExchange } from '../../platform/authority.ts';

const { verify } = (await import(new URL('../../../../web/public/verify-liabilities.mjs', import.meta.url).href)) as {
  verify(
    told: OwnLiabilities,
    own: { uid: string; email: string },
  ): Promise<{ coin: string; scale: number; sum: string }[]>;
};
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const toEthereum = { coin: 'USDT', bchain_name: 'ERC20', withdraw_address: evmElsewhere(2), withdraw_amount: '12000' };
const reason = 'It is looked at';

describe.each(databaseKinds)('money that is withdrawn (%s)', (kind) => {
  let server: TestApp;
  let wd: Withdrawing;
  let operator: string;
  let names = 0;

  beforeAll(async () => {
    server = await startTestApp(kind);
    // Noon, so that no day ends meanwhile.
    server.advance(36 * HOUR_MS - (server.now() % (24 * HOUR_MS)));
    wd = createWithdrawing(server);
    operator = await wd.operator('money');
    await wd.treasury(operator);
  });
  afterAll(() => server.remove());

  async function client(funds: Record<string, string>) {
    names += 1;
    const name = `money-${names}`;
    return { name, token: await server.trader(name, funds) };
  }
  const send = async ({ name, token }: { name: string; token: string }, changed: object = {}) =>
    wd.withdraw(token, { ...toEthereum, verification: await wd.code(name, token), ...changed });
  const judge = async (what: 'approve' | 'refuse', id: string) => {
    await wd.treasury(operator);
    const { status } = await wd.post(`/api/v3/admin/withdrawals/${id}/${what}`, operator, { reason });
    expect(status).toBe(200);
  };
  const pausing = (what: 'pause' | 'resume') =>
    wd.post(`/api/v3/admin/chains/ERC20/${what}`, operator, { what: 'PAYOUTS', reason });
  const chain = (network: 'ERC20' | 'TRC20') => server.app.developmentChains.get(network)!;
  async function settle(): Promise<void> {
    await server.app.withdrawals.sync();
    await server.app.payouts.sync();
    chain('ERC20').mine(6);
    await server.app.deposits.sync();
    await server.app.payouts.sync();
    await server.app.withdrawals.sync();
  }
  async function deposit(
    token: string,
    amount: string,
    blocks: number,
    network: 'ERC20' | 'TRC20' = 'TRC20',
  ): Promise<void> {
    const url = `/api/v3/generate-wallet?wallet_type=${network}`;
    const { wallet } = await wd.get<{ wallet: { wallet_address: string } }>(url, token);
    const paid = { network, coin: 'USDT', address: wallet.wallet_address, amount };
    expect((await wd.post('/api/dev/chains/send', token, paid)).status).toBe(200);
    chain(network).mine(blocks);
    await server.app.deposits.sync();
  }
  async function coin(token: string, code: string) {
    const { coins } = await wd.get<AnswerOf<typeof withdrawalLimits>>('/api/v3/withdrawal-limits', token);
    const found = coins.find((one) => one.coin === code)!;
    return [found.available, found.withdrawable, found.locked].map(Number);
  }
  /** What came today and counts as withdrawn, what there is, what that made, and what the proof says, in USDT. */
  async function views(token: string) {
    const { limits } = await wd.get<{ limits: { name: string; used_today: string }[] }>(
      '/api/v3/account-limits',
      token,
    );
    const used = (name: string) => Number(limits.find((one) => one.name === name)?.used_today);
    const overview = await wd.get<{ overviewTotal: string; pnl?: object }>('/api/v3/overview', token);
    const made = await wd.post<{ run: LiabilityRun }>('/api/v3/admin/liabilities', operator);
    const own = await wd.get<OwnLiabilities>(`/api/v3/liabilities/own?batch=${made.body.run.batch}`, token);
    const proven = (await verify(own, own.identity)).find((one) => one.coin === 'USDT');
    const history = await vi.waitFor(
      async () => {
        const url = '/api/v3/wallets/balance-history?days=7';
        const answer = await wd.get<AnswerOf<typeof balanceHistory>>(url, token);
        expect(answer.complete).toBe(true);
        return answer;
      },
      { timeout: 20_000 },
    );
    return {
      came: used('crypto_deposit'),
      left: used('crypto_withdrawal'),
      total: Number(overview.overviewTotal),
      line: Number(history.points.at(-1)?.value),
      proven: Number(proven?.sum ?? 0) / 1e8,
    };
  }

  it('is still the client’s and owed until it is sent, and has never left where it is given back', async () => {
    const person = await client({ USDT: '20000' });
    const first = await send(person);
    expect(first.body.withdrawal?.stage).toBe('APPROVAL');
    const whole = { came: 20_000, left: 0, total: 20_000, line: 20_000, proven: 20_000 };
    // What waits counts towards the limit, and is still there.
    expect(await views(person.token)).toEqual({ ...whole, left: 12_000 });
    await judge('refuse', first.body.withdrawal!.id);
    expect(await views(person.token)).toEqual(whole);
    const second = await send(person);
    await judge('approve', second.body.withdrawal!.id);
    await settle();
    expect((await wd.history(person.token))[0]).toMatchObject({ state: 'PROCEED' });
    expect(await views(person.token)).toEqual({ came: 20_000, left: 12_000, total: 8000, line: 8000, proven: 8000 });
    const profit = await wd.get<{ spotProfit: string }>('/api/v3/coin-spot-pnl', person.token);
    expect(Number(profit.spotProfit)).toBe(0);
  });

  it('counts for 24 hours in the profile as in the form, past midnight', async () => {
    const person = await client({ USDT: '20000' });
    const sent = await send(person);
    const used = async () => {
      const profile = await wd.get<AnswerOf<typeof accountLimits>>('/api/v3/account-limits', person.token);
      const form = await wd.get<AnswerOf<typeof withdrawalLimits>>('/api/v3/withdrawal-limits', person.token);
      const own = profile.limits.find(({ name }) => name === 'crypto_withdrawal')?.used_today;
      return [own, form.day.used_usdt].map(Number);
    };
    expect(await used()).toEqual([12_000, 12_000]);
    server.advance(13 * HOUR_MS);
    expect(await used()).toEqual([12_000, 12_000]);
    server.advance(11 * HOUR_MS + 1000);
    expect(await used()).toEqual([0, 0]);
    operator = await wd.operator('money');
    await judge('refuse', sent.body.withdrawal!.id);
  });

  it('says when the oldest of what counts is 24 hours old, and there is more to withdraw from that moment on', async () => {
    const person = await client({ USDT: '20000' });
    const frees = async () => {
      const { limits } = await wd.get<AnswerOf<typeof accountLimits>>('/api/v3/account-limits', person.token);
      const form = await wd.get<AnswerOf<typeof withdrawalLimits>>('/api/v3/withdrawal-limits', person.token);
      const own = limits.find(({ name }) => name === 'crypto_withdrawal');
      expect([own?.resets_at, Number(own?.used_today)]).toEqual([form.frees_at, Number(form.day.used_usdt)]);
      return [form.frees_at, Number(form.day.used_usdt)];
    };
    const dateOf = ({ body }: Awaited<ReturnType<typeof send>>) => body.withdrawal?.date ?? 0;
    expect(await frees()).toEqual([null, 0]);
    const first = await send(person);
    server.advance(5 * HOUR_MS);
    operator = await wd.operator('money');
    const second = await send(person, { withdraw_amount: '5000' });
    const [one, two] = [dateOf(first) + 24 * HOUR_MS, dateOf(second) + 24 * HOUR_MS];
    expect(await frees()).toEqual([one, 17_000]);
    server.advance(one - server.now() - MINUTE_MS);
    expect(await frees()).toEqual([one, 17_000]);
    server.advance(MINUTE_MS);
    expect(await frees()).toEqual([two, 5000]);
    server.advance(two - server.now());
    expect(await frees()).toEqual([null, 0]);
    operator = await wd.operator('money');
    await judge('refuse', first.body.withdrawal!.id);
  });

  it('comes to the other client inside the exchange as it left the first', async () => {
    const [from, to] = [await client({ USDT: '1000' }), await client({})];
    const url = '/api/v3/generate-wallet?wallet_type=ERC20';
    const { wallet } = await wd.get<{ wallet: { wallet_address: string } }>(url, to.token);
    const sent = await send(from, { withdraw_address: wallet.wallet_address, withdraw_amount: '400' });
    expect(sent.body.withdrawal?.is_internal).toBe(true);
    await server.app.withdrawals.sync();
    expect(await views(from.token)).toEqual({ came: 1000, left: 400, total: 600, line: 600, proven: 600 });
    expect(await views(to.token)).toEqual({ came: 400, left: 0, total: 400, line: 400, proven: 400 });
    const list = '/api/v3/deposit-history';
    const { deposit } = await wd.get<{ deposit: { id: string }[] }>(list, to.token);
    expect(deposit).toEqual([
      expect.objectContaining({
        ...{ coin: 'USDT', network: 'ERC20', recharge_amount: '400.00000000', recharge_status: 'APPROVED' },
        ...{ wallet_address: wallet.wallet_address, transaction: null, is_internal: true, state: 'UNLOCKED' },
      }),
    ]);
    expect(await wd.get(`/api/v3/deposits/${deposit[0]?.id}`, to.token)).toEqual({ deposit: deposit[0] });
    const notices = await wd.get<{ notifications: { title: string }[] }>('/api/v3/check-notification', to.token);
    expect(JSON.stringify(notices)).toContain('Deposit Success');
  });

  it('is not more than is left once every deposit that may be undone has stayed, in whatever coin', async () => {
    const person = await client({ USDT: '500' });
    await deposit(person.token, '1000', 6, 'ERC20');
    expect(await coin(person.token, 'USDT')).toEqual([1500, 500, 1000]);
    const wish = { ...toEthereum, withdraw_amount: '500.01' };
    const refused = await wd.post<{ message: string }>('/api/v3/withdrawals/check', person.token, wish);
    expect(refused.body.message).toBe('Amount must be less than or equal to your balance (500.00000000)');
    const seller = await client({ BTC: '1' });
    const order = { symbol: 'BTC', type: 'limit', price: '50000', quantity: '0.02' };
    await wd.post('/api/v3/orders', seller.token, { ...order, side: 'SELL' });
    await wd.post('/api/v3/orders', person.token, { ...order, side: 'BUY' });
    // 1000 USDT became bitcoin: what may leave is still worth 500.
    expect(await coin(person.token, 'USDT')).toEqual([500, 0, 500]);
    const [available, withdrawable] = await coin(person.token, 'BTC');
    expect(available).toBeCloseTo(0.01998, 5);
    expect((withdrawable ?? 0) * 50_000).toBeGreaterThan(490);
    expect((withdrawable ?? 0) * 50_000).toBeLessThanOrEqual(500);
    chain('ERC20').mine(58);
    await server.app.deposits.sync();
    expect(await coin(person.token, 'USDT')).toEqual([500, 500, 0]);
    expect((await coin(person.token, 'BTC'))[1]).toBe(available);
  });

  it('goes back where a deposit was undone that paid for it, and pays what is owed', async () => {
    const person = await client({});
    await deposit(person.token, '100', 21);
    expect((await pausing('pause')).status).toBe(200);
    await server.app.payouts.sync();
    const sent = await send(person, { withdraw_amount: '100' });
    expect(sent.body.withdrawal?.stage).toBe('APPROVED');
    chain('TRC20').reorganize(25, 'DROP');
    await server.app.deposits.sync();
    const again = await wd.post<{ code: string }>('/api/v3/withdrawals/check', person.token, toEthereum);
    expect(again.body.code).toBe('DEPOSIT_REVERSED');
    await wd.treasury(operator);
    expect((await pausing('resume')).status).toBe(200);
    await server.app.payouts.sync();
    await server.app.withdrawals.sync();
    const [shown] = await wd.history(person.token);
    expect(shown).toMatchObject({ state: 'FAILED', reason: expect.stringMatching(/taken back by its network/) });
    await server.app.deposits.sync();
    expect(await wd.balance(person.token, 'USDT')).toEqual(['0', '0']);
  });

  it('asks for the code of the app where there is no mail address, and for either where there is neither', async () => {
    const person = await client({ USDT: '1000' });
    const { clientId } = (await server.app.accounts.sessions.authenticate(person.token))!;
    await wd.post('/api/v3/step-up', person.token, {
      purpose: 'factors',
      transaction_password: TRANSACTION_PASSWORD,
    });
    await server.app.accounts.clients.change(byExchange(clientId), { email: '' });
    const neither = await wd.post<{ code: string }>('/api/v3/otp', person.token);
    expect([neither.status, neither.body.code]).toEqual([409, 'NO_SECOND_WAY']);
    const wish = { ...toEthereum, bchain_name: 'TRC20', withdraw_address: tronElsewhere(20), withdraw_amount: '100' };
    expect((await wd.withdraw(person.token, { ...wish, verification: '123456' })).body.code).toBe('NO_SECOND_WAY');
    const { secret } = (await wd.post<{ secret: string }>('/api/v3/totp/enrolment', person.token)).body;
    const code = () => generateSync({ secret, epoch: Math.floor(server.now() / 1000) });
    await wd.post('/api/v3/totp', person.token, { code: code() });
    server.advance(24 * HOUR_MS + 1000);
    expect((await wd.post('/api/v3/otp', person.token)).body).toMatchObject({ message: 'success', by: 'app' });
    // To a new address the step-up asks for the app; to a known one the withdrawal does.
    expect((await wd.withdraw(person.token, wish)).body.code).toBe('STEP_UP_REQUIRED');
    const proof = { purpose: 'withdrawal', transaction_password: TRANSACTION_PASSWORD, second_factor: code() };
    expect((await wd.post('/api/v3/step-up', person.token, proof)).body.message).toBe('success');
    expect((await wd.withdraw(person.token, wish)).body.message).toBe('success');
    await settle();
    chain('TRC20').mine(1);
    await server.app.deposits.sync();
    await settle();
    expect((await wd.history(person.token))[0]?.state).toBe('PROCEED');
    expect((await wd.withdraw(person.token, { ...wish, verification: '000000' })).body.message).toBe('wrong_code');
    server.advance(60_000);
    const verification = code();
    expect((await wd.withdraw(person.token, { ...wish, verification })).body.message).toBe('success');
    expect((await wd.withdraw(person.token, { ...wish, verification })).body.message).toBe('wrong_code');
  });

  it('waits for an operator from a browser that the account has never had, and not from one that it has', async () => {
    const person = await client({ USDT: '1000' });
    const username = `${person.name}@example.test`;
    const login = async (headers: object) =>
      (await wd.post<{ token: string; device: string }>('/api/v3/login', '', { username, password: PASSWORD }, headers))
        .body;
    const { device } = await login({});
    server.advance(25 * HOUR_MS);
    const stranger = { ...person, token: (await login({})).token };
    const owner = { ...person, token: (await login({ 'x-device-secret': device })).token };
    const wish = { bchain_name: 'TRC20', withdraw_address: tronElsewhere(21), withdraw_amount: '50' };
    expect((await send(stranger, wish)).body.withdrawal?.stage).toBe('APPROVAL');
    expect((await send(owner, wish)).body.withdrawal?.stage).toBe('APPROVED');
    const list = await wd.get<{ withdrawals: { reasons: string[] }[] }>('/api/v3/admin/withdrawals?limit=2', operator);
    expect(list.withdrawals.map(({ reasons }) => reasons)).toEqual([[], ['NEW_DEVICE']]);
  });
});
