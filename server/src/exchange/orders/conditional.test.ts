/** Conditional orders through HTTP: one history from untriggered to the end, on both databases and over a restart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { anyKind, databaseKinds } from '../../../test/databases.ts';

type Json = Record<string, never>;
interface OrderView {
  readonly delegate_type: string;
  readonly id: string;
  readonly state: string;
  readonly reason: string;
  readonly filled: string;
  readonly created_at: number;
  readonly trigger: Record<string, string | number | null>;
}

describe('where the house quotes', () => {
  it('the mark price is that of its reference, and moves while something waits for it', async () => {
    const server = await startTestApp(anyKind, undefined, { MARKET: 'simulated' });
    const token = await server.trader('mark', { BTC: '1' });
    const markOf = () => server.app.engine.exchange.marketState(0).markPrice;
    expect(markOf()).toBe(0);
    const payload = { symbol: 'BTC', side: 'SELL', kind: 'trailing_stop', quantity: '0.1', callback_rate: '40' };
    const placed = await server.call({
      method: 'POST',
      url: CONDITIONAL,
      token,
      payload: { ...payload, trigger_by: 'mark' },
    });
    expect(placed.body).toMatchObject({ message: 'success', order: { trigger: { status: 'untriggered' } } });
    const first = markOf();
    expect(first / server.app.engine.exchange.marketState(0).lastPrice).toBeCloseTo(1, 1);
    // The price moves by the server's clock.
    const laterMark = () => {
      server.advance(1_000);
      return markOf();
    };
    await expect.poll(laterMark, { timeout: 20_000 }).not.toBe(first);
    await server.remove();
  });
});

const CONDITIONAL = '/api/v3/orders/conditional';
const stopSell = {
  symbol: 'BTC',
  side: 'SELL',
  kind: 'stop_limit',
  quantity: '0.1',
  stop_price: '49000',
  stop_limit_price: '48900',
};

describe.each(databaseKinds)('conditional orders (%s)', (kind) => {
  let server: TestApp;
  let alice: string;
  let bob: string;

  const post = (token: string, url: string, payload: object, headers: Record<string, string> = {}) =>
    server.call({ method: 'POST', url, token, payload, headers });
  const wait = (payload: object, headers?: Record<string, string>) => post(alice, CONDITIONAL, payload, headers);
  const orderOf = (answer: { body: Json }) => answer.body.order as unknown as OrderView;
  const list = async (path: string) =>
    (await server.call({ method: 'GET', url: path, token: alice })).body.orders as unknown as OrderView[];
  const open = () => list('/api/v3/trades/open-orders');
  const ended = async (id: string) => (await list('/api/v3/trades/order-histories')).find((order) => order.id === id);
  const frozen = async (coin: string) => {
    const { wallet } = (await server.call({ method: 'GET', url: `/api/v3/wallet-balance?name=${coin}`, token: alice }))
      .body;
    return (wallet as unknown as { freeze_balance: string }).freeze_balance;
  };
  const cancelAll = (payload: object = {}) => post(alice, '/api/v3/orders/cancel-all', payload);

  /** What other markets say, which confirms a last price at once. */
  const confirm = (price: string) =>
    server.app.engine.sequencer.submit({
      ...{ kind: 'set-reference-price', market: 0, price: Number(price) * 10, isReferenceOnly: true },
    });

  /** Bob trades with himself's counterpart: a maker rests at a price, and a taker meets it; other markets agree. */
  async function tradeAt(price: string, isConfirmed = true): Promise<void> {
    const order = { symbol: 'BTC', type: 'limit', price, quantity: '0.01' };
    const makerAndTaker = [
      await post(carol, '/api/v3/orders', { ...order, side: 'SELL' }),
      await post(bob, '/api/v3/orders', { ...order, side: 'BUY' }),
    ];
    for (const { status } of makerAndTaker) expect(status).toBe(200);
    if (isConfirmed) await confirm(price);
  }
  let carol: string;

  beforeAll(async () => {
    server = await startTestApp(kind);
    alice = await server.trader('alice', { BTC: '10', USDT: '1000000' });
    bob = await server.trader('bob', { BTC: '10', USDT: '1000000' });
    carol = await server.trader('carol', { BTC: '10', USDT: '1000000' });
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
  });
  afterAll(() => server.remove());

  it.each([
    [{}, { BTC: '0.10000000' }],
    [{ kind: 'stop_market', stop_limit_price: undefined }, { BTC: '0.10000000' }],
    [
      {
        kind: 'take_profit_limit',
        stop_price: undefined,
        stop_limit_price: undefined,
        take_profit_price: '51000',
        take_profit_limit_price: '51100',
      },
      { BTC: '0.10000000' },
    ],
    [
      {
        kind: 'take_profit_market',
        side: 'BUY',
        quantity: undefined,
        stop_price: undefined,
        stop_limit_price: undefined,
        take_profit_price: '49000',
        quote_total: '500',
      },
      { USDT: '500.00000000' },
    ],
    [{ kind: 'oco', take_profit_price: '51000' }, { BTC: '0.10000000' }],
    [
      { kind: 'oco', side: 'BUY', stop_price: '51000', stop_limit_price: '51500', take_profit_price: '49000' },
      { USDT: '5150.00000000' },
    ],
    // The stop at market: the purchase at the take-profit has a quantity, that at the stop what it may spend.
    [
      {
        ...{ kind: 'oco', side: 'BUY', stop_price: '51000', stop_limit_price: undefined, take_profit_price: '49000' },
        quote_total: '5100',
      },
      { USDT: '5100.00000000' },
    ],
    [
      {
        kind: 'trailing_stop',
        stop_price: undefined,
        stop_limit_price: undefined,
        callback_rate: '1.25',
        activation_price: '50500',
      },
      { BTC: '0.10000000' },
    ],
  ])('waits with what it needs held, and gives it back: %o', async (change, held) => {
    const answer = await wait({ ...stopSell, ...change });
    expect(answer).toMatchObject({ status: 200, body: { message: 'success', order: { state: 'PENDING' } } });
    const order = orderOf(answer);
    expect(order.trigger).toMatchObject({
      kind: { ...stopSell, ...change }.kind,
      status: 'untriggered',
      trigger_by: 'last',
    });
    // A purchase at market is sized by what it may spend.
    if ('quote_total' in change) expect(answer.body.order).toMatchObject({ total: `${change.quote_total}.00000000` });
    expect(await open()).toEqual([order]);
    for (const [coin, amount] of Object.entries(held)) expect(await frozen(coin)).toBe(amount);
    expect(await server.app.reconciler.check()).toEqual([]);
    const cancelled = await server.call({ method: 'DELETE', url: `/api/v3/orders/${order.id}`, token: alice });
    expect(cancelled.body.order).toMatchObject({
      state: 'DISSAPROVED',
      reason: 'BY_OWNER',
      trigger: { status: 'ended' },
    });
    for (const coin of Object.keys(held)) expect(await frozen(coin)).toBe('0.00000000');
    expect(await open()).toEqual([]);
    expect(await ended(order.id)).toEqual(orderOf(cancelled));
  });

  it.each([
    [{ stop_price: undefined }, 'INVALID_INPUT', 'stop_price'],
    [{ quantity: undefined }, 'INVALID_INPUT', 'Amount is required'],
    [{ quote_total: '5' }, 'INVALID_INPUT', 'quote_total'],
    [{ take_profit_price: '51000' }, 'INVALID_INPUT', 'take_profit_price'],
    [{ kind: 'stop_market', side: 'BUY', stop_limit_price: undefined }, 'INVALID_INPUT', 'total that it may spend'],
    [{ kind: 'trailing_stop', stop_price: undefined, stop_limit_price: undefined }, 'INVALID_INPUT', 'not both'],
    [
      { kind: 'trailing_stop', stop_price: undefined, stop_limit_price: undefined, callback_rate: '51' },
      'INVALID_INPUT',
      '0.01 to 50',
    ],
    [{ stop_limit_price: '0' }, 'INVALID_FIELD', 'stop_limit_price'],
    [{ stop_price: '49000.123' }, 'INVALID_FIELD', 'stop_price'],
    [{ stop_price: '0' }, 'INVALID_TRIGGER', 'trigger'],
    [{ stop_price: '50000' }, 'WOULD_TRIGGER', 'trigger immediately'],
    [{ trigger_by: 'mark' }, 'NO_PRICE', 'no such price'],
    [{ trigger_by: 'index' }, 'INVALID_FIELD', 'index price'],
    [{ quantity: '11' }, 'INSUFFICIENT_FUNDS', 'balance'],
    [{ symbol: 'NOPE' }, 'UNKNOWN_PAIR', 'NOPE'],
  ])('refuses %o and says why', async (change, code, words) => {
    const answer = await wait({ ...stopSell, ...change });
    expect([404, 422]).toContain(answer.status);
    expect(answer.body).toMatchObject({ code, detail: expect.stringContaining(words) });
    expect(await open()).toEqual([]);
  });

  it('needs the transaction password while the session is locked (T-spot-119)', async () => {
    await server.call({ method: 'DELETE', url: '/api/v3/trading-unlock', token: alice });
    expect(await wait(stopSell)).toMatchObject({ status: 403, body: { code: 'TRANSACTION_PASSWORD_REQUIRED' } });
    const wrong = await wait({ ...stopSell, transaction_password: 'guess' });
    expect(wrong.body).toEqual({ message: 'wrong_transaction_password' });
    const placed = await wait({ ...stopSell, transaction_password: TRANSACTION_PASSWORD });
    expect(placed.body.message).toBe('success');
    expect((await cancelAll()).body).toEqual({ message: 'success', cancelled: 1 });
    const unlocking = { transaction_password: TRANSACTION_PASSWORD, minutes: 60 };
    await post(alice, '/api/v3/trading-unlock', unlocking);
  });

  it('triggers by a trade, keeps its id and its beginning, and rests as an order like any other', async () => {
    const untriggered = orderOf(await wait({ ...stopSell, stop_limit_price: '49500' }));
    await tradeAt('49000');
    const [placed] = await open();
    expect(placed).toMatchObject({
      id: untriggered.id,
      state: 'PENDING',
      created_at: untriggered.created_at,
      final_price: '49500.0',
    });
    expect(placed?.trigger).toMatchObject({ status: 'triggered', triggered_leg: 'stop', triggered_price: '49000.0' });
    await post(bob, '/api/v3/orders', { symbol: 'BTC', side: 'BUY', type: 'limit', price: '49500', quantity: '0.1' });
    expect(await ended(untriggered.id)).toMatchObject({
      state: 'APPROVED',
      filled: '0.10000',
      trigger: { status: 'triggered' },
    });
    expect(await frozen('BTC')).toBe('0.00000000');
  });

  it('triggers by a price that nothing confirms once that has stayed for ten seconds', async () => {
    await tradeAt('50000');
    const { id } = orderOf(await wait({ ...stopSell, stop_limit_price: '49500' }));
    await tradeAt('49000', false);
    expect((await open())[0]?.trigger).toMatchObject({ status: 'untriggered' });
    server.advance(10_000);
    await expect
      .poll(async () => (await open())[0]?.trigger, { timeout: 10_000 })
      .toMatchObject({ status: 'triggered' });
    expect((await open())[0]).toMatchObject({ id, final_price: '49500.0' });
    await cancelAll();
  });

  it('ends with the reason when it is refused as it triggers', async () => {
    await tradeAt('50000');
    const untriggered = orderOf(await wait({ ...stopSell, kind: 'stop_market', stop_limit_price: undefined }));
    await tradeAt('49000');
    const order = await ended(untriggered.id);
    expect(order).toMatchObject({ state: 'DISSAPROVED', reason: 'NO_LIQUIDITY', filled: '0.00000' });
    expect(order?.trigger).toMatchObject({ status: 'ended', triggered_leg: 'stop', triggered_price: '49000.0' });
    expect(await frozen('BTC')).toBe('0.00000000');
  });

  it('amends triggers and limit prices of what waits, and only of that', async () => {
    await tradeAt('50000');
    const { id } = orderOf(await wait({ ...stopSell, kind: 'oco', take_profit_price: '51000' }));
    const amend = (payload: object, token = alice) =>
      server.call({ method: 'PATCH', url: `${CONDITIONAL}/${id}`, token, payload });
    const amended = orderOf(
      await amend({ stop_price: '48000', stop_limit_price: '47900', take_profit_limit_price: '51200' }),
    );
    expect(amended.trigger).toMatchObject({
      stop_price: '48000.0',
      stop_limit_price: '47900.0',
      take_profit_price: '51000.0',
      take_profit_limit_price: '51200.0',
    });
    expect(await open()).toEqual([amended]);
    expect(await amend({ stop_price: '50500' })).toMatchObject({ status: 422, body: { code: 'WOULD_TRIGGER' } });
    expect(await amend({})).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } });
    expect(await amend({ stop_price: '47000' }, bob)).toMatchObject({ status: 404 });
    await tradeAt('51000');
    expect((await open())[0]).toMatchObject({ id, final_price: '51200.0', trigger: { triggered_leg: 'take_profit' } });
    expect(await amend({ stop_price: '47000' })).toMatchObject({ status: 404, body: { code: 'ORDER_NOT_FOUND' } });
    await cancelAll();
  });

  it('keeps both of two amends at once, of the trigger and of the limit price of one leg', async () => {
    await tradeAt('50000');
    const { id } = orderOf(await wait({ ...stopSell, kind: 'oco', take_profit_price: '51000' }));
    const amend = (payload: object) =>
      server.call({ method: 'PATCH', url: `${CONDITIONAL}/${id}`, token: alice, payload });
    const answers = await Promise.all([
      amend({ stop_price: '48000' }),
      amend({ stop_limit_price: '47800' }),
      amend({ take_profit_price: '52000' }),
      amend({ take_profit_limit_price: '52100' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await open())[0]?.trigger).toMatchObject({
      stop_price: '48000.0',
      stop_limit_price: '47800.0',
      take_profit_price: '52000.0',
      take_profit_limit_price: '52100.0',
    });
    await cancelAll();
  });

  it('places once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'wait-once' };
    const [first, second] = await Promise.all([wait(stopSell, headers), wait(stopSell, headers)]);
    expect(orderOf(second)).toEqual(orderOf(first));
    expect(await open()).toHaveLength(1);
    expect(await wait({ ...stopSell, quantity: '0.2' }, headers)).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    await cancelAll();
  });

  it('cancels all of a pair, of a side, or all, in one command', async () => {
    await wait(stopSell);
    const limit = { side: 'BUY', type: 'limit', quantity: '0.1' };
    await post(alice, '/api/v3/orders', { ...limit, symbol: 'BTC', price: '48000' });
    await post(alice, '/api/v3/orders', { ...limit, symbol: 'ETH', price: '2000' });
    expect((await cancelAll({ symbol: 'NOPE' })).status).toBe(404);
    expect((await cancelAll({ symbol: 'BTC' })).body).toEqual({ message: 'success', cancelled: 2 });
    expect(await open()).toHaveLength(1);
    // One side of a pair, of spot or of everything; the other side stays.
    await wait(stopSell);
    await post(alice, '/api/v3/orders', { ...limit, symbol: 'BTC', price: '48000' });
    expect((await cancelAll({ symbol: 'BTC', side: 'BUY' })).body).toEqual({ message: 'success', cancelled: 1 });
    expect((await open()).map((order) => order.delegate_type).sort()).toEqual(['BUY', 'SELL']);
    const once = () =>
      post(alice, '/api/v3/orders/cancel-all', { market: 'spot', side: 'SELL' }, { 'idempotency-key': 'sells' });
    expect((await once()).body).toEqual({ message: 'success', cancelled: 1 });
    await wait(stopSell);
    expect((await once()).body).toEqual({ message: 'success', cancelled: 1 });
    expect(await open()).toHaveLength(2);
    expect((await cancelAll({ side: 'SELL' })).body).toEqual({ message: 'success', cancelled: 1 });
    expect((await cancelAll({ side: 'BOTH' })).status).toBe(422);
    expect((await cancelAll()).body).toEqual({ message: 'success', cancelled: 1 });
    expect([await frozen('BTC'), await frozen('USDT')]).toEqual(['0.00000000', '0.00000000']);
    expect((await server.call({ method: 'POST', url: '/api/v3/orders/cancel-all', payload: {} })).status).toBe(401);
  });

  it('pushes an order on the private stream when it is placed, triggered and ended', async () => {
    await tradeAt('50000');
    await server.app.http.listen({ port: 0, host: '127.0.0.1' });
    const address = server.app.http.server.address();
    const socket = new WebSocket(`ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/ws/v5/private`);
    const heard: { event?: string; data?: { id: string; state: string; reason: string; trigger: Json }[] }[] = [];
    socket.on('message', (data) => heard.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ op: 'login', args: [{ token: alice }] }));
    await expect.poll(() => heard.some(({ event }) => event === 'login')).toBe(true);
    socket.send(JSON.stringify({ op: 'subscribe', args: [{ channel: 'orders' }] }));
    await expect.poll(() => heard.some(({ event }) => event === 'subscribe')).toBe(true);

    const triggers = orderOf(await wait({ ...stopSell, stop_limit_price: '49500' }));
    const refused = orderOf(
      await wait({ ...stopSell, kind: 'stop_market', stop_price: '48000', stop_limit_price: undefined }),
    );
    await tradeAt('49000');
    await cancelAll();
    await tradeAt('48000');
    const told = () =>
      heard
        .flatMap(({ data = [] }) => data)
        .map(({ id, state, reason, trigger }) => [id, state, trigger?.status, reason].join(' ').trim());
    await expect
      .poll(told)
      .toEqual([
        `${triggers.id} PENDING untriggered`,
        `${refused.id} PENDING untriggered`,
        `${triggers.id} PENDING triggered`,
        `${triggers.id} DISSAPROVED triggered BY_OWNER`,
        `${refused.id} DISSAPROVED ended BY_OWNER`,
      ]);
    socket.close();
  });

  it('triggers by the mark price', async () => {
    await tradeAt('50000');
    await server.app.engine.sequencer.submit({ kind: 'set-mark-price', market: 0, price: 500_000 });
    const untriggered = orderOf(await wait({ ...stopSell, trigger_by: 'mark' }));
    await tradeAt('48500');
    expect((await open())[0]?.trigger).toMatchObject({ status: 'untriggered', trigger_by: 'mark' });
    await server.app.engine.sequencer.submit({ kind: 'set-mark-price', market: 0, price: 489_990 });
    expect((await open())[0]).toMatchObject({ id: untriggered.id, trigger: { triggered_price: '48999.0' } });
    await cancelAll();
  });

  /** Of the first market: what it is, and how an operator changes it. Lots of 0.00001 BTC. */
  function largestOrder() {
    const { exchange, sequencer } = server.app.engine;
    const { minimumLots, maximumLots, minimumNotional, priceBandPpm } = exchange.markets().find(({ id }) => id === 0)!;
    const change = (most: number) => {
      const limits = { minimumLots, maximumLots: most, minimumNotional, priceBandPpm };
      return sequencer.submit({ kind: 'change-market', market: 0, ...limits });
    };
    return { change, maximumLots };
  }

  it('stops all of it where the operator has lowered the largest order since, and gives back what it held', async () => {
    await tradeAt('50000');
    const { change, maximumLots } = largestOrder();
    const market = { ...stopSell, kind: 'stop_market', stop_limit_price: undefined };
    const [atMarket, atLimit] = [orderOf(await wait(market)), orderOf(await wait({ ...stopSell, quantity: '0.06' }))];
    await post(bob, '/api/v3/orders', { symbol: 'BTC', side: 'BUY', type: 'limit', price: '48950', quantity: '0.1' });
    expect((await change(4_000)).outcome).toEqual({ ok: true });
    expect(await frozen('BTC')).toBe('0.16000000');
    await tradeAt('48960');
    expect(await ended(atMarket.id)).toMatchObject({ state: 'APPROVED', filled: '0.04000' });
    const recent = (await list('/api/v3/trades/order-histories')).slice(0, 3).map(({ filled }) => filled);
    expect(recent.sort()).toEqual(['0.02000', '0.04000', '0.04000']);
    const rest = (await open()) as unknown as { id: string; remaining: string }[];
    expect(rest.map(({ remaining }) => remaining).sort()).toEqual(['0.02000', '0.04000']);
    expect(rest.map(({ id }) => id)).toContain(atLimit.id);
    expect(await frozen('BTC')).toBe('0.06000000');
    await change(maximumLots);
    await cancelAll();
    expect(await frozen('BTC')).toBe('0.00000000');
    expect(await server.app.reconciler.check()).toEqual([]);
  });

  it('is told to its owner where an order behind its first finds too little', async () => {
    await tradeAt('50000');
    const { change, maximumLots } = largestOrder();
    const { id } = orderOf(await wait({ ...stopSell, kind: 'stop_market', stop_limit_price: undefined }));
    await post(bob, '/api/v3/orders', { symbol: 'BTC', side: 'BUY', type: 'limit', price: '48950', quantity: '0.05' });
    await change(4_000);
    await tradeAt('48960');
    expect(await ended(id)).toMatchObject({ state: 'APPROVED', filled: '0.04000' });
    const told = await server.database.query(
      'SELECT orders.id > $1 AS later, filled FROM unplaced_orders JOIN orders ON orders.id = order_id WHERE orders.id >= $1',
      [Number(id)],
    );
    expect(told).toEqual([{ later: true, filled: 1_000 }]);
    await change(maximumLots);
  });

  it('waits on over a restart, trailing from the best price so far, and then triggers once', async () => {
    await tradeAt('50000');
    const trailing = { symbol: 'BTC', side: 'SELL', kind: 'trailing_stop', quantity: '0.1', callback_distance: '500' };
    const follows = orderOf(await wait(trailing));
    await tradeAt('50400');
    const dormant = orderOf(await wait({ ...trailing, activation_price: '60000' }));
    const oco = orderOf(
      await wait({ ...stopSell, kind: 'oco', take_profit_price: '53000', trigger_by: 'mark', stop_price: '40000' }),
    );
    await tradeAt('51000');
    const before = { orders: await open(), hash: server.app.engine.exchange.stateHash() };
    const following = before.orders.find(({ id }) => id === follows.id);
    expect(following?.trigger).toMatchObject({ best_price: '51000.0', trailing_price: '50500.0' });
    await server.stop();

    server = await startTestApp(kind, server.source);
    expect(server.app.engine.exchange.stateHash()).toBe(before.hash);
    expect(await open()).toEqual(before.orders);
    expect(await server.app.reconciler.check()).toEqual([]);
    await post(bob, '/api/v3/orders', { symbol: 'BTC', side: 'BUY', type: 'limit', price: '50200', quantity: '0.2' });
    await post(carol, '/api/v3/orders', {
      symbol: 'BTC',
      side: 'SELL',
      type: 'limit',
      price: '50200',
      quantity: '0.01',
    });
    await confirm('50200');
    expect(await ended(follows.id)).toMatchObject({
      state: 'APPROVED',
      filled: '0.10000',
      trigger: { triggered_leg: 'trailing' },
    });
    expect((await open()).map(({ id }) => id)).toEqual([oco.id, dormant.id]);
    expect(await server.app.reconciler.check()).toEqual([]);
  });
});
