/** A position through its life by the calls: opened, read, changed, closed, liquidated; its histories, and a restart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds, makeTestDatabase } from '../../../test/databases.ts';
import { BTC_SWAP, FuturesStage } from '../../../test/futures-stage.ts';

const CLOSE = '/api/v3/futures/close';
const HISTORY = '/api/v3/futures/history';

describe.each(databaseKinds)('perpetual futures (%s)', (kind) => {
  let stage: FuturesStage;

  beforeAll(async () => {
    stage = await FuturesStage.start(kind, await makeTestDatabase(kind, 'migrated'));
    for (const name of ['alice', 'bob', 'carol']) await stage.trader(name, 10_000);
    await stage.trader('poor', 0);
    await stage.index(90_000);
  });
  afterAll(async () => {
    await stage.server.remove();
  });

  const history = async (name: string, which: string, query = '') =>
    (await stage.ask(name, 'GET', `${HISTORY}/${which}${query}`)).body;

  it('keeps leverage and margin mode where both are changed at once', async () => {
    await stage.trader('both', 100);
    const change = (body: object) =>
      stage.ask('both', 'PATCH', '/api/v3/futures/leverage', { symbol: BTC_SWAP, ...body });
    const settings = () => stage.ask('both', 'GET', `/api/v3/futures/settings?symbol=${BTC_SWAP}`);
    for (const leverage of [20, 50]) {
      const margin_mode = leverage === 20 ? 'isolated' : 'cross';
      await Promise.all([change({ leverage }), change({ margin_mode })]);
      expect((await settings()).body).toMatchObject({ leverage, margin_mode });
    }
  });

  it('says leverage, margin mode, tiers, fees and funding of a market', async () => {
    const { body } = await stage.ask('alice', 'GET', `/api/v3/futures/settings?symbol=${BTC_SWAP}`);
    expect(body).toMatchObject({ leverage: 10, margin_mode: 'cross', coin_pair: { pair_name: BTC_SWAP } });
    expect(body).toMatchObject({ taker_fee_percent: '0.0500', funding: { interval_hours: 8 } });
    expect((await stage.ask('alice', 'GET', '/api/v3/futures/settings?symbol=BTC')).body).toEqual(body);
    expect((await stage.ask('alice', 'GET', '/api/v3/futures/settings?symbol=ENS-USDT')).status).toBe(404);
  });

  it('sets leverage and margin mode together or one of them, and refuses what the market does not allow', async () => {
    const set = (body: object) =>
      stage.ask('carol', 'PATCH', '/api/v3/futures/leverage', { symbol: BTC_SWAP, ...body });
    expect((await set({ leverage: 20 })).body).toMatchObject({ leverage: 20, margin_mode: 'cross' });
    expect((await set({ margin_mode: 'isolated' })).body).toMatchObject({ leverage: 20, margin_mode: 'isolated' });
    expect(await set({ leverage: 200 })).toMatchObject({ status: 422, body: { code: 'INVALID_LEVERAGE' } });
  });

  it('opens by margin and leverage, with a limit at most (T-calls-14, T-calls-15)', async () => {
    await stage.order('bob', 'SELL', '0.1', '90000');
    const wish = { name: 'BTC-USDT', delegate_type: 'BUY MORE', margin: '900', leverage: 'x10' };
    const opened = await stage.ask('alice', 'POST', '/api/v2/buy-more', { ...wish, opening_price: '90000' });
    expect(opened.body).toMatchObject({ message: 'success', order: { filled: '0.10000', state: 'APPROVED' } });
  });

  it('is opened and closed by the documented calls with the transaction password or while unlocked, and else answers wrong_transaction_password (T-calls-14, T-calls-17, T-futures-59)', async () => {
    for (const name of ['fresh', 'dealer']) await stage.trader(name, 1_000);
    // A session that has just begun: nothing is unlocked.
    const payload = { username: 'fresh@example.test', password: PASSWORD };
    const token = String((await stage.server.call({ method: 'POST', url: '/api/v3/login', payload })).body.token);
    const fields = {
      name: 'BTC-USDT',
      delegate_type: 'BUY MORE',
      margin: '90',
      leverage: 'x10',
      opening_price: '90000',
    };
    const proof = { transaction_password: TRANSACTION_PASSWORD };
    const open = (more = {}) =>
      stage.server.call({ method: 'POST', url: '/api/v2/buy-more', token, payload: { ...fields, ...more } });
    const close = (more = {}) => {
      const query = new URLSearchParams({ future_id: String(stage.market), ...more }).toString();
      return stage.server.call({ method: 'GET', url: `${CLOSE}?${query}`, token });
    };
    const wrong = { status: 200, body: { message: 'wrong_transaction_password' } };
    const quantity = async () =>
      ((await stage.positions('fresh')).positions ?? []).map((one: { quantity: string }) => one.quantity);
    await stage.order('dealer', 'SELL', '0.02', '90000');
    for (const more of [{}, { transaction_password: 'another' }]) expect(await open(more)).toMatchObject(wrong);
    expect(await quantity()).toEqual([]);
    expect((await open(proof)).body).toMatchObject({ message: 'success', order: { filled: '0.01000' } });
    for (const more of [{}, { transaction_password: 'another' }]) expect(await close(more)).toMatchObject(wrong);
    expect(await quantity()).toEqual(['0.01000']);
    const unlock = { ...proof, minutes: 15 };
    await stage.server.call({ method: 'POST', url: '/api/v3/trading-unlock', token, payload: unlock });
    expect((await open()).body).toMatchObject({ message: 'success', order: { filled: '0.01000' } });
    await stage.order('dealer', 'BUY', '0.02', '90000');
    expect((await close()).body).toMatchObject({ message: 'success', order: { filled: '0.02000' } });
    expect(await quantity()).toEqual([]);
  });

  it('takes each leverage with its x, and rests at an opening price that nobody sells for (T-calls-14, T-calls-16)', async () => {
    const resting = { final_price: '89000.0', state: 'PENDING', filled: '0.00000' };
    for (const [leverage, quantity] of [
      ['x10', '0.00100'],
      ['15x', '0.00150'],
      ['20', '0.00200'],
    ] as const) {
      const wish = { name: 'BTC', delegate_type: 'BUY_MORE', margin: '8.9', leverage, opening_price: '89000' };
      const { body } = await stage.ask('both', 'POST', '/api/v2/buy-more', wish);
      expect(body).toMatchObject({ order: { ...resting, number_of_order: quantity } });
      const settings = await stage.ask('both', 'GET', `/api/v3/futures/settings?symbol=${BTC_SWAP}`);
      expect(settings.body.leverage).toBe(Number(leverage.replace('x', '')));
      await stage.ask('both', 'POST', '/api/v3/orders/cancel-all', {});
    }
  });

  it('leaves the leverage as it is where the transaction password is wrong (T-calls-16)', async () => {
    const wish = {
      name: BTC_SWAP,
      delegate_type: 'BUY_MORE',
      margin: '9',
      leverage: '30',
      transaction_password: 'guess',
    };
    expect((await stage.ask('carol', 'POST', '/api/v2/buy-more', wish)).body).toEqual({
      message: 'wrong_transaction_password',
    });
    const { body } = await stage.ask('carol', 'GET', `/api/v3/futures/settings?symbol=${BTC_SWAP}`);
    expect(body).toMatchObject({ leverage: 20 });
  });

  it('shows a position with every figure of its kind (T-calls-05, T-futures-31..39, T-wallet-future-08..12)', async () => {
    const { body } = await stage.ask('alice', 'GET', '/api/v2/client-margin');
    const [position] = body.margin as unknown as Record<string, string>[];
    expect(position).toMatchObject({
      ...{ id: String(stage.market), coin_pair: { pair_name: BTC_SWAP }, side: 'long', quantity: '0.10000' },
      ...{ leverage: 10, opening_price: '90000.000', margin: '900.00000000', income: '0.00000000' },
      ...{ total_top_up: '0.00000000', total_asset: '900.00000000', rate_of_return: '0.0000' },
      ...{ open_interest: '0.10000', current_price: '90000.0', duration: null, end_date: null },
    });
    expect(Number(position!.start_date)).toBeGreaterThan(Date.now() - 60_000);
    // The wallet bears the fall to nothing, so no price liquidates it.
    expect(position!.estimated_force_parity).toBeNull();
  });

  it('follows the mark: income, rate of return and equity, in every wallet call too (T-calls-31, T-calls-32, T-calls-33, T-calls-39, T-wallet-future-13..19, T-futures-41, T-futures-42)', async () => {
    // The mark is the median of index, last price and book, so it needs more than one of them to move.
    await stage.trade('carol', 'bob', '0.001', '90900');
    await stage.index(90_900);
    const { positions, account } = await stage.positions('alice');
    const mark = Number((positions as unknown as { mark_price: string }[])[0]!.mark_price);
    expect(mark).toBeGreaterThan(90_000);
    const income = ((mark - 90_000) * 0.1).toFixed(8);
    expect(positions).toMatchObject([{ income, rate_of_return: (Number(income) / 900).toFixed(4) }]);
    // The taker's fee of 0.05 %.
    expect(account).toMatchObject({ balance: '9995.50000000', unrealised: income });
    for (const path of ['v3/wallets/future', 'v2/future-wallet', 'v3/future-wallet']) {
      const { wallet, walletTotal } = (await stage.ask('alice', 'GET', `/api/${path}`)).body;
      const usdt = (wallet as unknown as { name: string }[]).find(({ name }) => name === 'USDT');
      const equity = (9_995.5 + Number(income)).toFixed(8);
      const worth = { usdt_value: equity, image: '/icons/usdt.svg' };
      expect(walletTotal).toBe(equity);
      expect(usdt).toMatchObject({ ...worth, upnl: income, margin_balance: equity, available: '9095.50000000' });
    }
    const { chart } = (await stage.ask('alice', 'GET', `/api/v3/coin-pair/current-price?symbol=${BTC_SWAP}`)).body;
    expect(chart).toMatchObject({ close: '90900.0', increase_in_value: expect.stringMatching(/^-?\d+\.\d{4}$/) });
    const { body } = await stage.ask('alice', 'GET', '/api/v3/coin-future-pnl');
    expect(body).toMatchObject({ spotProfit: income, spotPercentage: ((Number(income) / 900) * 100).toFixed(4) });
  });

  it('lets out of the wallet what no cross position needs, and says how much (T-calls-26)', async () => {
    const { body } = await stage.ask('alice', 'GET', '/api/v3/check-draw-out-status');
    expect(body).toMatchObject({ draw_status: 'YES', future_count: 1, positions: [{ pair_name: BTC_SWAP }] });
    const [{ free }] = body.positions as unknown as [{ free: string }];
    expect(free).toBe('9095.50000000');
    const transfer = (amount: string) =>
      stage.ask('alice', 'POST', '/api/v3/futures/transfer', {
        ...{ coin_name: 'USDT', draw_type: 'DRAW_OUT', transfer_amount: amount, transaction_password: 'order-it' },
      });
    expect(await transfer('9095.6')).toMatchObject({ status: 409, body: { code: 'CROSS_MARGIN_EXPOSURE' } });
    expect((await transfer('95.5')).body).toMatchObject({ message: 'success' });
  });

  it('lets nothing out, and says which position it is, where a cross position needs all that there is (T-transfer-15, T-transfer-16, T-calls-26)', async () => {
    await stage.trader('bound', 150);
    await stage.trade('bound', 'bob', '0.01', '90500');
    const { free } = (await stage.positions('bound')).account as unknown as { free: string };
    const answer = async () => (await stage.ask('bound', 'GET', '/api/v3/check-draw-out-status')).body;
    expect(await answer()).toMatchObject({ draw_status: 'YES', future_count: 1, positions: [{ free }] });
    const out = (amount: string) =>
      stage.ask('bound', 'POST', '/api/v3/futures/transfer', {
        ...{ coin_name: 'USDT', draw_type: 'DRAW_OUT', transfer_amount: amount, transaction_password: 'order-it' },
      });
    expect((await out(free)).body).toMatchObject({ message: 'success' });
    expect(await answer()).toMatchObject({
      ...{ draw_status: 'NO', future_count: 1 },
      positions: [{ pair_name: BTC_SWAP, coin: 'USDT', free: '0.00000000' }],
    });
    expect(await out('0.01')).toMatchObject({ status: 409, body: { code: 'CROSS_MARGIN_EXPOSURE' } });
  });

  it('adds to an isolated margin and takes out what its leverage does not need, once for each key', async () => {
    const margin = (amount: string, key?: string) =>
      stage.ask('carol', 'POST', '/api/v3/futures/margin', { symbol: BTC_SWAP, amount }, key);
    for (const _ of [1, 2]) {
      const added = await margin('5', 'once');
      expect(added.body).toMatchObject({ message: 'success', position: { total_top_up: '5.00000000' } });
    }
    expect(await margin('-100')).toMatchObject({ status: 422, body: { code: 'INSUFFICIENT_FUNDS' } });
    expect((await margin('-5')).body).toMatchObject({ position: { total_top_up: '0.00000000' } });
    const none = await stage.ask('alice', 'POST', '/api/v3/futures/margin', { symbol: BTC_SWAP, amount: '5' });
    expect(none).toMatchObject({ status: 422, body: { code: 'NO_POSITION' } });
  });

  it('closes a share at a limit, which rests, and a quantity at market, once for each key', async () => {
    const resting = await stage.ask('alice', 'POST', CLOSE, {
      ...{ symbol: BTC_SWAP, type: 'limit', price: '92000', share_percent: 50 },
    });
    const order = { number_of_order: '0.05000', state: 'PENDING', delegate_type: 'SELL' };
    expect(resting.body).toMatchObject({ message: 'closeRequest', order });
    const { id } = resting.body.order as unknown as { id: string };
    await stage.server.call({ method: 'DELETE', url: `/api/v3/orders/${id}`, token: stage.token('alice') });
    await stage.order('bob', 'BUY', '0.05', '90000');
    for (const _ of [1, 2]) {
      const closed = await stage.ask('alice', 'POST', CLOSE, { symbol: BTC_SWAP, quantity: '0.05' }, 'close');
      expect(closed.body).toMatchObject({ message: 'success', order: { filled: '0.05000' } });
    }
    expect((await stage.positions('alice')).positions).toMatchObject([{ quantity: '0.05000' }]);
  });

  it('refuses terms of closing beside the documented id, by field, and closes nothing', async () => {
    const named = { future_id: String(stage.market) };
    for (const [field, value] of [
      ['quantity', '0.01'],
      ['share_percent', 50],
      ['type', 'limit'],
      ['price', '92000'],
      ['time_in_force', 'IOC'],
      ['position_side', 'long'],
    ] as const) {
      const refused = await stage.ask('alice', 'POST', CLOSE, { ...named, [field]: value });
      expect(refused, field).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT', errors: [{ field }] } });
    }
    expect((await stage.positions('alice')).positions).toMatchObject([{ quantity: '0.05000' }]);
    expect((await stage.ask('alice', 'GET', '/api/v3/trades/open-orders')).body.orders ?? []).toEqual([]);
  });

  it('reverses a position by one order', async () => {
    await stage.order('bob', 'BUY', '0.1', '90000');
    const turned = await stage.ask('alice', 'POST', '/api/v3/futures/reverse', { symbol: BTC_SWAP });
    expect(turned.body).toMatchObject({ message: 'success', order: { filled: '0.10000', delegate_type: 'SELL' } });
    expect((await stage.positions('alice')).positions).toMatchObject([{ side: 'short', quantity: '0.05000' }]);
  });

  it('closes by the documented call: what finds no order rests, and then it has closed (T-calls-17)', async () => {
    const close = () => stage.ask('alice', 'GET', `${CLOSE}?future_id=${stage.market}`);
    const asked = await close();
    expect(asked.body).toMatchObject({ message: 'closeRequest', order: { delegate_type: 'BUY', state: 'PENDING' } });
    const { id } = asked.body.order as unknown as { id: string };
    await stage.server.call({ method: 'DELETE', url: `/api/v3/orders/${id}`, token: stage.token('alice') });
    await stage.order('bob', 'SELL', '0.05', '90500');
    expect((await close()).body).toMatchObject({ message: 'success', order: { filled: '0.05000' } });
    expect(await close()).toMatchObject({ status: 422, body: { code: 'NOTHING_TO_CLOSE' } });
    expect((await stage.positions('alice')).positions).toEqual([]);
  });

  it('keeps each change with its cause, its trade and what it has brought, newest first, by pages and dates', async () => {
    const { changes } = await history('alice', 'positions');
    expect(changes).toMatchObject([
      { cause: 'trade', side: null, quantity: '0.00000', quantity_change: '0.05000' },
      { cause: 'trade', side: 'short', quantity: '0.05000', quantity_change: '-0.10000' },
      { cause: 'trade', side: 'long', quantity: '0.05000', quantity_change: '-0.05000' },
      { cause: 'trade', side: 'long', quantity: '0.10000', quantity_change: '0.10000', fee: '4.50000000' },
    ]);
    const rows = changes as unknown as { id: string; trade_id: string; created_at: number }[];
    expect(rows.every(({ trade_id }) => Number(trade_id) > 0)).toBe(true);
    const before = await history('alice', 'positions', `?limit=1&before=${rows[1]!.id}`);
    expect(before.changes).toEqual([rows[2]]);
    const since = await history('alice', 'positions', `?from=${rows[0]!.created_at + 1}`);
    expect(since.changes).toEqual([]);
    const file = await stage.server.app.http.inject({
      url: `${HISTORY}/positions.csv?symbol=${BTC_SWAP}`,
      headers: { authorization: `Bearer ${stage.token('alice')}` },
    });
    expect(file.body.split('\r\n').filter(Boolean)).toHaveLength(5);
    expect((await history('carol', 'positions')).changes).toMatchObject([
      { cause: 'margin' },
      { cause: 'margin' },
      { cause: 'trade' },
      { cause: 'leverage' },
      { cause: 'leverage' },
    ]);
  });

  it('is restored from its tables as memory has it', async () => {
    stage = await stage.restart(kind);
    for (const name of ['alice', 'bob', 'carol']) await stage.trader(name);
    expect((await stage.positions('carol')).positions).toMatchObject([{ side: 'long', margin_mode: 'isolated' }]);
  });
});
