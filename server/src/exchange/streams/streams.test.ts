import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import ccxt from 'ccxt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { openAuthority, startTestExchange, type TestExchange } from '../market-data/test-exchange.ts';
import type { Streams } from './service.ts';
import { attachStreams } from './test-streams.ts';

interface Push {
  readonly event?: string;
  readonly code?: string;
  readonly arg?: { readonly channel: string; readonly instId?: string };
  readonly action?: string;
  readonly data?: readonly Record<string, string>[];
  readonly seqId?: number;
  readonly prevSeqId?: number;
}

let exchange: TestExchange;
let streams: Streams;
let host: string;
let endSession: (clientId: number) => void = () => undefined;

beforeAll(async () => {
  exchange = await startTestExchange();
  streams = attachStreams(exchange, {
    authority: {
      ...openAuthority,
      onEnd: (listener) => {
        endSession = (clientId) => listener({ clientId, includes: (sessionId) => sessionId === clientId });
        return () => undefined;
      },
    },
    limits: { subscriptions: 4, messagesPerSecond: 20, connectionsPerAddress: 12 },
  });
  for (const owner of [1000, 1001]) {
    await exchange.fund(owner, 'USDT', 10n ** 17n);
    await exchange.fund(owner, 'BTC', 10n ** 12n);
  }
  await exchange.place(1000, 0, BUY, 912_000, 50_000);
  await exchange.place(1001, 0, SELL, 912_010, 70_000);
  host = await exchange.listen();
});

afterAll(async () => {
  await streams.close();
  await exchange.stop();
  await exchange.source.remove();
});

