/** Pairs that an operator lists, changes and ends by calls, on both databases and over a restart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';

const TERMS = {
  coin: 'ACME',
  price_decimals: 3,
  quantity_decimals: 2,
  minimum_quantity: '0.50',
  maximum_quantity: '1000',
  minimum_value: '2',
  price_band_percent: '10',
  reference_price: '4.2',
  reason: 'It was voted for',
};

interface Market {
  readonly symbol: string;
  readonly state: string;
  readonly [field: string]: unknown;
}

describe.each(databaseKinds)('an operator’s pairs (%s)', (kind) => {
  let server: TestApp;
  let operator = '';
  let ann = '';
  let bob = '';

  type Answer = { status: number; body: Record<string, unknown> };
  const ask = (method: 'GET' | 'POST' | 'PATCH', url: string, token: string, payload?: object) =>
    server.call({ method, url, token, ...(payload ? { payload } : {}) }) as Promise<Answer>;
  const admin = (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) =>
    ask(method, `/api/v3/admin/${path}`, operator, payload);
  const order = (token: string, payload: object) => ask('POST', '/api/v3/orders', token, { type: 'limit', ...payload });
  const market = async (symbol: string) =>
    ((await admin('GET', 'markets')).body.markets as Market[]).find((one) => one.symbol === symbol);
  const audit = async () =>
    (
      (await admin('GET', 'audit')).body as { entries: { act: string; reason: string; detail: object }[] }
    ).entries.filter(({ act }) => !act.startsWith('read-'));
  const signIn = async (username: string) => {
    const payload = { username, password: PASSWORD };
    return String((await server.call({ method: 'POST', url: '/api/v3/login', payload })).body.token);
  };
  const confirm = () =>
    ask('POST', '/api/v3/step-up', operator, { purpose: 'markets', transaction_password: TRANSACTION_PASSWORD });
  const balance = async (token: string, coin: string) => {
    const { funds } = (await ask('GET', '/api/v3/trades/funds', token)).body as {
      funds: { coin: { name: string }; wallet_balance: string; freeze_balance: string }[];
    };
    return funds.find((row) => row.coin.name === coin);
  };

  async function restart(): Promise<void> {
    await server.stop();
    server = await startTestApp(kind, server.source);
    ann = await signIn('ann@example.test');
    bob = await signIn('bob@example.test');
    operator = await signIn('op@example.test');
    await confirm();
    for (const token of [ann, bob]) {
      const payload = { transaction_password: TRANSACTION_PASSWORD, minutes: 60 };
      await ask('POST', '/api/v3/trading-unlock', token, payload);
    }
  }

  beforeAll(async () => {
    server = await startTestApp(kind);
    await server.app.accounts.ensure('op@example.test', PASSWORD, TRANSACTION_PASSWORD, 'operator');
    operator = await signIn('op@example.test');
    ann = await server.trader('ann', { USDT: '1000', DOGE: '5000' });
    bob = await server.trader('bob', { USDT: '1000' });
  });
  afterAll(() => server.remove());

  it('are for operators alone', async () => {
    for (const [method, path, payload] of [
      ['GET', 'markets', undefined],
      ['POST', 'markets', TERMS],
      ['POST', 'coins', { code: 'ACME', decimals: 6, reason: 'Mine' }],
      ['PATCH', 'markets/BTC-USDT', { ...TERMS }],
      ['POST', 'markets/BTC-USDT/delist', { confirm: 'BTC-USDT', reason: 'Mine' }],
      ['POST', 'default-fees', { maker_fee_percent: '0', taker_fee_percent: '0', reason: 'Mine' }],
    ] as const) {
      expect((await ask(method, `/api/v3/admin/${path}`, ann, payload)).body.code).toBe('NOT_AN_OPERATOR');
    }
  });

  it('need a step-up and a coin that is listed, and say which field is wrong', async () => {
    expect((await admin('POST', 'markets', TERMS)).body).toMatchObject({ code: 'STEP_UP_REQUIRED' });
    await confirm();
    expect((await admin('POST', 'markets', TERMS)).body).toMatchObject({ code: 'UNKNOWN_COIN', status: 404 });
    const coin = { code: 'ACME', decimals: 6, reason: 'It was voted for' };
    expect((await admin('POST', 'coins', coin)).status).toBe(200);
    expect((await admin('POST', 'coins', coin)).body.code).toBe('COIN_EXISTS');
    expect((await admin('POST', 'coins', { ...coin, code: 'acme' })).status).toBe(422);
    for (const [field, values] of [
      ['quantity_decimals', { quantity_decimals: 7 }],
      ['price_decimals', { price_decimals: 7 }],
      ['minimum_quantity', { minimum_quantity: '0' }],
      ['minimum_quantity', { minimum_quantity: '0.001' }],
      ['maximum_quantity', { maximum_quantity: '0.4' }],
      ['maximum_quantity', { maximum_quantity: '99999999999' }],
      ['minimum_value', { minimum_value: '0.000000001' }],
      ['price_band_percent', { price_band_percent: '301' }],
      ['reference_price', { reference_price: '0' }],
      ['reference_price', { reference_price: '4.2001' }],
    ] as const) {
      const refused = await admin('POST', 'markets', { ...TERMS, ...values });
      expect(refused.body, JSON.stringify(values)).toMatchObject({ status: 422, errors: [{ field }] });
    }
    expect(await market('ACME-USDT')).toBeUndefined();
  });

  it('trade at once, at the price and with the limits that they were listed with', async () => {
    const listed = await admin('POST', 'markets', TERMS);
    expect(listed.body).toMatchObject({
      message: 'success',
      market: {
        symbol: 'ACME-USDT',
        state: 'trading',
        minimum_quantity: '0.50',
        maximum_quantity: '1000.00',
        minimum_value: '2.00000000',
        price_band_percent: '10.0000',
        last_price: '4.200',
        open_orders: 0,
      },
    });
    expect((await admin('POST', 'markets', TERMS)).body.code).toBe('PAIR_EXISTS');
    const quotes = await ask('GET', '/api/v5/market/ticker?instId=ACME-USDT', ann);
    expect((quotes.body.data as { last: string }[])[0]?.last).toBe('4.200');
    const funded = await ask('POST', '/api/dev/faucet', ann, { coin: 'ACME', amount: '100' });
    expect(funded.status).toBe(200);
    const sale = { symbol: 'ACME', side: 'SELL', price: '4.25', quantity: '10' };
    expect((await order(ann, sale)).status).toBe(200);
    expect((await order(ann, { ...sale, price: '4.9' })).body.code).toBe('PRICE_OUTSIDE_BAND');
    expect((await order(ann, { ...sale, quantity: '0.2' })).body.code).toBe('BELOW_MINIMUM_SIZE');
    const bought = await order(bob, { ...sale, side: 'BUY', quantity: '4' });
    expect(bought.body).toMatchObject({ message: 'success', order: { state: 'APPROVED', remaining: '0.00' } });
    expect(await market('ACME-USDT')).toMatchObject({ last_price: '4.250', open_orders: 1 });
    expect(Number((await balance(bob, 'ACME'))?.wallet_balance)).toBeGreaterThan(3.9);
  });

  it('are there after a restart, with their orders and their price', async () => {
    await restart();
    expect(await market('ACME-USDT')).toMatchObject({
      state: 'trading',
      maximum_quantity: '1000.00',
      last_price: '4.250',
      open_orders: 1,
    });
    const bought = await order(bob, { symbol: 'ACME-USDT', side: 'BUY', price: '4.25', quantity: '6' });
    expect(bought.body).toMatchObject({ order: { state: 'APPROVED', remaining: '0.00' } });
  });

  it('change their limits for new orders, and orders that rest keep theirs', async () => {
    const small = { symbol: 'ACME', side: 'BUY', price: '4.2', quantity: '0.5' };
    await order(bob, small);
    const limits = { minimum_quantity: '5', maximum_quantity: '50', minimum_value: '2', price_band_percent: '5' };
    const path = 'markets/ACME-USDT';
    expect((await admin('PATCH', path, { ...limits, maximum_quantity: '4', reason: 'Wider' })).status).toBe(422);
    const changed = await admin('PATCH', path, { ...limits, reason: 'Wider' });
    expect(changed.body.market).toMatchObject({ minimum_quantity: '5.00', price_band_percent: '5.0000' });
    const tooSmall = { code: 'BELOW_MINIMUM_SIZE', detail: 'The quantity must be at least 5.00 ACME.' };
    expect((await order(bob, small)).body).toMatchObject(tooSmall);
    expect((await order(bob, { ...small, quantity: '60', price: '4' })).body.code).toBe('ABOVE_MAXIMUM_SIZE');
    expect(await market('ACME-USDT')).toMatchObject({ open_orders: 1 });
    expect((await admin('PATCH', 'markets/NOPE-USDT', { ...limits, reason: 'Wider' })).body.code).toBe('UNKNOWN_PAIR');
  });

  it('have fees that the operator sets for who has no tier', async () => {
    await ask('POST', '/api/v3/step-up', operator, { purpose: 'treasury', transaction_password: TRANSACTION_PASSWORD });
    const fees = { maker_fee_percent: '0.01', taker_fee_percent: '0.02', reason: 'A quiet month' };
    expect((await admin('POST', 'default-fees', { ...fees, taker_fee_percent: '101' })).body).toMatchObject({
      errors: [{ field: 'taker_fee_percent' }],
    });
    expect((await admin('POST', 'default-fees', fees)).body).toMatchObject({ taker_fee_percent: '0.0200' });
    const limits = await ask('GET', '/api/v3/getOrder?symbol=ACME', ann);
    expect(limits.body.price).toMatchObject({ maker_fee_percent: '0.0100', taker_fee_percent: '0.0200' });
    const { client } = (await ask('GET', '/api/v3/account-client', bob)).body as { client: { id: number } };
    const moved = await admin('POST', 'fee-tier', { client_id: client.id, tier: 0 });
    expect(moved.body).toMatchObject({ maker_fee_percent: '0.0100', taker_fee_percent: '0.0200' });
    expect((await audit())[0]).toMatchObject({ act: 'set-fee-tier', detail: { tier: 0 } });
    // Also no id that is beyond what the database counts with, such as a UID.
    for (const id of [999, 43_246_018_817])
      expect((await admin('POST', 'fee-tier', { client_id: id, tier: 5 })).body.code).toBe('UNKNOWN_CLIENT');
  });

  it('are halted and resumed, with who did it in the audit log', async () => {
    await admin('POST', 'halt', { symbol: 'ACME', halted: true, reason: 'An odd price' });
    expect(await market('ACME-USDT')).toMatchObject({ state: 'halted' });
    await admin('POST', 'halt', { symbol: 'ACME', halted: false });
    expect(await market('ACME-USDT')).toMatchObject({ state: 'trading' });
    expect((await audit()).slice(0, 6)).toMatchObject([
      { act: 'resume-market', detail: { market: 'ACME-USDT' } },
      { act: 'halt-market', reason: 'An odd price', detail: { market: 'ACME-USDT' } },
      { act: 'set-fee-tier' },
      { act: 'set-default-fees', detail: { after: { maker: '0.01' } } },
      { act: 'change-market', detail: { market: 'ACME-USDT', before: { minimum_quantity: '0.50' } } },
      { act: 'list-market', reason: 'It was voted for', detail: { market: 'ACME-USDT', price_decimals: 3 } },
    ]);
  });

  it('are announced to end: holders are told, and from the close-only time on only sells are accepted', async () => {
    const announce = (symbol: string, delisting: object | null) =>
      admin('POST', `markets/${symbol}/delisting`, { delisting, reason: 'Hardly traded' });
    const soon = { close_only_at: Date.now(), ends_at: Date.now() + 3_600_000 };
    expect((await announce('DOGE-USDT', { ...soon, ends_at: 1 })).body.code).toBe('INVALID_SCHEDULE');
    const { body } = await announce('DOGE-USDT', soon);
    expect(body).toMatchObject({ holders: 1, market: { state: 'trading', delisting: soon } });
    const told = (await ask('GET', '/api/v3/notifications', ann)).body.notifications as { title: string }[];
    expect(told[0]?.title).toBe('DOGE-USDT will be delisted');
    const { data } = (await ask('GET', '/api/v5/public/instruments?instType=SPOT&instId=DOGE-USDT', ann)).body as {
      data: { expTime: string }[];
    };
    expect(data[0]?.expTime).toBe(String(soon.ends_at));
    const doge = { symbol: 'DOGE-USDT', price: '0.16', quantity: '1000' };
    expect((await order(bob, { ...doge, side: 'BUY' })).body.code).toBe('MARKET_CLOSE_ONLY');
    const sale = (await order(ann, { ...doge, side: 'SELL' })).body as { order?: { id: string } };
    expect((await ask('POST', '/api/v3/orders/cancel', ann, { ids: [sale.order?.id] })).status).toBe(200);
    expect((await announce('DOGE-USDT', null)).body).toMatchObject({ market: { delisting: null } });
    const acts = (await audit()).slice(0, 2).map(({ act }) => act);
    expect(acts).toEqual(['withdraw-delisting', 'announce-delisting']);
  });

  it('end at the time that was announced, and so do their price alerts', async () => {
    const alert = { symbol: 'LTC-USDT', direction: 'above', price: '99999' };
    expect((await ask('POST', '/api/v3/alerts', bob, alert)).status).toBe(200);
    const delisting = { close_only_at: 0, ends_at: Date.now() + 1_000 };
    await admin('POST', 'markets/LTC-USDT/delisting', { delisting, reason: 'Hardly traded' });
    await expect.poll(() => market('LTC-USDT'), { timeout: 20_000 }).toMatchObject({ state: 'delisted' });
    const titles = async () =>
      ((await ask('GET', '/api/v3/notifications', bob)).body.notifications as { title: string }[]).map(
        ({ title }) => title,
      );
    await expect.poll(titles, { timeout: 20_000 }).toContain('Price alerts ended');
  });

  it('are delisted with all of their orders, whose funds come back', async () => {
    const doge = { symbol: 'DOGE-USDT', side: 'SELL', price: '0.16', quantity: '1000' };
    for (const price of ['0.16', '0.161']) expect((await order(ann, { ...doge, price })).status).toBe(200);
    const stop = { symbol: 'DOGE-USDT', kind: 'stop_limit', side: 'SELL', quantity: '1000' };
    await order(bob, { ...doge, side: 'BUY', price: '0.16', quantity: '100' });
    const placed = await ask('POST', '/api/v3/orders/conditional', ann, {
      ...stop,
      stop_price: '0.15',
      stop_limit_price: '0.15',
    });
    expect(placed.status).toBe(200);
    expect(await market('DOGE-USDT')).toMatchObject({ open_orders: 2, untriggered_orders: 1 });
    const wrong = { confirm: 'DOGE', reason: 'It is over' };
    expect((await admin('POST', 'markets/DOGE-USDT/delist', wrong)).body.code).toBe('NOT_CONFIRMED');
    const ended = await admin('POST', 'markets/DOGE-USDT/delist', { ...wrong, confirm: 'DOGE-USDT' });
    expect(ended.body).toEqual({ message: 'success', cancelled_orders: 3 });
    expect(await balance(ann, 'DOGE')).toMatchObject({ wallet_balance: '4900.00000000', freeze_balance: '0.00000000' });
    expect(await market('DOGE-USDT')).toMatchObject({ state: 'delisted', open_orders: 0, untriggered_orders: 0 });
    expect((await order(ann, doge)).body.code).toBe('UNKNOWN_PAIR');
    const again = await admin('POST', 'markets/DOGE-USDT/delist', { ...wrong, confirm: 'DOGE-USDT' });
    expect(again.body.code).toBe('MARKET_DELISTED');
    expect((await audit())[0]).toMatchObject({
      act: 'delist-market',
      reason: 'It is over',
      detail: { market: 'DOGE-USDT', open_orders: 2, untriggered_orders: 1 },
    });
  });

  it('stay delisted after a restart, though the catalogue names them', async () => {
    await restart();
    expect(await market('DOGE-USDT')).toMatchObject({ state: 'delisted' });
    const pairs = (await ask('GET', '/api/v3/all-pairs', ann)).body.coinpair as { pair_name: string }[];
    const names = pairs.map(({ pair_name }) => pair_name);
    expect(names).not.toContain('DOGE-USDT');
    expect(names).toContain('ACME-USDT');
    // What was traded there today still counts in the overview, and the history keeps its orders.
    expect((await ask('GET', '/api/v3/overview', bob)).status).toBe(200);
    const history = (await ask('GET', '/api/v3/trades/order-histories', ann)).body;
    expect(JSON.stringify(history)).toContain('DOGE');
  });
});
