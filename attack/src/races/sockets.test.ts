/** One identity for a socket, whatever comes in one breath; and what a key may not ask, a socket may not hear. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fund, newKey, newPerson, type Person } from '../people.ts';
import { sizes } from '../sizes.ts';
import { listenAs, openStream, type Stream } from '../stream.ts';
import { databaseKinds, startTarget, type Target } from '../target.ts';

const { rounds } = sizes;
const ORDER = { symbol: 'BTC-USDT', side: 'BUY', type: 'limit', price: '100', quantity: '0.1' };
const everything = ['orders', 'fills', 'account', 'support', 'alerts', 'notifications', 'account-state'];

const subscribed = (stream: Stream): string[] =>
  stream.heard.flatMap(({ event, arg }) => (event === 'subscribe' && arg !== undefined ? [arg.channel] : []));

describe.each(databaseKinds)('private streams (%s)', (kind) => {
  let target: Target;
  const http = () => target.http;
  beforeAll(async () => {
    target = await startTarget(kind);
  });
  afterAll(() => target.remove());

  async function trader(name: string): Promise<Person> {
    const person = await newPerson(http, name);
    await fund(person, { USDT: '1000' });
    return person;
  }

  it('two logins in one breath are one identity, which a logout ends', async () => {
    const [ann, bob] = [await trader('ann'), await trader('bob')];
    for (let round = 0; round < rounds; round += 1) {
      const stream = await openStream(http().url);
      for (const { token } of [ann, bob]) stream.send({ op: 'login', args: [{ token }] });
      await stream.until(() => stream.heard.filter(({ event }) => event === 'login' || event === 'error').length >= 2);
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

  it('nothing failed inside meanwhile', () => {
    expect(target.defects()).toEqual([]);
  });
});
