/** Orders by the socket and by HTTP at once: one key is one order, and an ended session places none. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fund, newPerson, type Person, signIn } from '../people.ts';
import { sizes } from '../sizes.ts';
import { listenAs, type Push, type Stream } from '../stream.ts';
import { databaseKinds, startTarget, type Target } from '../target.ts';
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

describe.each(databaseKinds)('orders by socket and HTTP (%s)', (kind) => {
  let target: Target;
  const http = () => target.http;
  beforeAll(async () => {
    target = await startTarget(kind);
  });
  afterAll(() => target.remove());

  async function trader(name: string): Promise<Person> {
    const person = await newPerson(http, name);
    await fund(person, { USDT: '100000' });
    return person;
  }
  async function open(person: Person): Promise<string[]> {
    const answer = await person.send('GET', '/api/v3/trades/open-orders');
    return answer.json<{ orders: { id: string }[] }>().orders.map(({ id }) => id);
  }

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

  it('nothing failed inside meanwhile', () => {
    expect(target.defects()).toEqual([]);
  });
});
