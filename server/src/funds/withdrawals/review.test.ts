/** The treasury's part: reviews, the policy that asks for them, addresses that nothing is sent to, figures of networks. */

import type { adminWithdrawals, coinNetworks, unlistedDeposits } from '@cambist/contract/admin-withdrawals.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { confirmAll } from '../../../test/confirming.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { evmElsewhere, tronElsewhere } from '../../../test/elsewhere.ts';
import { type Answer, createWithdrawing, type Withdrawing } from '../../../test/withdrawing.ts';
import { byExchange } from '../../platform/authority.ts';

type Reviewed = AnswerOf<typeof adminWithdrawals>;
/** What the calls of these tests answer, taken together. */
type Body = Partial<{
  readonly code: string;
  readonly message: string;
  readonly fee: string;
  readonly withdrawal: Reviewed['withdrawals'][number];
  readonly policy: object;
  readonly network: object;
  readonly address: { readonly id: number };
  readonly errors: readonly { readonly field: string }[];
}>;

describe.each(databaseKinds)('the treasury looks at withdrawals (%s)', (kind) => {
  let server: TestApp;
  let wd: Withdrawing;
  let first: string;
  let second: string;
  let names = 0;

  beforeAll(async () => {
    server = await startTestApp(kind);
    wd = createWithdrawing(server);
    [first, second] = [await wd.operator('first'), await wd.operator('second')];
  });
  afterAll(() => server.remove());

  const treasury = (token: string) => wd.treasury(token);
  async function request(amount: string, seed = 5, address = tronElsewhere(seed)) {
    names += 1;
    const name = `reviewed-${names}`;
    const token = await server.trader(name, { USDT: '500000' });
    const verification = await wd.code(name, token);
    const wish = { coin: 'USDT', bchain_name: 'TRC20', withdraw_address: address, withdraw_amount: amount };
    const { body } = await wd.withdraw(token, { ...wish, verification });
    expect(body.message).toBe('success');
    return { token, name, withdrawal: body.withdrawal!, id: body.withdrawal!.id };
  }
  const approve = (token: string, id: string) => wd.post<Body>(`/api/v3/admin/withdrawals/${id}/approve`, token, {});
  const refuse = (token: string, id: string) =>
    wd.post<Body>(`/api/v3/admin/withdrawals/${id}/refuse`, token, { reason: 'The address is unclear' });
  const acts = async () =>
    (await wd.get<{ entries: { act: string }[] }>('/api/v3/admin/audit', first)).entries.map(({ act }) => act);

  it('and one operator approves what is large, by a step-up that is on record', async () => {
    const { token, id, withdrawal } = await request('12000');
    expect(withdrawal).toMatchObject({ stage: 'APPROVAL', state: 'ONHOLD', can_cancel: true });
    expect(withdrawal.reason).toBe('We are reviewing this withdrawal before it leaves.');
    const list = await wd.get<Reviewed>('/api/v3/admin/withdrawals?stage=APPROVAL', first);
    expect(list.waiting).toBe(1);
    expect(list.withdrawals[0]).toMatchObject({
      ...{ id, worth_usdt: '12000.00000000', approvals_required: 1, approvals: [], network_cost: null },
      client: { email: `reviewed-${names}@example.test` },
    });
    expect(list.withdrawals[0]?.reasons).toContain('AMOUNT');
    expect((await approve(first, id)).body.code).toBe('STEP_UP_REQUIRED');
    expect((await approve(token, id)).body.code).toBe('NOT_AN_OPERATOR');
    await treasury(first);
    const { body } = await approve(first, id);
    expect(body.withdrawal).toMatchObject({ stage: 'APPROVED', approvals: [{ by: 'first-operator@example.test' }] });
    expect((await approve(first, id)).body.code).toBe('ALREADY_APPROVED');
    expect(await acts()).toContain('approve-withdrawal');
  });

  it('and two different ones approve what is very large', async () => {
    const { id } = await request('120000', 6);
    await treasury(first);
    await treasury(second);
    expect((await approve(first, id)).body.withdrawal).toMatchObject({ stage: 'APPROVAL', approvals_required: 2 });
    expect((await approve(first, id)).body.code).toBe('ALREADY_APPROVED');
    expect((await approve(second, id)).body.withdrawal).toMatchObject({ stage: 'APPROVED' });
  });

  it('and what is refused is given back with the reason, by mail too', async () => {
    const { token, id, name } = await request('15000', 7);
    expect(await wd.balance(token, 'USDT')).toEqual(['485000', '15000']);
    await treasury(first);
    const refused = await refuse(first, id);
    expect(refused.body.withdrawal).toMatchObject({ state: 'REFUSED', reason: 'The address is unclear' });
    expect(await wd.balance(token, 'USDT')).toEqual(['500000', '0']);
    expect(await wd.history(token)).toMatchObject([{ state: 'REFUSED', reason: 'The address is unclear' }]);
    const mail = (await wd.mails(`${name}@example.test`)).find(({ subject }) => subject.includes('was refused'));
    expect(mail?.text).toContain('The address is unclear');
    expect((await refuse(first, id)).body.code).toBe('TOO_LATE');
    expect((await approve(second, id)).body.code).toBe('NOT_WAITING');
    // What came back counts in no limit.
    const { day } = await wd.get<{ day: { used_usdt: string } }>('/api/v3/withdrawal-limits', token);
    expect(day.used_usdt).toBe('0.00000000');
  });

  it('and what was to go to a client whose account has ended meanwhile is given back', async () => {
    const receiver = await server.trader('receiver', {});
    const { wallet } = await wd.get<{ wallet: { wallet_address: string } }>(
      '/api/v3/generate-wallet?wallet_type=TRC20',
      receiver,
    );
    const { token, id } = await request('15000', 8, wallet.wallet_address);
    const { clientId } = (await server.app.accounts.sessions.authenticate(receiver))!;
    await server.app.accounts.clients.beginDeletion(byExchange(clientId), 0);
    expect(await server.app.accounts.clients.erase(clientId, server.now(), [])).toBe(true);
    await treasury(first);
    await approve(first, id);
    await server.app.withdrawals.sync();
    const reason = 'The account of the receiver has been closed.';
    expect(await wd.history(token)).toMatchObject([{ stage: 'FAILED', reason }]);
    expect(await wd.balance(token, 'USDT')).toEqual(['500000', '0']);
  });

  it('and what was to go to an address that is known as fraudulent since is given back', async () => {
    const { token, id } = await request('15000', 77);
    await treasury(first);
    const fraud = { network: 'TRC20', address: tronElsewhere(77), note: 'Reported by its victim' };
    const added = await wd.post<Body>('/api/v3/admin/fraudulent-addresses', first, fraud);
    expect(added.status).toBe(200);
    await approve(first, id);
    await server.app.withdrawals.sync();
    const reason = 'This address is fraudulent. Do not send funds to it.';
    expect(await wd.history(token)).toMatchObject([{ stage: 'FAILED', reason }]);
    expect(await wd.balance(token, 'USDT')).toEqual(['500000', '0']);
    const payouts = await server.app.payouts.byReferences('withdrawal', [Number(id)]);
    expect(payouts).toEqual([]);
  });

  it('by a policy that the treasury changes, within what makes sense', async () => {
    await treasury(first);
    const change = (payload: object) =>
      server.call({
        method: 'PATCH',
        url: '/api/v3/admin/withdrawal-policy',
        token: first,
        payload,
      }) as unknown as Promise<Answer<Body>>;
    expect((await change({ approval_usdt: '500', median_factor: 10 })).body.policy).toEqual({
      ...{ approval_usdt: '500', four_eyes_usdt: '100000', hourly_count: 10, median_factor: 10 },
    });
    expect((await change({ four_eyes_usdt: '499' })).body.errors?.[0]?.field).toBe('four_eyes_usdt');
    // Of two who change other rules at once, neither is undone.
    const both = [change({ hourly_count: 9 }), change({ median_factor: 9 }), change({ four_eyes_usdt: '90000' })];
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await change({ median_factor: 8 })).body.policy).toEqual({
      ...{ approval_usdt: '500', four_eyes_usdt: '90000', hourly_count: 9, median_factor: 8 },
    });
    const { withdrawal } = await request('600', 8);
    expect(withdrawal.stage).toBe('APPROVAL');
    await change({ approval_usdt: '10000', four_eyes_usdt: '100000', hourly_count: 10, median_factor: 20 });
    await treasury(second);
    expect((await confirmAll(server, second)).map(({ state }) => state)).toEqual(['APPLIED']);
    expect(await acts()).toContain('change-withdrawal-policy');
  });

  it('and keeps addresses that nothing is sent to, in whatever spelling they are typed', async () => {
    const address = `0x${'aB'.repeat(20)}`;
    const add = () =>
      wd.post<Body>('/api/v3/admin/fraudulent-addresses', first, {
        ...{ network: 'BEP20', address: address.toLowerCase(), note: 'A known fraud' },
      });
    expect((await add()).body.message).toBe('success');
    const known = await add();
    expect(known.body.message).toBe('exist');
    const token = await server.trader(`careful-${kind}`, { USDT: '1000' });
    const wish = { coin: 'USDT', bchain_name: 'ERC20', withdraw_address: address.toUpperCase().replace('0X', '0x') };
    const check = async () =>
      (await wd.post<Body>('/api/v3/withdrawals/check', token, { ...wish, withdraw_amount: '100' })).body.code;
    expect(await check()).toBe('FRAUDULENT_ADDRESS');
    const bad = await wd.post<Body>('/api/v3/admin/fraudulent-addresses', first, {
      ...{ network: 'ERC20', address: evmElsewhere(1).slice(0, 20), note: 'Too short' },
    });
    expect(bad.body.code).toBe('INVALID_ADDRESS');
    await treasury(first);
    const id = known.body.address?.id;
    const remove = () =>
      server.call({
        method: 'DELETE',
        url: `/api/v3/admin/fraudulent-addresses/${id}`,
        token: first,
      }) as unknown as Promise<Answer<Body>>;
    expect((await remove()).status).toBe(200);
    expect(await check()).toBe('FRAUDULENT_ADDRESS');
    await treasury(second);
    await confirmAll(server, second);
    expect((await remove()).status).toBe(404);
    expect(await check()).toBeUndefined();
  });

  it('and changes figures of a coin on a network, which clients are shown and asked for at once', async () => {
    await treasury(first);
    const change = (payload: object) =>
      server.call({ method: 'PATCH', url: '/api/v3/admin/coin-networks', token: first, payload }) as unknown as Promise<
        Answer<Body>
      >;
    const way = { coin: 'USDC', network: 'TRC20' };
    const { body } = await change({ ...way, withdraw_minimum: '12', withdraw_fee: '1.5' });
    expect(body.network).toMatchObject({ withdraw_minimum: '12', withdraw_fee: '1.5', withdraw_confirmations: 1 });
    const detail = async (payload: object) => (await change(payload)).body.message;
    expect(await detail({ ...way, withdraw_fee: '12' })).toBe('The fee must be below the minimum.');
    expect(await detail({ ...way, withdraw_fee: '0.0000001' })).toBe('Use at most 6 decimal places');
    expect(await detail({ coin: 'USDT', network: 'BEP20', withdraw_fee: '1' })).toMatch(/not sent by this network/);
    expect(await detail({ ...way, credited_at: 30 })).toMatch(/unlocked at the same depth/);
    expect((await change({ coin: 'DOGE', network: 'TRC20', withdraw_fee: '1' })).status).toBe(404);
    const { networks } = await wd.get<AnswerOf<typeof coinNetworks>>('/api/v3/admin/coin-networks', first);
    expect(networks.find(({ coin, network }) => coin === 'USDC' && network === 'TRC20')?.withdraw_fee).toBe('1.5');
    const token = await server.trader(`shown-${kind}`, { USDC: '100' });
    const wish = { coin: 'USDC', bchain_name: 'TRC20', withdraw_address: tronElsewhere(9), withdraw_amount: '20' };
    expect((await wd.post<Body>('/api/v3/withdrawals/check', token, wish)).body.fee).toBe('1.50000000');
    await change({ ...way, withdraw_minimum: '10', withdraw_fee: '1' });
  });

  it('and sees what came to addresses of clients without being credited', async () => {
    const { deposits } = await wd.get<AnswerOf<typeof unlistedDeposits>>('/api/v3/admin/unlisted-deposits', first);
    expect(deposits).toEqual([]);
    const token = await server.trader(`unlisted-${kind}`, {});
    const made = await wd.get<{ wallet: { wallet_address: string } }>(
      '/api/v3/generate-wallet?wallet_type=ERC20',
      token,
    );
    const address = made.wallet.wallet_address;
    const chain = server.app.developmentChains.get('ERC20')!;
    chain.send({ contract: `0x${'12'.repeat(20)}`, address: address.toLowerCase(), units: 7n });
    chain.mine(1);
    await server.app.deposits.sync();
    const found = await wd.get<AnswerOf<typeof unlistedDeposits>>('/api/v3/admin/unlisted-deposits', first);
    expect(found.deposits).toEqual([expect.objectContaining({ network: 'ERC20', address, units: '7' })]);
  });
});
