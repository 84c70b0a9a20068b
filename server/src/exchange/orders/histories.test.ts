import type { Fill, Order } from '@cambist/contract/trading.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';

const FILLS = 620;
const MINUTE_MS = 60_000;

describe.each(databaseKinds)('histories (%s)', (kind) => {
  let server: TestApp;
  let alice: string;
  let bob: string;
  let split = 0;

  const get = async <Answer>(url: string, token = bob) =>
    (await server.call({ method: 'GET', url: `/api/v3/trades/${url}`, token })).body as unknown as Answer;
  const fills = async (query: string, token = bob) =>
    (await get<{ trades: Fill[] }>(`trade-histories?${query}`, token)).trades;
  const orders = async (query: string, token = bob) =>
    (await get<{ orders: Order[] }>(`order-histories?${query}`, token)).orders;
  const file = (url: string, token = bob) =>
    server.app.http.inject({ url: `/api/v3/trades/${url}`, headers: { authorization: `Bearer ${token}` } });
  const linesOf = (body: string) => body.trimEnd().split('\r\n').slice(1);
  const place = async (token: string, payload: object) =>
    server.call({ method: 'POST', url: '/api/v3/orders', token, payload });

  beforeAll(async () => {
    server = await startTestApp(kind);
    alice = await server.trader('alice', { BTC: '10', ETH: '5' });
    bob = await server.trader('bob', { USDT: '900000', ETH: '5' });
    const { sequencer } = server.app.engine;
    await sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
    await place(alice, { symbol: 'BTC', side: 'SELL', type: 'limit', price: '50000', quantity: '1' });
    const buys = Array.from({ length: FILLS }, () => ({
      symbol: 'BTC',
      side: 'BUY',
      type: 'market',
      quantity: '0.001',
    }));
    for (let at = 0; at < FILLS; at += 20) {
      await server.call({
        method: 'POST',
        url: '/api/v3/orders/batch',
        token: bob,
        payload: { orders: buys.slice(at, at + 20) },
      });
    }
    server.advance(10 * MINUTE_MS);
    split = server.now();
    await place(bob, { symbol: 'ETH', side: 'SELL', type: 'limit', price: '2000', quantity: '0.5' });
    await place(alice, { symbol: 'BTC', side: 'BUY', type: 'limit', price: '49000', quantity: '0.01' });
    await place(bob, { symbol: 'BTC', side: 'SELL', type: 'market', quantity: '0.004' });
    const away = await place(bob, {
      symbol: 'BTC',
      side: 'BUY',
      type: 'limit',
      price: '48000',
      quantity: '0.01',
      client_order_id: '-far-away',
    });
    const { id } = away.body.order as unknown as Order;
    await server.call({ method: 'DELETE', url: `/api/v3/orders/${id}`, token: bob });
  });
  afterAll(() => server.remove());

  it('filters fills by pair, side, role and time', async () => {
    expect(await fills('symbol=BTC-USDT&limit=500')).toHaveLength(500);
    expect(await fills('symbol=ETH')).toEqual([]);
    expect(await fills('side=SELL')).toMatchObject([{ delegate_type: 'SELL', quantity: '0.00400', role: 'taker' }]);
    expect(await fills('role=maker')).toEqual([]);
    expect(await fills('role=maker&side=BUY', alice)).toMatchObject([{ price: '49000.0', quantity: '0.00400' }]);
    expect(await fills(`from=${split}`)).toHaveLength(1);
    expect(await fills(`to=${split - 1}&side=SELL`)).toEqual([]);
    expect(await fills(`from=${split - 20 * MINUTE_MS}&to=${split - 1}&limit=500`)).toHaveLength(500);
    const [newest] = await fills('limit=1');
    expect(await fills(`from=${newest?.created_at}&to=${newest?.created_at}`)).toHaveLength(1);
  });

  it('filters ended orders by pair, side, type, state and time', async () => {
    expect(await orders('state=DISSAPROVED')).toMatchObject([{ reason: 'BY_OWNER', final_price: '48000.0' }]);
    expect(await orders('type=limit')).toHaveLength(1);
    expect(await orders('type=conditional')).toEqual([]);
    expect(await orders('side=SELL')).toMatchObject([{ delegate_type: 'SELL', type: 'market', state: 'APPROVED' }]);
    expect(await orders(`from=${split}`)).toHaveLength(2);
    expect(await orders(`to=${split - 1}&limit=500&symbol=btcusdt&type=market`)).toHaveLength(500);
    // What is open has not ended.
    expect(await orders('symbol=ETH')).toEqual([]);
  });

  it('pages without a gap or a repetition while new rows come', async () => {
    const seen: string[] = [];
    let before = '';
    for (;;) {
      const page = await fills(`symbol=BTC&side=BUY&limit=97${before}`);
      seen.push(...page.map(({ id }) => id));
      if (page.length < 97) break;
      before = `&before=${page.at(-1)?.id}`;
      await place(bob, { symbol: 'BTC', side: 'BUY', type: 'market', quantity: '0.001' });
    }
    expect(seen).toHaveLength(FILLS);
    expect(new Set(seen).size).toBe(FILLS);
    expect(seen).toEqual([...seen].sort((left, right) => Number(right) - Number(left)));
  });

  it('lists the fills of one order, of the client who placed it', async () => {
    const [sell] = (await get<{ orders: Order[] }>('open-orders', alice)).orders.filter(
      ({ delegate_type }) => delegate_type === 'SELL',
    );
    const own = await fills(`order_id=${sell?.id}&limit=500`, alice);
    expect(own).toHaveLength(500);
    expect(own.every((fill) => fill.order_id === sell?.id && fill.role === 'maker')).toBe(true);
    const [bought] = await orders('side=BUY&type=market&limit=1');
    expect(await fills(`order_id=${bought?.id}`)).toMatchObject([{ order_id: bought?.id, quantity: '0.00100' }]);
    expect(await get(`trade-histories?order_id=${sell?.id}`)).toMatchObject({ code: 'ORDER_NOT_FOUND' });
  });

  it('says what is wrong with a filter', async () => {
    expect(await get('trade-histories?symbol=NOPE')).toMatchObject({ status: 404, code: 'UNKNOWN_PAIR' });
    expect(await get('order-histories?symbol=NOPE')).toMatchObject({ status: 404, code: 'UNKNOWN_PAIR' });
    expect(await get('open-orders?symbol=NOPE')).toMatchObject({ status: 404, code: 'UNKNOWN_PAIR' });
    expect(await get('open-orders?symbol=BTC')).toEqual({ orders: [] });
    expect(await get('open-orders?symbol=ethusdt')).toMatchObject({ orders: [{ final_price: '2000.00' }] });
    expect(await get('trade-histories?from=2&to=1')).toMatchObject({
      status: 422,
      detail: 'from: The first date may not be after the last',
    });
    expect(await get('trade-histories?from=yesterday')).toMatchObject({
      detail: 'from: A time is a whole number of milliseconds since 1970',
    });
    expect(await get('trade-histories?from=9999999999999999')).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await get('order-histories?state=PENDING')).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await get('trade-histories.csv?symbol=NOPE')).toMatchObject({ code: 'UNKNOWN_PAIR' });
  });

  it('writes the same rows as CSV, with exact decimals and times in UTC', async () => {
    const listed = await fills('side=SELL');
    const answer = await file('trade-histories.csv?side=SELL');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="cambist-trades.csv"',
      'cache-control': 'no-store',
    });
    const [fill] = listed;
    expect(answer.body).toBe(
      'time,id,order_id,pair,side,role,price,quantity,total,fee,fee_coin,type\r\n' +
        `${new Date(fill?.created_at ?? 0).toISOString()},${fill?.id},${fill?.order_id},BTC-USDT,SELL,taker,` +
        '49000.0,0.00400,196.00000000,0.19600000,USDT,order\r\n',
    );
    const all = linesOf((await file('trade-histories.csv')).body).map((line) => line.split(',')[1]);
    const newest = await fills('limit=500');
    expect(all.slice(0, 500)).toEqual(newest.map(({ id }) => id));
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(FILLS);
  });

  it('keeps a spreadsheet from calculating what a client wrote', async () => {
    const lines = linesOf((await file('order-histories.csv?state=DISSAPROVED')).body);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(",'-far-away,BTC-USDT,BUY,limit,,GTC,48000.0,0.01000,0.00000,");
  });

  it('writes one file at a time for each client', async () => {
    const answers = await Promise.all([
      file('trade-histories.csv'),
      file('order-histories.csv'),
      file('trade-histories.csv', alice),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 429]);
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    expect(refused?.json()).toMatchObject({ code: 'EXPORT_RUNNING' });
    expect(refused?.headers['retry-after']).toBe('10');
    expect((await file('order-histories.csv')).statusCode).toBe(200);
    // A refused filter gives its slot back as well.
    expect((await file('order-histories.csv?symbol=NOPE')).statusCode).toBe(404);
    expect((await file('order-histories.csv')).statusCode).toBe(200);
  });
});
