import type { Quote } from '@cambist/contract/convert.ts';
import type { Fill, Order } from '@cambist/contract/trading.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';

describe.each(databaseKinds)('conversions through HTTP (%s)', (kind) => {
  let server: TestApp;
  let maker: string;
  let client: string;

  const post = (url: string, payload: object, token = client) => server.call({ method: 'POST', url, token, payload });
  const offer = (side: 'BUY' | 'SELL', price: string, quantity: string) =>
    post('/api/v3/orders', { symbol: 'BTC', side, type: 'limit', price, quantity }, maker);
  const cancel = ({ body }: { readonly body: Record<string, never> }) =>
    server.call({
      method: 'DELETE',
      url: `/api/v3/orders/${(body.order as unknown as Order).id}`,
      token: maker,
    });
  const quoteFor = async (payload: object) => {
    const answer = await post('/api/v3/convert/quote', payload);
    return { ...answer, quote: answer.body.quote as unknown as Quote };
  };
  const confirm = (quote: Quote, password: string = TRANSACTION_PASSWORD) =>
    post('/api/v3/convert', { quote_id: quote.id, transaction_password: password });
  const balance = async (coin: string, token = client) =>
    (await server.call({ method: 'GET', url: `/api/v3/wallet-balance?name=${coin}`, token })).body
      .wallet as unknown as { wallet_balance: string; freeze_balance: string };

  beforeAll(async () => {
    server = await startTestApp(kind);
    maker = await server.trader('maker', { BTC: '5', USDT: '500000' });
    client = await server.trader('client', { BTC: '1', USDT: '10000' });
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
    // A trade, so that there is a last price: the reference where none comes from outside.
    await offer('SELL', '50000', '0.001');
    await post('/api/v3/orders', { symbol: 'BTC', side: 'BUY', type: 'market', quantity: '0.001' });
    await offer('SELL', '50010', '0.1');
    await offer('SELL', '50050', '1');
    await offer('BUY', '49990', '0.1');
    await offer('BUY', '49950', '1');
  });
  afterAll(() => server.remove());

  it('quotes the worst price of the book that the amount needs, with spread and fee', async () => {
    const { status, quote } = await quoteFor({ from: 'USDT', to: 'BTC', from_amount: '1000' });
    expect(status).toBe(200);
    expect(quote).toMatchObject({
      delegate_type: 'BUY',
      // 50010 of the book and a margin of 0.1 %.
      price: '50060.1',
      reference_price: '50000.0',
      spread_percent: '0.1202',
      from_amount: '999.70019700',
      to_amount: '0.01997000',
      fee: '0.00001997',
      receive: '0.01995003',
    });
    expect(quote.expires_at).toBe(quote.quoted_at + 10_000);
    const deeper = await quoteFor({ from: 'USDT', to: 'BTC', to_amount: '0.2' });
    expect(deeper.quote).toMatchObject({ price: '50100.1', to_amount: '0.20000000' });
  });

  it('a sale is quoted from the bids, and its spread is what it loses', async () => {
    const { quote } = await quoteFor({ from: 'BTC', to: 'USDT', from_amount: '0.2' });
    expect(quote).toMatchObject({
      delegate_type: 'SELL',
      price: '49900.0',
      spread_percent: '0.2000',
      to_amount: '9980.00000000',
    });
  });

  it('needs the transaction password, also while orders are unlocked (T-convert-35)', async () => {
    const before = await balance('USDT');
    const { quote } = await quoteFor({ from: 'USDT', to: 'BTC', from_amount: '500.1' });
    expect(await confirm(quote, '')).toMatchObject({ status: 403, body: { message: 'Password is required' } });
    expect(await confirm(quote, 'not this one')).toMatchObject({
      status: 200,
      body: { message: 'wrong_transaction_password' },
    });
    expect(await balance('USDT')).toEqual(before);
  });

  it('moves no more than was quoted for no less, once, however often the quote is confirmed (T-convert-01)', async () => {
    const before = { usdt: await balance('USDT'), btc: await balance('BTC') };
    const { quote } = await quoteFor({ from: 'USDT', to: 'BTC', from_amount: '500.7' });
    const answers = [await confirm(quote), await confirm(quote)];
    const orders = answers.map(({ body }) => body.order as unknown as Order);
    expect(answers.map(({ body }) => body.message)).toEqual(['success', 'success']);
    expect(orders[0]).toMatchObject({ type: 'convert', state: 'APPROVED', filled: '0.01000', fee: '0.00001000' });
    expect(orders[1]?.id).toBe(orders[0]?.id);
    const left = Number(before.usdt.wallet_balance) - Number((await balance('USDT')).wallet_balance);
    const came = Number((await balance('BTC')).wallet_balance) - Number(before.btc.wallet_balance);
    // At the book's own price: the margin stays with the client.
    expect(left).toBeCloseTo(500.1, 8);
    expect(left).toBeLessThan(Number(quote.from_amount));
    expect(came).toBeCloseTo(Number(quote.receive), 8);
  });

  it('holds while the book moves by less than the margin, at the prices of the book', async () => {
    const first = await offer('BUY', '49996', '0.05');
    const { quote } = await quoteFor({ from: 'BTC', to: 'USDT', from_amount: '0.05' });
    await cancel(first);
    const { body } = await confirm(quote);
    expect(body.order).toMatchObject({ state: 'APPROVED', average_price: '49990.0' });
    expect(Number(quote.price)).toBeLessThan(49_990);
  });

  it('refuses a price that has moved further, and takes nothing', async () => {
    const before = await balance('BTC');
    const near = await offer('BUY', '50009', '0.2');
    const { quote } = await quoteFor({ from: 'BTC', to: 'USDT', from_amount: '0.2' });
    await cancel(near);
    // What is left within the quote is less than its amount.
    expect(await confirm(quote)).toMatchObject({ status: 409, body: { code: 'PRICE_MOVED' } });
    expect(await balance('BTC')).toEqual(before);
  });

  it('gives a better price of the book to the client', async () => {
    const { quote } = await quoteFor({ from: 'BTC', to: 'USDT', from_amount: '0.01' });
    await offer('BUY', '49999', '0.01');
    const said = { average_price: '49999.0', final_price: '49999.0', total: '499.99000000' };
    expect((await confirm(quote)).body.order).toMatchObject(said);
  });

  it('says what is wrong with an amount, apart from the name that the field has in the call', async () => {
    const message = 'The number is too large';
    expect(await post('/api/v3/convert/quote', { from: 'USDT', to: 'BTC', from_amount: '9'.repeat(18) })).toMatchObject(
      {
        status: 422,
        body: { code: 'INVALID_FIELD', errors: [{ field: 'from_amount', message }] },
      },
    );
  });

  it('a quote is held for ten seconds and for its client alone', async () => {
    const stranger = await quoteFor({ from: 'USDT', to: 'BTC', from_amount: '100.5' });
    const theirs = await post(
      '/api/v3/convert',
      { quote_id: stranger.quote.id, transaction_password: TRANSACTION_PASSWORD },
      maker,
    );
    expect(theirs).toMatchObject({ status: 409, body: { code: 'QUOTE_EXPIRED' } });
    const { quote } = await quoteFor({ from: 'USDT', to: 'BTC', from_amount: '100.5' });
    server.advance(10_001);
    expect(await confirm(quote)).toMatchObject({ status: 409, body: { code: 'QUOTE_EXPIRED' } });
  });

  it('is made before an order of the client’s own is met, and names that one where it comes first', async () => {
    const own = { symbol: 'BTC', side: 'SELL', type: 'limit', price: '50020', quantity: '0.02' };
    await post('/api/v3/orders', own);
    const { quote } = await quoteFor({ from: 'USDT', to: 'BTC', to_amount: '0.01' });
    expect((await confirm(quote)).body).toMatchObject({ message: 'success', order: { state: 'APPROVED' } });
    const refused = { status: 409, body: { code: 'OWN_ORDER', message: expect.stringContaining('50020.0 USDT') } };
    expect(await quoteFor({ from: 'USDT', to: 'BTC', to_amount: '0.11' })).toMatchObject(refused);
    await post('/api/v3/orders', { ...own, price: '50005' });
    expect(await quoteFor({ from: 'USDT', to: 'BTC', to_amount: '0.01' })).toMatchObject({ status: 409 });
    await post('/api/v3/orders/cancel-all', {});
    const { quote: free } = await quoteFor({ from: 'USDT', to: 'BTC', to_amount: '0.01' });
    expect((await confirm(free)).body).toMatchObject({ message: 'success' });
  });

  it('refuses what is too small, too much, or not against USDT (T-convert-25) (T-convert-29) (T-convert-30)', async () => {
    const refused = async (payload: object) => (await quoteFor(payload)).body;
    expect(await refused({ from: 'USDT', to: 'BTC', from_amount: '0.6' })).toMatchObject({
      message: expect.stringMatching(/^Amount must be greater than minimum buy amount \(.+\)$/),
    });
    expect(await refused({ from: 'BTC', to: 'USDT', from_amount: '0.00001' })).toMatchObject({
      message: 'Amount must be greater than minimum sell amount (1.00000000 USDT)',
    });
    expect(await refused({ from: 'USDT', to: 'BTC', to_amount: '4' })).toMatchObject({ code: 'BOOK_TOO_THIN' });
    expect(await refused({ from: 'USDT', to: 'USDT', from_amount: '4' })).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await refused({ from: 'ETH', to: 'BTC', from_amount: '4' })).toMatchObject({ code: 'INVALID_INPUT' });
    const { quote } = await quoteFor({ from: 'USDT', to: 'BTC', to_amount: '0.9' });
    expect(await confirm(quote)).toMatchObject({ status: 422, body: { code: 'INSUFFICIENT_FUNDS' } });
  });

  it('places a conversion at the client’s ratio through the documented call (T-calls-18, T-calls-20)', async () => {
    const { body } = await post('/api/v2/my-order', {
      name: 'BTCUSDT',
      delegate_type: 'BUY',
      number_of_order: '0.01',
      order_per_unit: '48000',
      trade_type: 'convert',
      market_type: 'limit',
      transaction_password: TRANSACTION_PASSWORD,
    });
    expect(body).toMatchObject({
      message: 'success',
      order: { type: 'convert', state: 'PENDING', final_price: '48000.0' },
    });
    const atMarket = await post('/api/v2/my-order', {
      name: 'BTC',
      delegate_type: 'SELL',
      number_of_order: '0.001',
      trade_type: 'convert',
      transaction_password: TRANSACTION_PASSWORD,
    });
    expect(atMarket.body).toMatchObject({ order: { type: 'convert', state: 'APPROVED' } });
    const byTotal = await post('/api/v2/my-order', {
      ...{ name: 'BTC', delegate_type: 'BUY', total: '100', trade_type: 'convert' },
      transaction_password: TRANSACTION_PASSWORD,
    });
    const { order } = byTotal.body as unknown as { order: Order };
    expect(order).toMatchObject({ type: 'convert', state: 'APPROVED' });
    expect(Number(order.total)).toBeGreaterThan(99);
    expect(Number(order.total)).toBeLessThanOrEqual(100);
  });

  it('needs the transaction password through the documented call too, while orders are unlocked (T-convert-35)', async () => {
    const wish = { name: 'BTC', delegate_type: 'SELL', number_of_order: '0.001' };
    const before = await balance('BTC');
    for (const more of [{}, { market_type: 'limit', order_per_unit: '49990' }]) {
      const refused = await post('/api/v2/my-order', { ...wish, trade_type: 'convert', ...more });
      expect(refused).toMatchObject({ status: 403, body: { message: 'Password is required' } });
    }
    expect(await balance('BTC')).toEqual(before);
    expect((await post('/api/v2/my-order', wish)).body).toMatchObject({ message: 'success' });
  });

  it('every list names a conversion, whichever way it was made, and nothing else', async () => {
    const list = async <Row>(path: string, field: string) =>
      (await server.call({ method: 'GET', url: `/api/v3/trades/${path}`, token: client })).body[
        field
      ] as unknown as Row[];
    const [atLimit] = (await list<Order>('open-orders', 'orders')).filter(
      ({ final_price }) => final_price === '48000.0',
    );
    expect(atLimit).toMatchObject({ type: 'convert', state: 'PENDING' });
    expect(atLimit).not.toHaveProperty('client_order_id');
    const placed = (
      await post('/api/v3/orders', { symbol: 'BTC', side: 'BUY', type: 'limit', price: '50060', quantity: '0.001' })
    ).body;
    const plain = (placed.order as unknown as Order).id;
    const converted = await list<Order>('order-histories?type=convert', 'orders');
    expect(converted.length).toBeGreaterThan(3);
    expect(new Set(converted.map(({ type }) => type))).toEqual(new Set(['convert']));
    const others = [
      ...(await list<Order>('order-histories?type=limit', 'orders')),
      ...(await list<Order>('order-histories?type=market', 'orders')),
    ];
    expect(others.map(({ id }) => id)).toContain(plain);
    expect(others.filter(({ type }) => type === 'convert')).toEqual([]);
    const fills = await list<Fill>('trade-histories', 'trades');
    const ids = new Set(converted.map(({ id }) => id));
    expect(fills.filter(({ type }) => type === 'convert').length).toBeGreaterThan(3);
    expect(fills.filter((fill) => (fill.type === 'convert') !== ids.has(fill.order_id))).toEqual([]);
    const file = async (path: string) =>
      (
        await server.app.http.inject({
          url: `/api/v3/trades/${path}.csv`,
          headers: { authorization: `Bearer ${client}` },
        })
      ).body;
    expect(await file('order-histories')).toMatch(/,BTC-USDT,SELL,convert,/);
    expect(await file('trade-histories')).toMatch(/,BTC-USDT,SELL,.*,convert\r\n/);
    expect(await file('trade-histories')).toMatch(/,BTC-USDT,BUY,.*,order\r\n/);
  });

  it('a confirmed conversion is found again after a restart', async () => {
    const { quote } = await quoteFor({ from: 'USDT', to: 'BTC', from_amount: '500.5' });
    const first = (await confirm(quote)).body.order as unknown as Order;
    await server.stop();
    server = await startTestApp(kind, server.source);
    const signedIn = await server.trader('client', {});
    const again = await post(
      '/api/v3/convert',
      { quote_id: quote.id, transaction_password: TRANSACTION_PASSWORD },
      signedIn,
    );
    expect(again.body).toMatchObject({ message: 'success', order: { id: first.id, type: 'convert' } });
    const open = await server.call({ method: 'GET', url: '/api/v3/trades/open-orders', token: signedIn });
    expect(open.body.orders).toMatchObject([{ type: 'convert', final_price: '48000.0' }]);
  });
});
