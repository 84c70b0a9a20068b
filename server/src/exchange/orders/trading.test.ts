import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { bothKinds } from '../../../test/databases.ts';

type Json = Record<string, never>;

describe.each(bothKinds)('trading through HTTP (%s)', (kind) => {
  let server: TestApp;
  let alice: string;
  let bob: string;

  const place = (token: string, payload: object, headers: Record<string, string> = {}) =>
    server.call({ method: 'POST', url: '/api/v3/orders', token, payload, headers });
  const list = async (token: string, path: string, field: string) =>
    ((await server.call({ method: 'GET', url: path, token })).body[field] as unknown as Json[]) ?? [];
  const balance = async (token: string, coin: string) =>
    (await server.call({ method: 'GET', url: `/api/v3/wallet-balance?name=${coin}`, token })).body.wallet;

  beforeAll(async () => {
    server = await startTestApp(kind);
    alice = await server.trader('alice', { BTC: '2' });
    bob = await server.trader('bob', { USDT: '100000' });
    const operator = await server.trader('nobody', {});
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
    expect(operator).not.toBe('');
  });
  afterAll(() => server.remove());

  it('rests a limit order, holds what it needs and shows it as PENDING (T-calls-23, T-calls-47, T-spot-67, T-spot-68, T-spot-70..72)', async () => {
    const answer = await place(alice, { symbol: 'BTC', side: 'SELL', type: 'limit', price: '50000', quantity: '1' });
    expect(answer).toMatchObject({ status: 200, body: { message: 'success', order: { state: 'PENDING' } } });
    const [open] = await list(alice, '/api/v3/trades/open-orders', 'orders');
    expect(open).toMatchObject({
      delegate_type: 'SELL',
      number_of_order: expect.stringMatching(/^1\.0+$/),
      state: 'PENDING',
    });
    expect(open).toMatchObject({ coin_pair: { pair_name: 'BTC-USDT' }, type: 'limit' });
    expect(await balance(alice, 'BTC')).toMatchObject({ wallet_balance: '1.00000000', freeze_balance: '1.00000000' });
  });

  it('buys at market through the documented call; the server prices it (T-calls-18, T-calls-19)', async () => {
    const answer = await server.call({
      method: 'GET',
      url: `/api/v2/my-order?name=BTCUSDT&delegate_type=BUY&number_of_order=0.5&order_per_unit=49600&trade_type=market&transaction_password=${TRANSACTION_PASSWORD}`,
      token: bob,
    });
    expect(answer).toMatchObject({ status: 200, body: { message: 'success' } });
    expect(answer.body.order).toMatchObject({
      state: 'APPROVED',
      average_price: '50000.0',
      filled: '0.50000',
      fee: '0.00050000',
      fee_coin: 'BTC',
    });
    expect(await balance(bob, 'BTC')).toMatchObject({ wallet_balance: '0.49950000' });
    expect(await balance(bob, 'USDT')).toMatchObject({ wallet_balance: '75000.00000000' });
    expect(await balance(alice, 'USDT')).toMatchObject({ wallet_balance: '24980.00000000' });
  });

  it('refuses a market order where the price is worse than what the client saw, and does nothing', async () => {
    const order = { name: 'BTCUSDT', delegate_type: 'BUY', number_of_order: '0.1', trade_type: 'market' };
    const send = (more: object) =>
      server.call({
        method: 'POST',
        url: '/api/v2/my-order',
        token: bob,
        payload: { ...order, transaction_password: TRANSACTION_PASSWORD, ...more },
      });
    const before = await balance(bob, 'USDT');
    // Alice asks 50,000: 1.01 % above the one, 0.81 % above the other.
    const refused = { status: 422, body: { code: 'PRICE_MOVED' } };
    expect(await send({ order_per_unit: '49500' })).toMatchObject(refused);
    expect(await send({ order_per_unit: '49600', slippage_percent: '0.8' })).toMatchObject(refused);
    expect(await send({ order_per_unit: '49600', slippage_percent: '51' })).toMatchObject({ status: 422 });
    expect(await balance(bob, 'USDT')).toEqual(before);
  });

  it('answers wrong_transaction_password and places nothing (T-calls-18)', async () => {
    const payload = { name: 'BTC', delegate_type: 'BUY', total: '100', transaction_password: 'wrong!' };
    const answer = await server.call({ method: 'POST', url: '/api/v2/my-order', token: bob, payload });
    expect(answer).toMatchObject({ status: 200, body: { message: 'wrong_transaction_password' } });
    expect(await balance(bob, 'USDT')).toMatchObject({
      wallet_balance: '75000.00000000',
      freeze_balance: '0.00000000',
    });
  });

  it('lists ended orders, buys, sells and fills (T-calls-24, T-calls-51, T-calls-52)', async () => {
    const [ended] = await list(bob, '/api/v3/trades/order-histories', 'orders');
    expect(ended).toMatchObject({ state: 'APPROVED', type: 'market', total: '25000.00000000' });
    expect(await list(bob, '/api/v3/buy-history', 'buy')).toMatchObject([
      { state: 'APPROVED', final_price: '50000.0', total: '25000.00000000' },
    ]);
    expect(await list(alice, '/api/v3/sell-history', 'sell')).toMatchObject([{ state: 'PENDING' }]);
    expect(await list(alice, '/api/v3/trades/trade-histories', 'trades')).toMatchObject([
      { role: 'maker', delegate_type: 'SELL', quantity: '0.50000', fee: '20.00000000', fee_coin: 'USDT' },
    ]);
  });

  it('amends and cancels; a cancelled sell is DECLINED in the sell history', async () => {
    const [open] = await list(alice, '/api/v3/trades/open-orders', 'orders');
    const id = String(open?.id);
    const amended = await server.call({
      method: 'PATCH',
      url: `/api/v3/orders/${id}`,
      token: alice,
      payload: { quantity: '0.8' },
    });
    expect(amended.body.order).toMatchObject({ number_of_order: '0.80000', remaining: '0.30000' });
    const notMine = await server.call({ method: 'DELETE', url: `/api/v3/orders/${id}`, token: bob });
    expect(notMine).toMatchObject({ status: 404, body: { code: 'ORDER_NOT_FOUND' } });
    const cancelled = await server.call({ method: 'DELETE', url: `/api/v3/orders/${id}`, token: alice });
    expect(cancelled.body.order).toMatchObject({ state: 'DISSAPROVED', filled: '0.50000', reason: 'BY_OWNER' });
    expect(await balance(alice, 'BTC')).toMatchObject({ wallet_balance: '1.50000000', freeze_balance: '0.00000000' });
    expect(await list(alice, '/api/v3/sell-history', 'sell')).toMatchObject([{ state: 'DECLINED' }]);
  });

  it('keeps both of two amends at once, one of the price and one of the quantity', async () => {
    const order = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '49000', quantity: '0.01' };
    const amend = (id: string, payload: object) =>
      server.call({ method: 'PATCH', url: `/api/v3/orders/${id}`, token: bob, payload });
    for (let round = 1; round <= 5; round += 1) {
      const { id } = (await place(bob, order)).body.order as unknown as { id: string };
      const answers = await Promise.all([amend(id, { price: `4800${round}` }), amend(id, { quantity: '0.02' })]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const [open] = await list(bob, '/api/v3/trades/open-orders', 'orders');
      expect(open).toMatchObject({ id, final_price: `4800${round}.0`, number_of_order: '0.02000' });
      await server.call({ method: 'DELETE', url: `/api/v3/orders/${id}`, token: bob });
    }
  });

  it('does the same Idempotency-Key once, and refuses it for another wish', async () => {
    const payload = { symbol: 'BTC-USDT', side: 'BUY', type: 'limit', price: '49000', quantity: '0.01' };
    const headers = { 'idempotency-key': 'intent-1' };
    const [first, second] = await Promise.all([place(bob, payload, headers), place(bob, payload, headers)]);
    expect(second.body.order).toEqual(first.body.order);
    expect(await list(bob, '/api/v3/trades/open-orders', 'orders')).toHaveLength(1);
    const other = await place(bob, { ...payload, quantity: '0.02' }, headers);
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  it('answers an amend that is sent again as before, also once its order has ended', async () => {
    const order = { symbol: 'BTC-USDT', side: 'BUY', type: 'limit', price: '48500', quantity: '0.01' };
    const { id } = (await place(bob, order)).body.order as unknown as { id: string };
    const url = `/api/v3/orders/${id}`;
    const amend = (price: string, key: string) =>
      server.call({ method: 'PATCH', url, token: bob, payload: { price }, headers: { 'idempotency-key': key } });
    expect((await amend('48400', 'amend-1')).status).toBe(200);
    await server.call({ method: 'DELETE', url, token: bob });
    expect(await amend('48400', 'amend-1')).toMatchObject({
      status: 200,
      body: { order: { id, state: 'PENDING' } },
    });
    expect(await amend('48300', 'amend-1')).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(await amend('48300', 'amend-2')).toMatchObject({ status: 404, body: { code: 'ORDER_NOT_FOUND' } });
  });

  it('places a batch: each order for itself, once for its key', async () => {
    const good = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '48000', quantity: '0.01' };
    const payload = {
      orders: [good, { ...good, price: '1.23456' }, { ...good, symbol: 'NOPE' }, { ...good, price: '47000' }],
    };
    const send = () =>
      server.call({
        method: 'POST',
        url: '/api/v3/orders/batch',
        token: bob,
        payload,
        headers: { 'idempotency-key': 'many' },
      });
    const first = await send();
    const results = first.body.results as unknown as {
      message: string;
      code?: string;
      order?: { id: string; final_price: string };
    }[];
    expect(results.map(({ message, code }) => code ?? message)).toEqual([
      'success',
      'INVALID_FIELD',
      'UNKNOWN_PAIR',
      'success',
    ]);
    expect(results.map(({ order }) => order?.final_price)).toEqual(['48000.0', undefined, undefined, '47000.0']);
    expect((await send()).body).toEqual(first.body);
    for (const { order } of results) {
      if (order) await server.call({ method: 'DELETE', url: `/api/v3/orders/${order.id}`, token: bob });
    }
    const wrong = { ...payload, transaction_password: 'wrong!' };
    const refused = await server.call({ method: 'POST', url: '/api/v3/orders/batch', token: bob, payload: wrong });
    expect(refused.body).toEqual({ message: 'wrong_transaction_password', results: [] });
    const many = { orders: Array(21).fill(good) };
    expect((await server.call({ method: 'POST', url: '/api/v3/orders/batch', token: bob, payload: many })).status).toBe(
      422,
    );
  });

  it.each([
    [{ price: 'NaN' }, 'price'],
    [{ price: '1e5' }, 'price'],
    [{ price: '-5' }, 'price'],
    [{ quantity: '0.0000000001' }, 'decimal places'],
    [{ quantity: '99999999999999999999' }, 'too large'],
    [{ side: 'HOLD' }, 'side'],
    [{ symbol: 'NOPE' }, 'NOPE'],
  ])('refuses %j and says what to change (T-spot-98)', async (change, says) => {
    const good = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '49000', quantity: '0.01' };
    const answer = await place(bob, { ...good, ...change });
    expect([404, 422]).toContain(answer.status);
    expect(String(answer.body.detail)).toContain(says);
    expect(answer.body.requestId).toBeTruthy();
  });

  it('refuses what the balance does not cover, with words to show as they are', async () => {
    const answer = await place(bob, { symbol: 'BTC', side: 'BUY', type: 'limit', price: '50000', quantity: '100' });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'INSUFFICIENT_FUNDS', message: expect.stringContaining('balance') },
    });
  });

  it('says which prices it takes when it refuses one that is too far from the market', async () => {
    const far = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '500000', quantity: '0.001' };
    const answer = await place(bob, far);
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'PRICE_OUTSIDE_BAND',
        message: 'The price must be between 45000.0 and 55000.0, within 10% of the reference price.',
      },
    });
    const limits = await server.call({ method: 'GET', url: '/api/v3/getOrder?symbol=BTC-USDT', token: bob });
    expect(limits.body.price).toMatchObject({ price_band_percent: '10.0000' });
  });

  it('gives the minimums only to clients (T-calls-13, T-spot-76, T-spot-77, T-spot-118)', async () => {
    const answer = await server.call({ method: 'GET', url: '/api/v3/getOrder?symbol=BTC-USDT', token: bob });
    expect(answer.body.price).toMatchObject({
      minimum_sell: '0.00001',
      account_balance_limit_spot: '0.00001',
      fee_credit: '0.00000000',
    });
    expect((await server.call({ method: 'GET', url: '/api/v3/getOrder?symbol=BTC' })).status).toBe(401);
  });

  it('shows funds, the spot wallet and the totals (A-account-state-18..24, T-calls-25, T-calls-29, T-calls-30, T-spot-74, T-spot-75)', async () => {
    const funds = await list(bob, '/api/v3/trades/funds', 'funds');
    expect(funds.find((row) => (row.coin as unknown as Json).name === 'USDT')).toMatchObject({
      wallet_balance: '74510.00000000',
      freeze_balance: '490.00000000',
    });
    const wallet = await list(bob, '/api/v3/wallets/spot', 'wallet');
    expect(wallet[0]).toMatchObject({
      name: 'USDT',
      coin_value: '74510.00000000',
      freeze_value: '490.00000000',
      usdt_value: '75000.00000000',
    });
    const totals = (await server.call({ method: 'GET', url: '/api/v3/overview', token: bob })).body;
    // 75,000 USDT and 0.4995 BTC at 50,000; the fee of 0.0005 BTC is the day's loss.
    expect(totals).toMatchObject({
      overviewTotal: '99975.00000000',
      spotTotal: '99975.00000000',
      pnl: {
        value: '-25.00000000',
        pnl: '-25.00000000',
        percentage: '-0.02',
        futurePnl: '0.00000000',
        futurePnlPercentage: '0.00',
        totalPnl: '-25.00000000',
        totalPercentage: '-0.02',
      },
    });
    expect(totals.topAssets).toMatchObject([
      { name: 'USDT', usdt_value: '75000.00000000' },
      { name: 'BTC', full_name: 'Bitcoin', usdt_value: '24975.00000000' },
    ]);
  });

  it('takes market, limit and convert as trade_type, by GET and by its POST twin (T-calls-20)', async () => {
    const order = { name: 'BTC-USDT', delegate_type: 'BUY', transaction_password: TRANSACTION_PASSWORD };
    const limit = {
      ...order,
      trade_type: 'limit',
      number_of_order: '0.01',
      order_per_unit: '49500',
      market_type: 'spot',
    };
    const resting = await server.call({ method: 'POST', url: '/api/v2/my-order', token: bob, payload: limit });
    expect(resting.body).toMatchObject({
      message: 'success',
      order: { state: 'PENDING', type: 'limit', final_price: '49500.0' },
    });
    const url = `/api/v3/orders/${String((resting.body.order as unknown as Json).id)}`;
    expect((await server.call({ method: 'DELETE', url, token: bob })).status).toBe(200);
    const convert = new URLSearchParams({ ...order, delegate_type: 'SELL', trade_type: 'convert', total: '' });
    const none = await server.call({ method: 'GET', url: `/api/v2/my-order?${convert}`, token: bob });
    expect(none).toMatchObject({ status: 422, body: { message: expect.stringContaining('Amount is required') } });
    convert.set('number_of_order', '0.01');
    const own = await server.call({ method: 'GET', url: `/api/v2/my-order?${convert}`, token: bob });
    expect(own).toMatchObject({ status: 422, body: { code: 'ONLY_OWN_ORDERS' } });
  });

  it('takes market_type limit for a limit order, whatever the trade_type is', async () => {
    const order = { name: 'BTC', delegate_type: 'BUY', number_of_order: '0.01', order_per_unit: '49000' };
    const answer = await server.call({
      method: 'POST',
      url: '/api/v2/my-order',
      token: bob,
      payload: { ...order, trade_type: 'market', market_type: 'limit', transaction_password: TRANSACTION_PASSWORD },
    });
    expect(answer.body).toMatchObject({ order: { state: 'PENDING', type: 'limit', final_price: '49000.0' } });
    const { id } = answer.body.order as unknown as { id: string };
    expect((await server.call({ method: 'DELETE', url: `/api/v3/orders/${id}`, token: bob })).status).toBe(200);
  });

  it('an operator halts a pair and sets a fee tier; the client sees both', async () => {
    const login = { username: 'operator@example.test', password: 'a-long-password' };
    await server.app.accounts.ensure(login.username, login.password, 'another', 'operator');
    const operator = String((await server.call({ method: 'POST', url: '/api/v3/login', payload: login })).body.token);
    for (const purpose of ['markets', 'treasury']) {
      const payload = { purpose, transaction_password: 'another' };
      await server.call({ method: 'POST', url: '/api/v3/step-up', token: operator, payload });
    }
    const asOperator = (url: string, payload: object) => server.call({ method: 'POST', url, token: operator, payload });
    const order = { symbol: 'ETH', side: 'BUY', type: 'limit', price: '3000', quantity: '0.1' };
    expect((await asOperator('/api/v3/admin/halt', { symbol: 'ETH', halted: true })).status).toBe(200);
    expect((await place(bob, order)).body).toMatchObject({ code: 'MARKET_HALTED' });
    expect((await asOperator('/api/v3/admin/halt', { symbol: 'ETH', halted: false })).status).toBe(200);
    const client = (await server.call({ method: 'GET', url: '/api/v3/account-client', token: bob })).body.client;
    const tier = await asOperator('/api/v3/admin/fee-tier', { client_id: (client as unknown as Json).id, tier: 3 });
    expect(tier.body).toMatchObject({ maker_fee_percent: '0.0400', taker_fee_percent: '0.0500' });
    const limits = await server.call({ method: 'GET', url: '/api/v3/getOrder?symbol=BTC', token: bob });
    expect(limits.body.price).toMatchObject({ maker_fee_percent: '0.0400', taker_fee_percent: '0.0500' });
    expect(
      (
        await server.call({
          method: 'POST',
          url: '/api/v3/admin/halt',
          token: bob,
          payload: { symbol: 'ETH', halted: true },
        })
      ).status,
    ).toBe(403);
  });

  it('finds nothing to complain about, and finds a balance that somebody changed by hand', async () => {
    // The tables follow memory: nothing is on its way to them that would undo the change.
    await server.app.engine.projector.caughtUp();
    expect(await server.app.reconciler.check()).toEqual([]);
    const database = kind === 'postgres' ? await server.source.open() : undefined;
    await database?.query(
      'UPDATE balances SET amount = amount + 1 WHERE account = (SELECT max(account) FROM balances)',
    );
    if (database !== undefined) {
      const found = await server.app.reconciler.check();
      expect(found.map(({ kind: name }) => name)).toEqual(
        expect.arrayContaining(['asset-does-not-sum-to-zero', 'balance-differs-from-ledger']),
      );
      expect(server.app.reconciler.openAlarms()).toBeGreaterThan(0);
      await database.query(
        'UPDATE balances SET amount = amount - 1 WHERE account = (SELECT max(account) FROM balances)',
      );
      await database.close();
    }
  });

  it('finds everything as it was after a restart', async () => {
    const before = server.app.engine.exchange.stateHash();
    const openBefore = await list(bob, '/api/v3/trades/open-orders', 'orders');
    await server.stop();
    server = await startTestApp(kind, server.source);
    expect(server.app.engine.exchange.stateHash()).toBe(before);
    expect(await list(bob, '/api/v3/trades/open-orders', 'orders')).toEqual(openBefore);
    const payload = { symbol: 'BTC-USDT', side: 'BUY', type: 'limit', price: '49000', quantity: '0.01' };
    const again = await place(bob, payload, { 'idempotency-key': 'intent-1' });
    expect(again.body.order).toEqual(openBefore[0]);
  });
});