/** A raw client that keeps all it hears. */
async function connect(path: string) {
  const socket = new WebSocket(`ws://${host}/ws/v5/${path}`);
  const heard: Push[] = [];
  const texts: string[] = [];
  socket.on('message', (data) => {
    texts.push(String(data));
    if (String(data) !== 'pong') heard.push(JSON.parse(String(data)) as Push);
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const send = (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  return {
    socket,
    heard,
    texts,
    send,
    subscribe: (...args: object[]) => send({ op: 'subscribe', args }),
    until: async (isIt: (push: Push) => boolean): Promise<Push> => {
      for (let waited = 0; waited < 200; waited += 1) {
        const found = heard.find(isIt);
        if (found !== undefined) return found;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`not heard; heard ${JSON.stringify(heard).slice(0, 2000)}`);
    },
  };
}

describe('public streams', () => {
  it('books5 gives five levels a side, at once and after every change (T-external-feed-04)', async () => {
    const client = await connect('public');
    const arg = { channel: 'books5', instId: 'BTC-USDT' };
    client.subscribe(arg);
    const first = await client.until((push) => push.data !== undefined);
    expect(client.heard[0]).toEqual({ event: 'subscribe', arg });
    expect(first.arg).toEqual(arg);
    expect(first.data![0]).toMatchObject({ bids: [['91200.0', '0.50000', '0', '1']] });
    for (let level = 1; level < 8; level += 1) await exchange.place(1000, 0, BUY, 912_000 - level, 10_000);
    const deep = await client.until((push) => (push.data?.[0]?.bids as unknown as unknown[])?.length === 5);
    expect(deep.data![0]!.seqId).toBeGreaterThan(Number(first.data![0]!.seqId));
    client.socket.close();
  });

  it('tickers gives the last price, and only when something changed (T-external-feed-05)', async () => {
    const client = await connect('public');
    client.subscribe({ channel: 'tickers', instId: 'BTC-USDT' });
    await client.until((push) => push.data !== undefined);
    await exchange.place(1001, 0, SELL, 912_000, 1_000);
    const push = await client.until((entry) => entry.data?.[0]?.lastSz === '0.01000');
    expect(push.data![0]).toMatchObject({ last: '91200.0', instId: 'BTC-USDT', instType: 'SPOT' });
    const count = client.heard.length;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(client.heard).toHaveLength(count);
    client.socket.close();
  });

  it('books sends a snapshot, then updates whose numbers follow on, and merging them gives the book', async () => {
    const client = await connect('public');
    client.subscribe({ channel: 'books', instId: 'BTC-USDT' });
    const placed: number[] = [];
    for (let step = 0; step < 60; step += 1) {
      placed.push(await exchange.place(1000, 0, BUY, 911_000 + (step % 17), 1_000 + step));
      if (step % 3 === 0) {
        await exchange.engine.sequencer.submit({ kind: 'cancel-order', orderId: placed.shift()!, owner: 1000 });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    const pushes = client.heard.filter((push) => push.data !== undefined);
    expect(pushes[0]).toMatchObject({ action: 'snapshot', data: [{ prevSeqId: -1 }] });
    const bids = new Map<string, string>();
    let last = Number(pushes[0]!.data![0]!.seqId);
    for (const [index, push] of pushes.entries()) {
      if (index > 0) expect(push.data![0]!.prevSeqId).toBe(last);
      last = Number(push.data![0]!.seqId);
      for (const [price, size] of push.data![0]!.bids as unknown as [string, string][]) {
        if (size === '0') bids.delete(price);
        else bids.set(price, size);
      }
    }
    const book = (await exchange.get('/api/v5/market/books?instId=BTC-USDT&sz=400')) as {
      data: { bids: [string, string][] }[];
    };
    const sorted = [...bids].sort((a, b) => Number(b[0]) - Number(a[0]));
    expect(sorted).toEqual(book.data[0]!.bids.map(([price, size]) => [price, size]));
    expect(pushes.length).toBeLessThan(60);
    client.socket.close();
  });

  it('books says of a level that is gone the size 0 without decimals, as clients of OKX compare it', async () => {
    const client = await connect('public');
    client.subscribe({ channel: 'books', instId: 'BTC-USDT' });
    const rows = () => client.heard.flatMap(({ data }) => (data?.[0]?.bids ?? []) as unknown as string[][]);
    const orderId = await exchange.place(1000, 0, BUY, 905_550, 1_000);
    await expect.poll(rows).toContainEqual(['90555.0', '0.01000', '0', '1']);
    await exchange.engine.sequencer.submit({ kind: 'cancel-order', orderId, owner: 1000 });
    await expect.poll(rows).toContainEqual(['90555.0', '0', '0', '0']);
    client.socket.close();
  });

  it('a second subscriber in the middle of changes can follow on from its own snapshot', async () => {
    const client = await connect('public');
    for (let step = 0; step < 10; step += 1) {
      const placing = exchange.place(1000, 0, BUY, 910_000 + step, 1_000);
      if (step === 5) client.subscribe({ channel: 'books', instId: 'BTC-USDT' });
      await placing;
    }
    await new Promise((resolve) => setTimeout(resolve, 150));
    const pushes = client.heard.filter((push) => push.data !== undefined);
    for (let index = 1; index < pushes.length; index += 1) {
      expect(pushes[index]!.data![0]!.prevSeqId).toBe(pushes[index - 1]!.data![0]!.seqId);
    }
    client.socket.close();
  });

  it('an unmodified ccxt pro client watches books, trades, tickers and candles', async () => {
    const client = new ccxt.pro.okx({ enableRateLimit: false });
    client.urls.api = { rest: `http://${host}`, ws: `ws://${host}/ws/v5` };
    await client.loadHttpProxyAgent();
    await client.loadMarkets();
    const book = await client.watchOrderBook('BTC/USDT');
    expect(book.bids[0]![0]).toBe(91_200);
    const ticker = await client.watchTicker('BTC/USDT');
    expect(ticker.last).toBe(91_200);
    const candles = client.watchOHLCV('BTC/USDT', '1m');
    const waiting = client.watchTrades('BTC/USDT');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await exchange.place(1001, 0, SELL, 912_000, 2_500);
    const trades = await waiting;
    expect(trades.at(-1)).toMatchObject({ amount: 0.025, side: 'sell', price: 91_200 });
    expect((await candles).at(-1)![4]).toBe(91_200);
    for (const timeframe of ['3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '12h', '1d', '1w', '1M']) {
      expect((await client.watchOHLCV('BTC/USDT', timeframe)).at(-1)![4], timeframe).toBe(91_200);
      await client.unWatchOHLCV('BTC/USDT', timeframe);
    }
    let updates = 0;
    for (; updates < 5; updates += 1) {
      const next = client.watchOrderBook('BTC/USDT');
      await exchange.place(1000, 0, BUY, 909_000 + updates, 1_000);
      await next;
    }
    expect(updates).toBe(5);
    await client.close();
  });
});

describe('limits and errors', () => {
  it('says what is wrong with a message, and repeats no secret of it', async () => {
    const client = await connect('public');
    const secret = 'a-secret-that-no-log-may-hold';
    client.send(JSON.stringify({ op: 'login', args: [{ apiKey: secret, passphrase: secret, sign: secret }] }));
    client.send(JSON.stringify({ op: secret }));
    client.send(`{"op":"login","args":[{"token":"${secret}"`);
    await client.until(() => client.heard.length === 3);
    expect(client.texts.filter((text) => text.includes('60012')).map((text) => JSON.parse(text).msg)).toEqual([
      'Invalid request: args.0.token is not as documented',
      'Invalid request: op is not as documented',
      'Invalid request: not JSON',
    ]);
    expect(client.texts.join()).not.toContain(secret);
    client.socket.close();
  });

  it('answers ping, refuses unknown channels, broken messages and too many subscriptions', async () => {
    const client = await connect('public');
    client.send('ping');
    client.subscribe({ channel: 'nothing', instId: 'BTC-USDT' });
    client.subscribe({ channel: 'books', instId: 'NO-USDT' });
    client.send('{"op":');
    for (const instId of ['BTC-USDT', 'ETH-USDT', 'SOL-USDT', 'XRP-USDT', 'ADA-USDT']) {
      client.subscribe({ channel: 'tickers', instId });
    }
    await client.until((push) => push.code === '60014');
    expect(client.texts).toContain('pong');
    expect(client.heard.filter((push) => push.code === '60018')).toHaveLength(2);
    expect(client.heard.filter((push) => push.code === '60012')).toHaveLength(1);
    expect(client.heard.filter((push) => push.event === 'subscribe')).toHaveLength(4);
    client.socket.close();
  });

  it('lets a flooding client go, and refuses more connections than an address may have', async () => {
    const client = await connect('public');
    const closed = new Promise<number>((resolve) => client.socket.once('close', resolve));
    for (let count = 0; count < 100; count += 1) client.send('ping');
    expect(await closed).toBe(4014);
    const sockets = await Promise.all(Array.from({ length: 12 }, () => connect('public')));
    await expect(connect('public')).rejects.toThrow('429');
    await expect(connect('nowhere')).rejects.toThrow('404');
    for (const { socket } of sockets) socket.close();
    while (streams.connectionCount() > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it('a candle stream is on the business path', async () => {
    const client = await connect('business');
    client.subscribe({ channel: 'candle5m', instId: 'BTC-USDT' }, { channel: 'tickers', instId: 'BTC-USDT' });
    const push = await client.until((entry) => entry.data !== undefined);
    expect(push.data![0]).toHaveLength(9);
    await client.until((entry) => entry.code === '60018');
    client.socket.close();
  });
});

describe('private streams', () => {
  async function signedIn(token: string) {
    const client = await connect('private');
    client.send({ op: 'login', args: [{ token }] });
    await client.until((push) => push.event === 'login' || push.code === '60009');
    return client;
  }

  it('needs a login, and a good one', async () => {
    const client = await connect('private');
    client.subscribe({ channel: 'orders', instType: 'ANY' });
    await client.until((push) => push.code === '60011');
    client.send({ op: 'login', args: [{ token: 'wrong' }] });
    await client.until((push) => push.code === '60009');
    client.socket.close();
  });

  it("pushes only the client's own orders, fills and balances, numbered without gaps", async () => {
    const client = await signedIn('client-1000');
    client.subscribe({ channel: 'orders', instType: 'ANY' }, { channel: 'fills' }, { channel: 'account' });
    await client.until((push) => push.arg?.channel === 'account' && push.data !== undefined);
    const orderId = await exchange.place(1000, 1, BUY, 300_000, 10_000);
    await exchange.fund(1001, 'ETH', 10n ** 12n);
    await exchange.place(1001, 1, SELL, 300_000, 4_000);
    await exchange.place(1001, 1, SELL, 300_000, 6_000);
    const filled = await client.until((push) => push.data?.[0]?.state === 'APPROVED');
    expect(filled.data![0]).toMatchObject({
      id: String(orderId),
      final_price: '3000.00',
      number_of_order: '1.0000',
      filled: '1.0000',
      remaining: '0.0000',
      average_price: '3000.00',
      fee_coin: 'ETH',
      delegate_type: 'BUY',
      type: 'limit',
    });
    expect(Number(filled.data![0]!.fee)).toBeGreaterThan(0);
    const states = client.heard.flatMap((push) => (push.arg?.channel === 'orders' ? (push.data ?? []) : []));
    expect(states.map((order) => [order.state, order.filled])).toEqual([
      ['PENDING', '0.0000'],
      ['PENDING', '0.4000'],
      ['APPROVED', '1.0000'],
    ]);
    const fills = client.heard.flatMap((push) => (push.arg?.channel === 'fills' ? (push.data ?? []) : []));
    expect(fills.map((fill) => [fill.quantity, fill.role])).toEqual([
      ['0.4000', 'maker'],
      ['0.6000', 'maker'],
    ]);
    for (const channel of ['orders', 'fills']) {
      const pushes = client.heard.filter((push) => push.arg?.channel === channel && push.data !== undefined);
      for (const [index, push] of pushes.entries()) expect(push.prevSeqId).toBe(index);
    }
    const balances = client.heard.filter((push) => push.arg?.channel === 'account').flatMap((push) => push.data ?? []);
    expect(balances.at(-1)).toMatchObject({ ccy: expect.stringMatching(/ETH|USDT/) });
    client.socket.close();
  });

  it('drops the stream of a session that ended elsewhere', async () => {
    const client = await signedIn('client-1001');
    const closed = new Promise<number>((resolve) => client.socket.once('close', resolve));
    endSession(1001);
    expect(await closed).toBe(4001);
  });
});
