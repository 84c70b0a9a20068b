/** A long and a short side by side by the calls: opened, read, changed, closed, liquidated, and kept over restarts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, makeTestDatabase } from '../../../test/databases.ts';
import { BTC_SWAP, FuturesStage } from '../../../test/futures-stage.ts';

const SETTINGS = `/api/v3/futures/settings?symbol=${BTC_SWAP}`;
const HISTORY = '/api/v3/futures/history';
const FUNDING_INTERVAL_MS = 8 * 3_600_000;
const MINUTE_MS = 60_000;

interface Row {
  readonly id: string;
  readonly side?: string;
  readonly start_date?: number;
  readonly body?: string;
}

describe.each(databaseKinds)('hedge mode (%s)', (kind) => {
  let stage: FuturesStage;

  beforeAll(async () => {
    stage = await FuturesStage.start(kind, await makeTestDatabase(kind, 'migrated'));
    for (const name of ['alice', 'bob', 'carol']) await stage.trader(name, 50_000);
    await stage.trader('maker', 500_000);
    await stage.index(50_000);
  });
  afterAll(async () => {
    await stage.server.remove();
  });

  const ask = async (name: string, method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
    (await stage.ask(name, method, path, body)).body;
  const setMode = (name: string, mode: string) =>
    stage.ask(name, 'PATCH', '/api/v3/futures/position-mode', { symbol: BTC_SWAP, position_mode: mode });
  const close = (name: string, body: object) => stage.ask(name, 'POST', '/api/v3/futures/close', body);
  /** Against orders of the maker at 50,000. */
  async function open(name: string, positionSide: 'long' | 'short', quantity: string): Promise<void> {
    const [side, other] = positionSide === 'long' ? (['BUY', 'SELL'] as const) : (['SELL', 'BUY'] as const);
    await stage.order('maker', other, quantity, '50000');
    const opened = await stage.order(name, side, quantity, '50000', { position_side: positionSide });
    expect(opened.body).toMatchObject({ order: { state: 'APPROVED', position_side: positionSide } });
  }
  const reconciled = () => stage.server.app.reconciler.check();

  it('is chosen for a market, and both positions begin with the leverage that was there', async () => {
    await ask('alice', 'PATCH', '/api/v3/futures/leverage', { symbol: BTC_SWAP, leverage: 20 });
    expect(await ask('alice', 'GET', SETTINGS)).toMatchObject({ position_mode: 'one-way', leverage: 20 });
    const leg = { leverage: 20, margin_mode: 'cross' };
    const hedged = { position_mode: 'hedge', legs: { long: leg, short: leg } };
    expect((await setMode('alice', 'hedge')).body).toMatchObject({ message: 'success', ...hedged });
    const change = { symbol: BTC_SWAP, leverage: 5, margin_mode: 'isolated' };
    const unnamed = await stage.ask('alice', 'PATCH', '/api/v3/futures/leverage', change);
    expect(unnamed).toMatchObject({ status: 422, body: { code: 'POSITION_SIDE_MISMATCH' } });
    const named = await ask('alice', 'PATCH', '/api/v3/futures/leverage', { ...change, position_side: 'short' });
    expect(named).toMatchObject({ leverage: 5, margin_mode: 'isolated', legs: { long: leg } });
    expect(await ask('alice', 'GET', `${SETTINGS}&position_side=short`)).toMatchObject({ leverage: 5 });
    expect(await ask('alice', 'GET', SETTINGS)).toMatchObject({ leverage: 20 });
  });

  it('refuses orders that name no position, and in one-way mode and spot those that name one', async () => {
    const mismatch = { status: 422, body: { code: 'POSITION_SIDE_MISMATCH' } };
    expect(await stage.order('alice', 'BUY', '0.1', '49000')).toMatchObject(mismatch);
    expect(await stage.order('bob', 'BUY', '0.1', '49000', { position_side: 'long' })).toMatchObject(mismatch);
    const spot = await stage.order('bob', 'BUY', '0.1', '49000', { symbol: 'BTC-USDT', position_side: 'long' });
    expect(spot).toMatchObject({ status: 422, body: { code: 'INVALID_FIELD' } });
  });

  it('keeps a long and a short apart, with ids, margins and orders of their own', async () => {
    await open('alice', 'long', '0.3');
    await open('alice', 'short', '0.2');
    const positions: Row[] = (await stage.positions('alice')).positions ?? [];
    expect(positions).toMatchObject([
      { side: 'long', position_side: 'long', quantity: '0.30000', margin_mode: 'cross', leverage: 20 },
      { side: 'short', position_side: 'short', quantity: '0.20000', margin_mode: 'isolated', leverage: 5 },
    ]);
    expect(new Set(positions.map(({ id }) => id)).size).toBe(2);
    const added = { symbol: BTC_SWAP, amount: '100', position_side: 'short' };
    expect(await ask('alice', 'POST', '/api/v3/futures/margin', added)).toMatchObject({
      position: { side: 'short', margin: '2100.00000000' },
    });
    const exit = { symbol: BTC_SWAP, side: 'SELL', kind: 'oco', take_profit_price: '60000', stop_price: '40000' };
    const exits = await ask('alice', 'POST', '/api/v3/orders/conditional', { ...exit, position_side: 'long' });
    expect(exits).toMatchObject({ order: { position_side: 'long', reduce_only: true, state: 'PENDING' } });
    await stage.order('alice', 'SELL', '0.1', '52000', { position_side: 'long' });
    const resting = await ask('alice', 'GET', '/api/v3/trades/open-orders?market=futures');
    expect(resting.orders).toMatchObject([
      { position_side: 'long', reduce_only: true, remaining: '0.10000' },
      { position_side: 'long', reduce_only: true },
    ]);
    expect(await reconciled()).toEqual([]);
    expect((await setMode('alice', 'one-way')).body).toMatchObject({ code: 'ORDERS_OPEN' });
  });

  it('compares both with memory, and what their orders hold with their leverage', async () => {
    await stage.order('alice', 'BUY', '0.13', '48000', { position_side: 'long' });
    await stage.order('alice', 'SELL', '0.17', '53000', { position_side: 'short' });
    expect(await reconciled()).toEqual([]);
  });

  it('has the same state after a restart from tables alone', async () => {
    stage = await stage.restart(kind);
    for (const name of ['alice', 'bob', 'carol', 'maker']) await stage.trader(name);
    expect((await stage.positions('alice')).positions).toMatchObject([{ side: 'long' }, { side: 'short' }]);
    expect(await reconciled()).toEqual([]);
  });

  it('pays funding for each, in rows of their own, and never parts them by a page', async () => {
    for (let at = 0; at <= FUNDING_INTERVAL_MS; at += 30 * MINUTE_MS) {
      stage.server.advance(30 * MINUTE_MS);
      await stage.index(50_000);
    }
    for (const name of ['alice', 'bob', 'carol', 'maker']) await stage.trader(name);
    const funding: Row[] = (await ask('alice', 'GET', `${HISTORY}/funding?limit=1`)).funding ?? [];
    expect(funding).toMatchObject([
      { position_side: 'long', quantity: '0.30000' },
      { position_side: 'short', quantity: '0.20000' },
    ]);
    const page = `${HISTORY}/funding?before=${funding[0]?.id}`;
    const earlier: Row[] = (await ask('alice', 'GET', page)).funding ?? [];
    expect(earlier.map(({ id }) => id)).not.toContain(funding[0]?.id);
  });

  it('closes the one that is named, by its side or by its id', async () => {
    await ask('alice', 'POST', '/api/v3/orders/cancel-all', { market: 'futures' });
    const positions: Row[] = (await stage.positions('alice')).positions ?? [];
    expect(await close('alice', { symbol: BTC_SWAP })).toMatchObject({ body: { code: 'POSITION_SIDE_MISMATCH' } });
    await stage.order('maker', 'BUY', '0.1', '50000');
    const part = await close('alice', { symbol: BTC_SWAP, position_side: 'long', quantity: '0.1' });
    expect(part.body).toMatchObject({ message: 'success', order: { delegate_type: 'SELL', position_side: 'long' } });
    await stage.order('maker', 'SELL', '0.2', '50000');
    const short = positions.find(({ side }) => side === 'short');
    const closed = await ask('alice', 'GET', `/api/v3/futures/close?future_id=${short?.id}`);
    expect(closed).toMatchObject({ message: 'success', order: { delegate_type: 'BUY', position_side: 'short' } });
    expect((await stage.positions('alice')).positions).toMatchObject([{ side: 'long', quantity: '0.20000' }]);
    expect(await close('alice', { future_id: short?.id })).toMatchObject({ body: { code: 'NOTHING_TO_CLOSE' } });
    const { changes } = await ask('alice', 'GET', `${HISTORY}/positions?limit=1`);
    expect(changes).toMatchObject([{ position_side: 'short', side: null, quantity_change: '0.20000' }]);
    const file = await stage.server.app.http.inject({
      url: `${HISTORY}/positions.csv`,
      headers: { authorization: `Bearer ${stage.token('alice')}` },
    });
    expect(file.body.split('\n')[0]).toContain('side,position_side,quantity');
  });

  it('reverses nothing: that is two orders there', async () => {
    const refused = await stage.ask('alice', 'POST', '/api/v3/futures/reverse', { symbol: BTC_SWAP });
    expect(refused).toMatchObject({ status: 422, body: { code: 'HEDGE_MODE' } });
  });

  it('opens the long or the short by the documented call', async () => {
    await setMode('carol', 'hedge');
    await stage.order('maker', 'BUY', '0.1', '50000');
    const wish = { name: BTC_SWAP, delegate_type: 'SELL_EMPTY', margin: '500', leverage: '10', opening_price: '50000' };
    const sold = await ask('carol', 'POST', '/api/v2/buy-more', wish);
    expect(sold).toMatchObject({ order: { position_side: 'short', filled: '0.10000' } });
    await stage.order('maker', 'SELL', '0.1', '50000');
    const bought = await ask('carol', 'POST', '/api/v2/buy-more', { ...wish, delegate_type: 'BUY_MORE' });
    expect(bought).toMatchObject({ order: { position_side: 'long', filled: '0.10000' } });
    const margin: Row[] = (await ask('carol', 'GET', '/api/v2/client-margin')).margin ?? [];
    expect(margin).toMatchObject([{ side: 'long' }, { side: 'short' }]);
    for (const { start_date } of margin) expect(start_date).toBeGreaterThan(0);
  });

  it('liquidates an isolated one alone and says which', async () => {
    await setMode('bob', 'hedge');
    const isolated = { symbol: BTC_SWAP, leverage: 50, margin_mode: 'isolated', position_side: 'long' };
    await ask('bob', 'PATCH', '/api/v3/futures/leverage', isolated);
    await open('bob', 'long', '0.1');
    await open('bob', 'short', '0.1');
    await stage.order('maker', 'BUY', '1', '49200');
    await stage.index(49_000);
    expect((await stage.positions('bob')).positions).toMatchObject([{ side: 'short' }]);
    const { liquidations } = await ask('bob', 'GET', `${HISTORY}/liquidations`);
    expect(liquidations).toMatchObject([{ kind: 'liquidated', position_side: 'long', quantity: '0.10000' }]);
    const newest = async () => {
      const notices: Row[] = (await ask('bob', 'GET', '/api/v3/notifications')).notifications ?? [];
      return notices[0]?.body;
    };
    await expect.poll(newest).toContain('BTC-USDT-SWAP LONG position was liquidated');
    expect(await reconciled()).toEqual([]);
    stage = await stage.restart(kind);
  });
});
