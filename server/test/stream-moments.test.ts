/** Answers and the private stream in one order: what a page has read needs only what is pushed after the moment of its answer. */
import type { Order } from '@cambist/contract/trading.ts';
import { Random } from '@cambist/core/simulation/random.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, TRANSACTION_PASSWORD } from './app.ts';
import { databaseKinds } from './databases.ts';
import { listen, openOrderSocket } from './order-socket.ts';

const CHANNELS = ['orders', 'fills', 'account', 'transfers', 'notifications', 'support', 'positions'] as const;
type Channel = (typeof CHANNELS)[number];

interface Push {
  readonly event?: string;
  readonly arg?: { readonly channel: string };
  readonly data?: readonly Order[];
  readonly moment?: string;
}

let server: TestApp;
let url: string;
let token: string;

const read = (moment: unknown) => {
  const [process, at] = String(moment).split('-');
  return { process, at: Number(at) };
};
const post = (path: string, payload: object, as = token) =>
  server.call({ method: 'POST', url: `/api/v3/${path}`, token: as, payload });
const get = (path: string) => server.call({ method: 'GET', url: `/api/v3/${path}`, token });
const limit = (side: string, price: string, as = token) =>
  post('orders', { symbol: 'BTC', side, type: 'limit', price, quantity: '0.01' }, as);

async function subscribe(channels: readonly string[] = CHANNELS) {
  const socket = await openOrderSocket(url, token);
  const heard = socket.heard as readonly Push[];
  socket.send({ op: 'subscribe', args: channels.map((channel) => ({ channel })) });
  await expect.poll(() => heard.filter(({ event }) => event === 'subscribe').length).toBe(channels.length);
  const begunAt = (channel: string) =>
    heard.find(({ event, arg }) => event === 'subscribe' && arg?.channel === channel)?.moment;
  return { heard, begunAt, close: () => socket.cut() };
}

/** When each channel last changed, as a page that comes now is told. */
async function lastChanges(): Promise<Record<Channel, number>> {
  const { begunAt, close } = await subscribe();
  close();
  const entries = CHANNELS.map((channel) => [channel, read(begunAt(channel)).at]);
  return Object.fromEntries(entries) as Record<Channel, number>;
}

/** Which channels a page that has read before has to read again. */
async function changedBy(act: () => Promise<unknown>): Promise<Channel[]> {
  const { at } = read((await get('check-notification')).headers['stream-moment']);
  await act();
  const last = await lastChanges();
  return CHANNELS.filter((channel) => last[channel] > at);
}

describe.each(databaseKinds)('moments (%s)', (kind) => {
  beforeEach(async () => {
    server = await startTestApp(kind);
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
    token = await server.trader('reader', { USDT: '200000' });
    url = await listen(server);
  });
  afterEach(() => server.remove());

  it('an answer reaches the beginning of channels that have not changed, whoever else trades', async () => {
    const other = await server.trader('other', { BTC: '2', USDT: '9000' });
    const changed = await changedBy(async () => {
      await limit('SELL', '50000', other);
      await limit('BUY', '50000', other);
    });
    expect(changed).toEqual([]);
  });

  it('what changes while no page listens is said to a page that comes, by the channels of what has changed', async () => {
    const seller = await server.trader('seller', { BTC: '2' });
    await limit('SELL', '50000', seller);
    expect(await changedBy(() => limit('BUY', '48000'))).toEqual(['orders', 'account']);
    expect(await changedBy(() => limit('BUY', '50000'))).toEqual(['orders', 'fills', 'account']);
    const transfer = {
      from: 'SPOT',
      to: 'FUTURE',
      coin: 'USDT',
      amount: '5',
      transaction_password: TRANSACTION_PASSWORD,
    };
    expect(await changedBy(() => post('transfers', transfer))).toEqual(
      expect.arrayContaining(['transfers', 'account']),
    );
    // Its confirmations change it as well.
    await expect.poll(async () => (await get('transfers?state=PENDING')).body).toEqual({ transfers: [] });
    const chosen = { symbol: 'BTC-USDT-SWAP', leverage: 7, margin_mode: 'cross' };
    const choose = () => server.call({ method: 'PATCH', url: '/api/v3/futures/leverage', token, payload: chosen });
    expect(await changedBy(async () => expect(await choose()).toMatchObject({ status: 200 }))).toEqual(['positions']);
    expect(await changedBy(() => post('notifications/read-all', {}))).toContain('notifications');
    const conversation = { topic: 'other', subject: 'Fees', message: 'Which?', name: 'A', locale: 'en' };
    expect(await changedBy(() => post('support/conversations', conversation))).toContain('support');
    expect(await changedBy(async () => undefined)).toEqual([]);
  });

  it('a public call says no moment, and a process none of another', async () => {
    const publicly = await server.call({ method: 'GET', url: '/api/v3/platform' });
    expect(publicly.headers['stream-moment']).toBeUndefined();
    const before = read((await get('trades/open-orders')).headers['stream-moment']);
    await server.stop();
    server = await startTestApp(kind, server.source);
    const after = read((await get('trades/open-orders')).headers['stream-moment']);
    expect(after.process).not.toBe(before.process);
  });

  it('a list, and what is pushed after its moment, is the list of the end, whenever either was asked for', async () => {
    const random = new Random(11);
    const ids: string[] = [];
    const act = async () => {
      const cancelled = random.chance(35) ? ids.shift() : undefined;
      if (cancelled !== undefined) return void (await post(`orders/${cancelled}/cancel`, {}));
      const { body } = await limit('BUY', String(random.between(48_000, 49_500)));
      ids.push((body.order as unknown as Order).id);
    };
    const readings: { open: Map<string, Order>; moment: string }[] = [];
    const readOpen = async () => {
      const { body, headers } = await get('trades/open-orders?limit=500');
      const open = new Map((body.orders as unknown as Order[]).map((order) => [order.id, order]));
      readings.push({ open, moment: String(headers['stream-moment']) });
    };
    const pages: Awaited<ReturnType<typeof subscribe>>[] = [];
    for (let turn = 0; turn < 25; turn += 1) {
      const underway = [act(), act(), readOpen(), act()];
      if (turn % 5 === 2) underway.push(subscribe(['orders']).then((page) => void pages.push(page)));
      await Promise.all(underway);
    }
    await readOpen();
    const last = readings.at(-1)!;
    // A page hears of what is committed a moment after the answers.
    await post('orders', { symbol: 'BTC', side: 'BUY', type: 'limit', price: '47000', quantity: '0.01' });
    let pairs = 0;
    for (const { heard, begunAt, close } of pages) {
      await expect.poll(() => heard.some(({ data }) => data?.[0]?.final_price.startsWith('47000'))).toBe(true);
      for (const { open, moment } of readings) {
        if (read(moment).at < read(begunAt('orders')).at) continue;
        pairs += 1;
        const kept = new Map(open);
        for (const push of heard) {
          if (push.data === undefined || read(push.moment).at <= read(moment).at) continue;
          for (const order of push.data) {
            if (order.state === 'PENDING') kept.set(order.id, order);
            else kept.delete(order.id);
          }
        }
        const ofEnd = [...kept.values()].filter(({ final_price }) => !final_price.startsWith('47000'));
        expect(ofEnd.map(({ id }) => id).sort()).toEqual([...last.open.keys()].sort());
      }
      close();
    }
    expect(pairs).toBeGreaterThan(20);
  });
});
