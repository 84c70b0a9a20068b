/**
 * Orders by socket and HTTP at once: one key makes one order, and an ended session places none. A socket has one identity,
 * even when several logins arrive together, and a key hears only what it may ask for.
 */
import { describe, expect, it } from 'vitest';
import type { Http } from '../http.ts';
import { fund, newKey, newPerson, type Person, signIn } from '../people.ts';
import { sizes } from '../sizes.ts';
import { listenAs, openStream, type Push, type Stream } from '../stream.ts';
import { together } from './hammer.ts';

const { rounds } = sizes;
const ORDER = { symbol: 'BTC-USDT', side: 'BUY', type: 'limit', price: '100', quantity: '0.1' };

interface Answer extends Push {
  readonly id?: string;
  readonly status?: number;
  readonly body?: { readonly order?: { readonly id: string }; readonly code?: string };
}

const SETTLED_MS = 100;
const settled = () => new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
const answersOf = (stream: Stream): Answer[] => (stream.heard as readonly Answer[]).filter(({ status }) => status);
const answerTo = (stream: Stream, id: string) => stream.until((push) => (push as Answer).id === id) as Promise<Answer>;

const everything = ['orders', 'fills', 'account', 'support', 'alerts', 'notifications', 'account-state'];

const subscribed = (stream: Stream): string[] =>
  stream.heard.flatMap(({ event, arg }) => (event === 'subscribe' && arg !== undefined ? [arg.channel] : []));

/** @param http the target's */
export function socketCases(http: () => Http): void {
  async function trader(name: string): Promise<Person> {
    const person = await newPerson(http, name);
    await fund(person, { USDT: '100000' });
    return person;
  }
  async function open(person: Person): Promise<string[]> {
    const answer = await person.send('GET', '/api/v3/trades/open-orders');
    return answer.json<{ orders: { id: string }[] }>().orders.map(({ id }) => id);
  }

  describe('orders by socket and HTTP', () => {
    it('the same key by both ways at once, on two sockets, is one order', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const person = await trader('both');
        const streams = [await listenAs(http().url, person.token, []), await listenAs(http().url, person.token, [])];
        const headers = { 'idempotency-key': 'one' };
        const ids = await together(24, async (index) => {
          const stream = streams[index % 3];
          if (stream === undefined) {
            const answer = await person.send('POST', '/api/v3/orders', ORDER, { headers });
            return answer.json<{ order?: { id: string } }>().order?.id;
          }
          stream.send({ id: `r${index}`, op: 'place', key: 'one', args: ORDER });
          return (await answerTo(stream, `r${index}`)).body?.order?.id;
        });
        expect(await open(person)).toEqual([...new Set(ids)]);
        for (const stream of streams) stream.close();
      }
    });

    it('a session that ends while orders come places none that came later, and hides none that it placed', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const person = await trader('ends');
        const other = await signIn(http, person.email);
        const stream = await listenAs(http().url, person.token, []);
        let sent = 0;
        const sending = (async () => {
          while (stream.isOpen() && sent < 150) {
            sent += 1;
            stream.send({ id: `r${sent}`, op: 'place', args: ORDER });
            await new Promise((resolve) => setTimeout(resolve, 1));
          }
        })();
        await settled();
        await person.send('POST', '/api/v3/logout');
        // What was admitted before the end may still be committed.
        await settled();
        const placed = await open(other);
        await sending;
        await expect.poll(() => stream.isOpen()).toBe(false);
        await settled();
        expect(await open(other)).toEqual(placed);
        const told = answersOf(stream).flatMap(({ body }) => body?.order?.id ?? []);
        expect(placed).toEqual(expect.arrayContaining(told));
        const late = await listenAs(http().url, person.token, []);
        late.send({ id: 'late', op: 'place', args: ORDER });
        expect(await answerTo(late, 'late')).toMatchObject({ status: 401 });
        late.close();
      }
    });
  });

  describe('private streams', () => {
    it('two logins in one breath are one identity, which a logout ends', async () => {
      const [ann, bob] = [await trader('ann'), await trader('bob')];
      for (let round = 0; round < rounds; round += 1) {
        const stream = await openStream(http().url);
        for (const { token } of [ann, bob]) stream.send({ op: 'login', args: [{ token }] });
        await stream.until(
          () => stream.heard.filter(({ event }) => event === 'login' || event === 'error').length >= 2,
        );
        expect(stream.heard.filter(({ event }) => event === 'login')).toHaveLength(1);
        stream.send({ op: 'subscribe', args: [{ channel: 'orders' }] });
        await stream.until(({ event }) => event === 'subscribe');
        for (const person of [ann, bob]) await person.send('POST', '/api/v3/orders', ORDER);
        await stream.until(({ data }) => data !== undefined);
        await new Promise((resolve) => setTimeout(resolve, 100));
        expect(stream.heard.filter(({ data }) => data !== undefined)).toHaveLength(1);
        expect(stream.isOpen()).toBe(true);
        stream.close();
      }
      // The first one spoken is the one; its end is the socket's.
      const stream = await openStream(http().url);
      for (const { token } of [ann, bob]) stream.send({ op: 'login', args: [{ token }] });
      await stream.until(({ event }) => event === 'login');
      await ann.send('POST', '/api/v3/logout');
      await expect.poll(() => stream.isOpen(), { timeout: 5000 }).toBe(false);
    });

    it('a key hears what it may ask for', async () => {
      const owner = await trader('keys');
      const keyWith = async (permissions: string[]) => (await newKey(owner, permissions)).json<{ key: string }>().key;
      const reading = await listenAs(http().url, await keyWith(['read']), everything);
      expect(subscribed(reading)).toEqual(expect.arrayContaining(['orders', 'fills', 'account']));
      expect(subscribed(reading)).not.toEqual(expect.arrayContaining(['support']));
      expect(subscribed(reading)).not.toEqual(expect.arrayContaining(['notifications']));
      const trading = await listenAs(http().url, await keyWith(['trade']), everything);
      for (const channel of ['orders', 'fills', 'account', 'support', 'notifications']) {
        expect(subscribed(trading)).not.toContain(channel);
      }
      expect(trading.heard.filter(({ data }) => data !== undefined)).toEqual([]);
      for (const stream of [reading, trading]) stream.close();
    });
  });
}
