/** Delays that grow: for who guesses, for who lists addresses, for who sends mails; and what they don't do. */
import { afterEach, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp } from '../../test/app.ts';
import { createThrottle, networkOf } from '../platform/throttle.ts';

let server: TestApp;
afterEach(() => server?.remove());

const start = async () => {
  server = await startTestApp('pglite', undefined, { RATE_LIMIT_PER_MINUTE: '1000000' });
};
const post = (url: string, payload: object, remoteAddress: string) =>
  server.call({ method: 'POST', url, payload, remoteAddress });

describe('guessing a password', () => {
  it('costs a growing delay from one network, ends with the right one in time, and shuts nobody out elsewhere', async () => {
    await start();
    await server.client('guessed', {});
    const guess = (password: string, address: string) =>
      post('/api/v3/login', { username: 'guessed@example.test', password }, address);
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await guess('wrong one', '10.9.9.9')).status).toBe(401);
    const refused = await guess(PASSWORD, '10.9.9.9');
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    expect(refused.headers['retry-after']).toBe('1');
    expect((await guess(PASSWORD, '10.8.8.8')).status).toBe(200);
    server.advance(1001);
    expect((await guess('wrong one', '10.9.9.9')).status).toBe(401);
    expect((await guess(PASSWORD, '10.9.9.9')).headers['retry-after']).toBe('2');
    server.advance(2001);
    expect((await guess(PASSWORD, '10.9.9.9')).status).toBe(200);
  });

  it('of an account that is not there costs the same', async () => {
    await start();
    const guess = () => post('/api/v3/login', { username: 'nobody@example.test', password: 'wrong one' }, '10.7.7.7');
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await guess()).status).toBe(401);
    expect((await guess()).status).toBe(429);
  });
});

it('asking who is here is for people, not for lists', async () => {
  await start();
  const check = (name: string) => post('/api/v2/username-check', { username: `${name}@example.test` }, '10.6.6.6');
  for (let asked = 0; asked < 20; asked += 1) expect((await check(`name${asked}`)).status).toBe(200);
  expect((await check('one-more')).status).toBe(429);
  server.advance(1001);
  expect((await check('one-more')).status).toBe(200);
  expect((await check('yet-another')).headers['retry-after']).toBe('2');
});

describe('a throttle', () => {
  it('doubles up to its longest, and forgets who was quiet', () => {
    let now = 0;
    const throttle = createThrottle({ now: () => now }, { free: 2, firstMs: 10, longestMs: 35, forgetMs: 100 });
    const waits = Array.from({ length: 5 }, () => {
      throttle.fail('key');
      const wait = throttle.waitMs('key');
      now += wait;
      return wait;
    });
    expect(waits).toEqual([0, 10, 20, 35, 35]);
    expect(throttle.waitMs('other')).toBe(0);
    now += 100;
    throttle.fail('key');
    expect(throttle.waitMs('key')).toBe(0);
  });

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('%s is of the network %s', (address, network) => expect(networkOf(address)).toBe(network));
});
