/** Withdrawals through the whole server. */
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { evmElsewhere, tronElsewhere } from '../../../test/elsewhere.ts';
import { createWithdrawing, type Withdrawing } from '../../../test/withdrawing.ts';

describe.each(databaseKinds)('withdrawals on %s', (kind) => {
  let server: TestApp;
  let wd: Withdrawing;
  let names = 0;

  beforeAll(async () => {
    server = await startTestApp(kind);
    wd = createWithdrawing(server);
  });
  afterAll(() => server.remove());

  async function client(funds: Record<string, string> = { USDT: '1000' }) {
    names += 1;
    const name = `sender-${names}`;
    return { name, token: await server.client(name, funds) };
  }
  const UNIT = 10n ** 8n;
  const held = (owner: number) => {
    const asset = server.app.engine.exchange.assets().find(({ code }) => code === 'USDT')!;
    return server.app.engine.exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset.id));
  };
  const toEthereum = { coin: 'USDT', bchain_name: 'ERC20', withdraw_address: evmElsewhere(1), withdraw_amount: '100' };
  const toTron = { coin: 'USDT', bchain_name: 'TRC20', withdraw_address: tronElsewhere(1), withdraw_amount: '100' };

  /** Brings everything to where it can be without another block, and then another block on each chain. */
  async function settle(): Promise<void> {
    await server.app.withdrawals.sync();
    await server.app.payouts.sync();
    for (const chain of server.app.developmentChains.values()) chain.mine(6);
    await server.app.deposits.sync();
    await server.app.payouts.sync();
    await server.app.withdrawals.sync();
  }

  it.each([
    { ...toTron, depth: 1, fee: 1 },
    { ...toEthereum, depth: 6, fee: 20 },
  ])(
    'leave by $bchain_name and are complete once they are deep enough (T-withdraw-23, T-single-coin-14)',
    async ({ depth, fee, ...wish }) => {
      const { name, token } = await client();
      const [custody, fees] = [held(SystemOwner.CUSTODY), held(SystemOwner.FEES)];
      const asked = await wd.withdraw(token, { ...wish, verification: await wd.code(name, token) });
      expect(asked.body.withdrawal?.state).toBe('ONHOLD');
      await settle();
      const [shown] = await wd.history(token);
      expect(shown).toMatchObject({
        ...{
          state: 'PROCEED',
          stage: 'SETTLED',
          confirmations: depth,
          confirmations_required: depth,
          can_cancel: false,
        },
        transaction: expect.stringMatching(/^[0-9a-fx]{32,}$/),
      });
      expect(await wd.balance(token, 'USDT')).toEqual(['900', '0']);
      expect([held(SystemOwner.CUSTODY) - custody, held(SystemOwner.FEES) - fees]).toEqual([
        BigInt(100 - fee) * UNIT,
        BigInt(fee) * UNIT,
      ]);
      const { events } = await wd.read(token, shown!.id);
      expect(events.map(({ stage }) => stage)).toEqual(
        expect.arrayContaining(['REQUESTED', 'APPROVED', 'SIGNING', 'CONFIRMED', 'SETTLED']),
      );
      const subjects = (await wd.mails(`${name}@example.test`)).map(({ subject }) => subject);
      expect(subjects).toContain(`Your withdrawal of ${100 - fee} USDT is complete`);
      const found = await wd.get<{ withdraw: object[] }>('/api/v3/wallet-single-coin?name=USDT', token);
      expect(found.withdraw).toEqual([shown]);
    },
  );

  it('are held at once, wait to be sent, and are given back whole where they are cancelled (T-calls-48, T-calls-49, T-calls-50, T-calls-59, T-withdraw-17, T-withdraw-18, T-withdraw-19, T-withdraw-20, T-withdraw-21, T-withdraw-22, T-withdraw-24, T-withdraw-75)', async () => {
    const { name, token } = await client();
    const operator = await wd.operator('pausing');
    const pause = { what: 'PAYOUTS', reason: 'The network is looked at' };
    expect((await wd.post('/api/v3/admin/chains/TRC20/pause', operator, pause)).status).toBe(200);
    await server.app.payouts.sync();
    const verification = await wd.code(name, token);
    const askedAt = server.now();
    const { status, body } = await wd.withdraw(token, { ...toTron, gasfee: '1', verification });
    expect([status, body.message]).toEqual([200, 'success']);
    const shown = body.withdrawal!;
    expect(shown).toMatchObject({
      ...{ coin: 'USDT', network: 'TRC20', withdraw_amount: '100.00000000', fee: '1.00000000' },
      ...{ receive_amount: '99.00000000', withdraw_address: toTron.withdraw_address, is_internal: false },
      ...{ state: 'ONHOLD', stage: 'APPROVED', can_cancel: true, client_wallet: { coin: { name: 'USDT' } } },
    });
    expect(shown.reason).toBe('Withdrawals by this network are paused. It goes on by itself.');
    await server.app.withdrawals.sync();
    expect(shown.application_time).toBe(shown.date);
    expect(shown.date).toBeGreaterThanOrEqual(askedAt);
    expect(shown.date).toBeLessThanOrEqual(server.now());
    expect(await wd.balance(token, 'USDT')).toEqual(['900', '100']);
    expect(await wd.history(token)).toEqual([expect.objectContaining({ id: shown.id, stage: 'APPROVED' })]);
    const cancelled = await wd.cancel(token, shown.id);
    expect(cancelled.body.withdrawal).toMatchObject({ state: 'CANCELLED', can_cancel: false });
    expect(await wd.balance(token, 'USDT')).toEqual(['1000', '0']);
    expect((await wd.cancel(token, shown.id)).body.code).toBe('TOO_LATE');
    const { events } = await wd.read(token, shown.id);
    expect(events.map(({ stage, actor }) => `${stage} ${actor}`)).toEqual([
      ...['REQUESTED CLIENT', 'APPROVED EXCHANGE', 'CANCELLED CLIENT'],
    ]);
    const subjects = (await wd.mails(`${name}@example.test`)).map(({ subject }) => subject);
    expect(subjects).toContain('You have requested a withdrawal of 99 USDT');
    expect(subjects).toContain('Your withdrawal of 100 USDT was cancelled');
    await wd.treasury(operator);
    expect((await wd.post('/api/v3/admin/chains/TRC20/resume', operator, pause)).status).toBe(200);
    await server.app.payouts.sync();
  });

  it('to the deposit address of another client are there at once and cost nothing', async () => {
    const [from, to] = [await client(), await client({})];
    const made = await wd.get<{ wallet: { wallet_address: string } }>(
      '/api/v3/generate-wallet?wallet_type=TRC20',
      to.token,
    );
    const wish = { ...toTron, withdraw_address: made.wallet.wallet_address };
    const checked = await wd.post('/api/v3/withdrawals/check', from.token, wish);
    expect(checked.body).toMatchObject({ fee: '0.00000000', receive_amount: '100.00000000', is_internal: true });
    const verification = await wd.code(from.name, from.token);
    const { body } = await wd.withdraw(from.token, { ...wish, gasfee: '0', verification });
    expect(body.message).toBe('success');
    await server.app.withdrawals.sync();
    expect(await wd.history(from.token)).toEqual([expect.objectContaining({ state: 'PROCEED', stage: 'SETTLED' })]);
    expect(await wd.balance(from.token, 'USDT')).toEqual(['900', '0']);
    expect(await wd.balance(to.token, 'USDT')).toEqual(['100', '0']);
  });

  it('are counted for Prometheus, and listed by coin and page', async () => {
    const { body } = await server.app.http.inject({ method: 'GET', url: '/metrics' });
    expect(body).toContain('cambist_withdrawals_open');
    const { name, token } = await client({ USDT: '500', USDC: '500' });
    for (const [coin, withdraw_amount] of [
      ['USDT', '20'],
      ['USDC', '30'],
      ['USDT', '40'],
    ]) {
      const verification = await wd.code(name, token);
      const { body: asked } = await wd.withdraw(token, { ...toTron, coin, withdraw_amount, verification });
      expect(asked.message).toBe('success');
    }
    type List = { withdraw: { id: string; withdraw_amount: string }[] };
    const amounts = ({ withdraw }: List) => withdraw.map(({ withdraw_amount }) => Number(withdraw_amount));
    const list = (query: string) => wd.get<List>(`/api/v3/withdraw-history?${query}`, token);
    expect(amounts(await list(''))).toEqual([40, 30, 20]);
    const page = await list('coin=usdt&limit=1');
    expect(amounts(page)).toEqual([40]);
    expect(amounts(await list(`coin=usdt&before=${page.withdraw[0]?.id}`))).toEqual([20]);
    // Another client sees none of it.
    const other = await client();
    const url = `/api/v3/withdrawals/${page.withdraw[0]?.id}`;
    expect((await server.call({ method: 'GET', url, token: other.token })).status).toBe(404);
    expect((await wd.cancel(other.token, page.withdraw[0]!.id)).status).toBe(404);
  });
});
