/** Delays that grow: for who guesses, for who lists addresses, for who sends mails; and what they don't do. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PASSWORD, startTestApp, type TestApp } from '../../../test/app.ts';
import { anyKind } from '../../../test/databases.ts';
import { type Admission, admitToAll, createThrottle, networkOf } from '../../platform/throttle.ts';

let server: TestApp;
afterEach(() => server?.remove());

const start = async () => {
  server = await startTestApp(anyKind, undefined, { RATE_LIMIT_PER_MINUTE: '1000000' });
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
  const rule = { free: 2, firstMs: 10, longestMs: 35, forgetMs: 100 };
  const attemptOf = (admission: Admission) => {
    if (!admission.ok) throw new Error(`refused for ${admission.waitMs} ms`);
    return admission.attempt;
  };

  it('doubles up to its longest, and forgets who was quiet', async () => {
    let now = 0;
    const throttle = createThrottle({ now: () => now }, rule);
    const waits: number[] = [];
    for (let failure = 0; failure < 5; failure += 1) {
      attemptOf(await throttle.admit('key')).fail();
      const next = await throttle.admit('key');
      waits.push(next.ok ? 0 : next.waitMs);
      if (next.ok) next.attempt.giveBack();
      else now += next.waitMs;
    }
    expect(waits).toEqual([0, 10, 20, 35, 35]);
    expect((await throttle.admit('other')).ok).toBe(true);
    now += 100;
    attemptOf(await throttle.admit('key')).fail();
    attemptOf(await throttle.admit('key')).fail();
    expect(await throttle.admit('key')).toEqual({ ok: false, waitMs: 10 });
  });

  it('lasts no longer where the clock is set back meanwhile', () => {
    let now = 3_600_000;
    const throttle = createThrottle({ now: () => now }, rule);
    expect([throttle.take('key'), throttle.take('key'), throttle.take('key')]).toEqual([0, 0, 10]);
    now = 0;
    expect(throttle.take('key')).toBe(10);
    now += 10;
    expect(throttle.take('key')).toBe(0);
  });

  it('counts by the request where every one counts', () => {
    const throttle = createThrottle({ now: () => 0 }, rule);
    expect(Array.from({ length: 4 }, () => throttle.take('key'))).toEqual([0, 0, 10, 10]);
  });

  it('checks no more at once than may fail, and has the others wait for them', async () => {
    const throttle = createThrottle({ now: () => 0 }, rule);
    const [first, second] = [attemptOf(await throttle.admit('key')), attemptOf(await throttle.admit('key'))];
    const third = vi.fn();
    const waiting = throttle.admit('key').then((admission) => {
      third(admission);
      return admission;
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(third).not.toHaveBeenCalled();
    first.fail();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(third).not.toHaveBeenCalled();
    second.fail();
    expect(await waiting).toEqual({ ok: false, waitMs: 10 });
  });

  it('forgets with a success, gives back what was none, and counts each attempt once', async () => {
    const throttle = createThrottle({ now: () => 0 }, rule);
    attemptOf(await throttle.admit('key')).fail();
    const good = attemptOf(await throttle.admit('key'));
    good.succeed();
    good.fail();
    for (let round = 0; round < 5; round += 1) attemptOf(await throttle.admit('key')).giveBack();
    attemptOf(await throttle.admit('key')).fail();
    expect((await throttle.admit('key')).ok).toBe(true);
  });

  it('lets any number that succeed pass, in turns', async () => {
    const throttle = createThrottle({ now: () => 0 }, rule);
    let [running, most] = [0, 0];
    const pass = async () => {
      const attempt = attemptOf(await throttle.admit('key'));
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      attempt.succeed();
    };
    await Promise.all(Array.from({ length: 200 }, pass));
    expect(most).toBe(2);
  });

  it('admits to all or to none', async () => {
    const [open, closed] = [createThrottle({ now: () => 0 }, rule), createThrottle({ now: () => 0 }, rule)];
    closed.take('key');
    closed.take('key');
    for (let round = 0; round < 5; round += 1) {
      const asked = [[open, 'key'] as const, [closed, 'key'] as const];
      expect(await admitToAll(asked)).toEqual({ ok: false, waitMs: 10 });
    }
    expect((await open.admit('key')).ok).toBe(true);
  });

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('%s is of the network %s', (address, network) => expect(networkOf(address)).toBe(network));
});
