/** Deposits through the whole server, on chains of development. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';

interface Shown {
  readonly id: string;
  readonly coin: string;
  readonly state: string;
  readonly recharge_amount: string;
  readonly recharge_status: string;
  readonly confirmations: number;
}

describe.each(['pglite', 'postgres'] as const)('deposits on %s', (kind) => {
  let app: TestApp;
  let token: string;

  beforeAll(async () => {
    app = await startTestApp(kind);
    token = await app.client('depositor', {});
  });
  afterAll(() => app.remove());

  const get = async (url: string, as = token) => (await app.call({ method: 'GET', url, token: as })).body as never;
  const post = async (url: string, payload: object, as = token) =>
    (await app.call({ method: 'POST', url, token: as, payload })).body as never;
  const deposits = async (as = token): Promise<Shown[]> =>
    ((await get('/api/v3/deposit-history', as)) as { deposit: Shown[] }).deposit;
  const addressOn = async (network: string, as = token): Promise<string> =>
    (
      (await post('/api/v3/generate-wallet', { wallet_type: network }, as)) as {
        wallet: { wallet_address: string };
      }
    ).wallet.wallet_address;

  it('has no address before one is made, and the same one ever after (T-calls-44, T-calls-45)', async () => {
    expect(await get('/api/v3/fetch/address?wallet_type=TRC20')).toEqual({
      wallet: { wallet_address: null, network: 'TRC20' },
    });
    const made = await addressOn('TRC20');
    expect(made).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
    expect(await addressOn('TRC20')).toBe(made);
    expect(await get('/api/v3/fetch/address?wallet_type=TRC20')).toEqual({
      wallet: { wallet_address: made, network: 'TRC20' },
    });
  });

  it('shows a payment at once and credits it at its depth', async () => {
    const address = await addressOn('ERC20');
    await post('/api/dev/chains/send', { network: 'ERC20', coin: 'USDT', address, amount: '25.5' });
    await post('/api/dev/chains/mine', { network: 'ERC20', blocks: 1 });
    await app.app.deposits.sync();
    expect(await deposits()).toMatchObject([
      { coin: 'USDT', state: 'SEEN', recharge_status: 'PENDING', recharge_amount: '25.50000000', confirmations: 1 },
    ]);
    await post('/api/dev/chains/mine', { network: 'ERC20', blocks: 5 });
    await app.app.deposits.sync();
    expect(await deposits()).toMatchObject([{ state: 'CREDITED', recharge_status: 'APPROVED', confirmations: 6 }]);
    const spot = (await get('/api/v3/wallets/spot')) as unknown as { balances?: unknown };
    expect(JSON.stringify(spot)).toContain('25.5');
    await post('/api/dev/chains/mine', { network: 'ERC20', blocks: 58 });
    await app.app.deposits.sync();
    expect(await deposits()).toMatchObject([{ state: 'UNLOCKED', confirmations: 64 }]);
  });
});
