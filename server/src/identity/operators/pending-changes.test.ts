/** To loosen a protection takes a second operator or a day, and raises an alarm; to tighten it takes effect at once. */
import type { changeWithdrawalPolicy } from '@cambist/contract/admin-withdrawals.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { PendingChange } from '@cambist/contract/pending-changes.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { confirmAll, confirmingOperator } from '../../../test/confirming.ts';
import { databaseKinds } from '../../../test/databases.ts';

const DAY_MS = 86_400_000;
const URL = '/api/v3/admin/pending-changes';
type PolicyAnswer = AnswerOf<typeof changeWithdrawalPolicy>;

describe.each(databaseKinds)('a change that loosens a protection (%s)', (kind) => {
  let server: TestApp;
  let first = '';
  let others = 0;

  beforeAll(async () => {
    server = await startTestApp(kind);
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    // Sessions end while the clock is moved by days.
    first = await confirmingOperator(server, 'first');
    await server.database.query(`UPDATE clients SET role = 'client' WHERE email LIKE 'second%'`);
    for (const { id, state } of await list()) if (state === 'WAITING') await revoke(first, id);
    await server.database.query(
      `UPDATE withdrawal_policy SET approval_usdt = '10000', four_eyes_usdt = '100000', hourly_count = 10, median_factor = 20`,
    );
  });

  const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, token: string, payload?: object) =>
    server.call({ method, url, token, ...(payload ? { payload } : {}) });
  const list = async () => ((await ask('GET', URL, first)).body as unknown as { changes: PendingChange[] }).changes;
  const find = async (id: string) => (await list()).find((one) => one.id === id);
  const revoke = (token: string, id: string) => ask('POST', `${URL}/${id}/revoke`, token, { reason: 'Not wanted' });
  const confirm = (token: string, id: string) => ask('POST', `${URL}/${id}/confirm`, token, {});
  const policyBy = async (token: string, wish: object) =>
    (await ask('PATCH', '/api/v3/admin/withdrawal-policy', token, wish)).body as unknown as PolicyAnswer;
  const policy = async () =>
    ((await ask('GET', '/api/v3/admin/withdrawal-policy', first)).body as unknown as PolicyAnswer).policy;
  const alarms = async () =>
    (
      (await ask('GET', '/api/v3/admin/alarms', first)).body as unknown as {
        alarms: { kind: string; detail: string }[];
      }
    ).alarms;
  const second = () => {
    others += 1;
    return confirmingOperator(server, `second${others}`);
  };

  it('waits for another operator, and never takes effect by itself while there is one', async () => {
    let other = await second();
    const { policy: now, pending } = await policyBy(first, { approval_usdt: '500000', four_eyes_usdt: '900000' });
    expect(now).toMatchObject({ approval_usdt: '10000', four_eyes_usdt: '100000' });
    expect(pending).toMatchObject({
      ...{ kind: 'withdrawal-policy', state: 'WAITING', effective_at: null, can_confirm: false },
      before: { approval_usdt: '10000', four_eyes_usdt: '100000' },
      after: { approval_usdt: '500000', four_eyes_usdt: '900000' },
    });
    expect((await alarms())[0]).toMatchObject({ kind: 'protection-loosened' });
    expect((await alarms())[0]?.detail).toContain('four_eyes_usdt 100000');
    server.advance(2 * DAY_MS);
    await server.app.pending.run();
    [first, other] = [await confirmingOperator(server, 'first'), await confirmingOperator(server, `second${others}`)];
    expect(await policy()).toMatchObject({ approval_usdt: '10000' });
    // Not by who has asked for it.
    expect((await confirm(first, pending!.id)).body).toMatchObject({ code: 'NOT_WAITING' });
    const confirmed = await confirm(other, pending!.id);
    expect(confirmed.body).toMatchObject({ change: { state: 'APPLIED' } });
    expect(await policy()).toMatchObject({ approval_usdt: '500000', four_eyes_usdt: '900000' });
    expect((await confirm(other, pending!.id)).body).toMatchObject({ code: 'NOT_WAITING' });
  });

  it('takes effect after a day where there is only one operator, with no one present', async () => {
    const { pending } = await policyBy(first, { hourly_count: 100 });
    expect(pending?.effective_at).toBe(pending!.asked_at + DAY_MS);
    server.advance(DAY_MS - 60_000);
    await server.app.pending.run();
    expect(await policy()).toMatchObject({ hourly_count: 10 });
    server.advance(61_000);
    await server.app.pending.run();
    expect(await policy()).toMatchObject({ hourly_count: 100 });
    expect(await find(pending!.id)).toMatchObject({ state: 'APPLIED', confirmed_by: null });
  });

  it('waits for a second operator who comes before its day is over', async () => {
    const { pending } = await policyBy(first, { hourly_count: 100 });
    await second();
    server.advance(DAY_MS + 1000);
    await server.app.pending.run();
    expect(await policy()).toMatchObject({ hourly_count: 10 });
    expect(await find(pending!.id)).toMatchObject({ state: 'WAITING', effective_at: null });
  });

  it('is done at once where it tightens, also together with what loosens', async () => {
    const { policy: now, pending } = await policyBy(first, { approval_usdt: '500', hourly_count: 50 });
    expect(now).toMatchObject({ approval_usdt: '500', hourly_count: 10 });
    expect(pending?.after).toEqual({ hourly_count: '50' });
    const tighter = await policyBy(first, { median_factor: 5 });
    expect(tighter).toMatchObject({ policy: { median_factor: 5 }, pending: null });
  });

  it('is revoked by any operator, and only one of a kind waits', async () => {
    const { pending } = await policyBy(first, { hourly_count: 100 });
    const again = await ask('PATCH', '/api/v3/admin/withdrawal-policy', first, { hourly_count: 200 });
    expect(again.body).toMatchObject({ code: 'CHANGE_PENDING' });
    expect((await revoke(await second(), pending!.id)).body).toMatchObject({ change: { state: 'REVOKED' } });
    server.advance(2 * DAY_MS);
    await server.app.pending.run();
    first = await confirmingOperator(server, 'first');
    expect(await policy()).toMatchObject({ hourly_count: 10 });
  });

  it('of a confirmation and a revocation at once is one of both', async () => {
    const other = await second();
    for (let round = 0; round < 5; round += 1) {
      const { pending } = await policyBy(first, { hourly_count: 20 + round });
      const [confirmed, revoked] = await Promise.all([confirm(other, pending!.id), revoke(first, pending!.id)]);
      expect([confirmed.status, revoked.status].toSorted()).toEqual([200, 409]);
      const isApplied = confirmed.status === 200;
      expect((await policy()).hourly_count === 20 + round).toBe(isApplied);
    }
  });

  it('fails where its figures have changed since', async () => {
    const other = await second();
    const { pending } = await policyBy(first, { hourly_count: 100 });
    await policyBy(other, { hourly_count: 5 });
    const { body } = await confirm(other, pending!.id);
    expect(body).toMatchObject({ change: { state: 'FAILED' } });
    expect(await policy()).toMatchObject({ hourly_count: 5 });
  });

  it('is carried out by the next start where the process ended after it was confirmed', async () => {
    const { pending } = await policyBy(first, { hourly_count: 100 });
    await server.database.query(`UPDATE pending_changes SET state = 'CONFIRMED' WHERE id = $1`, [Number(pending!.id)]);
    await server.app.pending.run();
    expect(await policy()).toMatchObject({ hourly_count: 100 });
  });

  const promise = async () => {
    const payload = { purpose: 'markets', transaction_password: 'order-it' };
    await server.call({ method: 'POST', url: '/api/v3/step-up', token: first, payload });
  };
  const limits = { minimum_quantity: '0.001', maximum_quantity: '10', minimum_value: '5', reason: 'A test' };

  it('is one of fewer confirmations, a wider band or none, and the end of a warning', async () => {
    const other = await second();
    const coin = { coin: 'USDT', network: 'TRC20' };
    const depth = await ask('PATCH', '/api/v3/admin/coin-networks', first, { ...coin, unlocked_at: 5, credited_at: 1 });
    expect(depth.body).toMatchObject({ pending: { kind: 'coin-network', subject: 'USDT TRC20' } });
    await promise();
    const url = '/api/v3/admin/markets/ETH-USDT';
    const band = await ask('PATCH', url, first, { ...limits, price_band_percent: '0' });
    expect(band.body).toMatchObject({ pending: { kind: 'market-limits', after: { price_band_percent: '0.0000' } } });
    const address = `0x${'7'.repeat(40)}`;
    const warned = await ask('POST', '/api/v3/admin/fraudulent-addresses', first, {
      network: 'ERC20',
      address,
      note: 'Known',
    });
    const { id } = (warned.body as unknown as { address: { id: number } }).address;
    const removal = await ask('DELETE', `/api/v3/admin/fraudulent-addresses/${id}`, first);
    expect(removal.body).toMatchObject({ pending: { kind: 'fraudulent-address' } });
    const states = (await confirmAll(server, other)).map(({ kind: name, state, failure }) => [name, state, failure]);
    expect(states.toSorted()).toEqual([
      ['coin-network', 'APPLIED', ''],
      ['fraudulent-address', 'APPLIED', ''],
      ['market-limits', 'APPLIED', ''],
    ]);
    const { markets } = (await ask('GET', '/api/v3/admin/markets', first)).body as unknown as {
      markets: { symbol: string; price_band_percent: string }[];
    };
    expect(markets.find(({ symbol }) => symbol === 'ETH-USDT')?.price_band_percent).toBe('0.0000');
    const { addresses } = (await ask('GET', '/api/v3/admin/fraudulent-addresses', first)).body as unknown as {
      addresses: { id: number }[];
    };
    expect(addresses.map((one) => one.id)).not.toContain(id);
  });
});
