/** Two accounts of one person move the last price of a thin market; neither review nor locked deposits follow it. */
import type { adminWithdrawals } from '@cambist/contract/admin-withdrawals.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { withdrawalLimits } from '@cambist/contract/withdrawals.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { evmElsewhere } from '../../../test/elsewhere.ts';
import { createWithdrawing, type Withdrawing } from '../../../test/withdrawing.ts';

const HOUR_MS = 3_600_000;
const ETH = { symbol: 'ETH', price: 3000, quantity: '0.1' };
const BTC = { symbol: 'BTC', price: 50_000, quantity: '0.01' };
const STEP = 0.09;
const STEPS = 40;

describe.each(databaseKinds)('a last price that two accounts move (%s)', (kind) => {
  let server: TestApp;
  let wd: Withdrawing;
  let operator: string;
  let pair: readonly [seller: string, buyer: string];

  const trade = async ({ symbol, price, quantity }: typeof ETH, [seller, buyer] = pair) => {
    const order = { symbol, type: 'limit', price: price.toFixed(1), quantity };
    await wd.post('/api/v3/orders', seller, { ...order, side: 'SELL' });
    return (await wd.post('/api/v3/orders', buyer, { ...order, side: 'BUY' })).status;
  };
  const unlock = (token: string) =>
    wd.post('/api/v3/trading-unlock', token, { transaction_password: TRANSACTION_PASSWORD, minutes: 60 });
  /** Small trades, each a little further from the last one. */
  const move = async (market: typeof ETH, direction: 1 | -1) => {
    for (const token of pair) await unlock(token);
    expect(await trade({ ...market, price: market.price * (1 + direction * STEP) })).toBe(200);
    for (let step = 2; step <= STEPS; step += 1) {
      await trade({ ...market, price: market.price * (1 + direction * STEP) ** step });
    }
  };

  beforeAll(async () => {
    server = await startTestApp(kind);
    wd = createWithdrawing(server);
    operator = await wd.operator('prices');
    pair = [
      await server.trader('seller', { ETH: '100', BTC: '10' }),
      await server.trader('buyer', { USDT: '9000000' }),
    ];
    await trade(ETH);
    await trade(BTC);
    server.advance(3 * HOUR_MS);
  });
  afterAll(() => server.remove());

  it('downward does not hide a withdrawal from review, nor a second operator', async () => {
    const thief = await server.trader('thief', { ETH: '40' });
    await move(ETH, -1);
    const wish = { coin: 'ETH', bchain_name: 'ERC20', withdraw_address: evmElsewhere(3), withdraw_amount: '36.41' };
    const { body } = await wd.withdraw(thief, { ...wish, verification: await wd.code('thief', thief) });
    expect(body.withdrawal?.stage).toBe('APPROVAL');
    const { withdrawals } = await wd.get<AnswerOf<typeof adminWithdrawals>>('/api/v3/admin/withdrawals', operator);
    expect(Number(withdrawals[0]?.worth_usdt)).toBeGreaterThan(36 * ETH.price * 0.95);
    expect(withdrawals[0]).toMatchObject({ approvals_required: 2 });
    expect(withdrawals[0]?.reasons).toEqual(expect.arrayContaining(['FOUR_EYES', 'UNTRUSTED_PRICE']));
  });

  it('upward frees nothing of a deposit that its chain may take back', async () => {
    const person = await server.trader('pumper', {});
    const url = '/api/v3/generate-wallet?wallet_type=ERC20';
    const { wallet } = await wd.get<{ wallet: { wallet_address: string } }>(url, person);
    await unlock(pair[0]);
    const paid = { network: 'ERC20', coin: 'USDT', address: wallet.wallet_address, amount: '3000' };
    expect((await wd.post('/api/dev/chains/send', person, paid)).status).toBe(200);
    server.app.developmentChains.get('ERC20')!.mine(6);
    await server.app.deposits.sync();
    await trade({ ...BTC, quantity: '0.06' }, [pair[0], person]);
    const bitcoin = async () => {
      const { coins } = await wd.get<AnswerOf<typeof withdrawalLimits>>('/api/v3/withdrawal-limits', person);
      return coins.find(({ coin }) => coin === 'BTC')!;
    };
    expect(Number((await bitcoin()).available)).toBeGreaterThan(0.059);
    await move(BTC, 1);
    expect(Number((await bitcoin()).withdrawable)).toBeLessThan(0.002);
  });
});
