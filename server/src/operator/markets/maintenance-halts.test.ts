/** Pairs while the exchange is maintained, and after it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds, makeTestDatabase, type TestDatabase } from '../../../test/databases.ts';
import { type MaintenanceHaltDeps, MaintenanceHalts } from './maintenance-halts.ts';

const SECONDS_MS = 1_000;
const ORDER = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '50000', quantity: '0.01' };

describe.each(databaseKinds)('pairs of an exchange that is maintained (%s)', (kind) => {
  let source: TestDatabase;
  let server: TestApp;
  let operator = '';
  let ann = '';

  beforeAll(async () => {
    source = await makeTestDatabase(kind, 'migrated');
    await start();
    expect((await halt('ETH-USDT', true)).status).toBe(200);
  });
  afterAll(() => server.remove());

  async function start(): Promise<void> {
    server = await startTestApp(kind, source);
    await server.app.accounts.ensure('op@example.test', PASSWORD, TRANSACTION_PASSWORD, 'operator');
    const payload = { username: 'op@example.test', password: PASSWORD };
    operator = String((await server.call({ method: 'POST', url: '/api/v3/login', payload })).body.token);
    const promise = { purpose: 'markets', transaction_password: TRANSACTION_PASSWORD };
    await server.call({ method: 'POST', url: '/api/v3/step-up', token: operator, payload: promise });
    ann = await server.trader('ann', { USDT: '1000' });
  }

  const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, token: string, payload?: object) =>
    server.call({ method, url, token, ...(payload ? { payload } : {}) });
  const act = (path: string, body: object = {}) =>
    ask('POST', `/api/v3/admin/${path}`, operator, { reason: 'A new disk', ...body });
  const halt = (symbol: string, halted: boolean) => act('halt', { symbol, halted });
  const maintain = async (on: boolean, more: object = {}) => {
    const { status, body } = await act('maintenance', { on, ...more });
    expect(status).toBe(200);
    return (body as unknown as { maintenance: { halted_pairs: number; resume_at: number | null } }).maintenance;
  };
  const state = async () =>
    (
      (await ask('GET', '/api/v3/admin/maintenance', operator)).body as unknown as {
        maintenance: { halted_pairs: number; resume_at: number | null };
      }
    ).maintenance;
  const halted = () => {
    const { exchange } = server.app.engine;
    const all = exchange.markets().filter(({ id }) => exchange.marketState(id).halted);
    return all.map(({ symbol }) => symbol);
  };
  const total = () => server.app.engine.exchange.markets().length;

  it('are halted, and trade again a minute after it, once what is no longer wanted was cancelled', async () => {
    const { id } = ((await ask('POST', '/api/v3/orders', ann, ORDER)).body as unknown as { order: { id: string } })
      .order;
    expect(await maintain(true)).toMatchObject({ halted_pairs: total() - 1, resume_at: null });
    expect(halted()).toHaveLength(total());
    expect((await maintain(false)).resume_at).toBeGreaterThan(server.now() + 58 * SECONDS_MS);
    expect((await ask('POST', '/api/v3/orders', ann, ORDER)).body).toMatchObject({ code: 'MARKET_HALTED' });
    expect((await ask('DELETE', `/api/v3/orders/${id}`, ann)).status).toBe(200);
    server.advance(58 * SECONDS_MS);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(halted()).toHaveLength(total());
    server.advance(3 * SECONDS_MS);
    // The one that an operator had halted before is left as it was.
    await expect.poll(halted, { timeout: 10_000 }).toEqual(['ETH-USDT']);
    await expect.poll(state).toMatchObject({ halted_pairs: 0, resume_at: null });
    const acts = await ask('GET', '/api/v3/admin/audit?act=resume-market', operator);
    expect(acts.body).toMatchObject({ entries: expect.arrayContaining([expect.objectContaining({ actor: '' })]) });
  });

  it('stay halted over a restart and while it goes on, and where an operator has decided so meanwhile', async () => {
    await maintain(true, { until: server.now() + 5 * SECONDS_MS });
    await halt('BTC-USDT', true);
    await server.stop();
    await start();
    expect(halted()).toHaveLength(total());
    server.advance(4 * SECONDS_MS);
    await maintain(true);
    server.advance(120 * SECONDS_MS);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(halted()).toHaveLength(total());
    await maintain(false);
    server.advance(61 * SECONDS_MS);
    await expect.poll(() => halted().sort(), { timeout: 10_000 }).toEqual(['BTC-USDT', 'ETH-USDT']);
  });

  it('can be resumed at once, and are left alone where that was chosen', async () => {
    expect(await maintain(true, { halt_pairs: false })).toMatchObject({ halted_pairs: 0 });
    expect(halted().sort()).toEqual(['BTC-USDT', 'ETH-USDT']);
    expect(await maintain(true)).toMatchObject({ halted_pairs: total() - 2 });
    await maintain(false);
    expect((await act('maintenance/resume-pairs')).body).toMatchObject({ maintenance: { halted_pairs: 0 } });
    expect(halted().sort()).toEqual(['BTC-USDT', 'ETH-USDT']);
  });
});

/** Two pairs that maintenance has halted, and an audit log that takes its time. */
async function openHeld() {
  const { promise, resolve: written } = Promise.withResolvers<void>();
  const sent: { market: number; halted: boolean }[] = [];
  const kept: (readonly number[])[] = [[1, 2]];
  const open = { halted: true, delisted: false };
  const deps = {
    admin: { record: () => promise, submit: async (command: never) => void sent.push(command) },
    view: { markets: () => [1, 2].map((id) => ({ id, symbol: `M${id}` })), marketState: () => open },
    store: { all: async () => [1, 2], save: async (markets: readonly number[]) => void kept.push(markets) },
    settlings: { priceOf: async () => undefined },
    isMaintained: () => false,
    clock: { now: () => 0 },
  };
  const halts = await MaintenanceHalts.open(deps as unknown as MaintenanceHaltDeps);
  return { halts, written, sent, kept: () => kept.at(-1) };
}

const BY_AN_OPERATOR = { actorId: 1, reason: 'Why not', address: '' };

it('what an operator decides while a pair is about to trade again stands', async () => {
  const { halts, written, sent, kept } = await openHeld();
  const resuming = halts.resume(BY_AN_OPERATOR);
  await halts.forget(1);
  written();
  await resuming;
  expect(sent).toEqual([{ kind: 'halt-market', market: 2, halted: false }]);
  expect(kept()).toEqual([]);
});

it('maintenance that begins while pairs are about to trade again keeps them halted', async () => {
  const { halts, written, sent, kept } = await openHeld();
  let isMaintained = false;
  const resuming = halts.resume(BY_AN_OPERATOR, () => !isMaintained);
  isMaintained = true;
  written();
  await resuming;
  expect([sent, kept()]).toEqual([[], [1, 2]]);
});
