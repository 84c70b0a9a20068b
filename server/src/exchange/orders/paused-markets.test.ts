/** A market whose price has come to the end of its band, by the calls: what is refused, with what words, and what says when it goes on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';

const ORDER = { symbol: 'BTC', type: 'limit', price: '45100', quantity: '0.01' };
const PAUSE_MS = 300_000;

describe.each(databaseKinds)('a market that pauses (%s)', (kind) => {
  let server: TestApp;
  let alice: string;
  let bob: string;
  let resting: string;
  const post = (token: string, url: string, payload: object, language = 'en') =>
    server.call({ method: 'POST', url, token, payload, headers: { 'accept-language': language } });
  const pauseOf = () => server.app.engine.exchange.marketState(0).pause;
  async function rowOf(path: string): Promise<Record<string, string>> {
    const { body } = await server.call({ method: 'GET', url: `/api/v5/${path}` });
    return (body.data as unknown as Record<string, string>[])[0]!;
  }

  beforeAll(async () => {
    server = await startTestApp(kind);
    alice = await server.trader('alice', { USDT: '1000000' });
    bob = await server.trader('bob', { BTC: '10' });
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
    const { body } = await post(alice, '/api/v3/orders', { ...ORDER, side: 'BUY', price: '45000' });
    resting = (body.order as unknown as { id: string }).id;
    await server.call({ method: 'DELETE', url: `/api/v3/orders/${resting}`, token: alice });
    await post(alice, '/api/v3/orders', { ...ORDER, side: 'BUY' });
    const rest = await post(bob, '/api/v3/orders', { ...ORDER, side: 'SELL', price: '54000' });
    resting = (rest.body.order as unknown as { id: string }).id;
    await post(bob, '/api/v3/orders', { symbol: 'BTC', side: 'SELL', type: 'market', quantity: '1' });
  });
  afterAll(() => server.remove());

  it('refuses orders, amendments and triggers with the time at which it goes on', async () => {
    const resumeAt = pauseOf()!.until;
    const refused = { status: 422, body: { code: 'MARKET_PAUSED', resume_at: resumeAt } };
    const answer = await post(alice, '/api/v3/orders', { ...ORDER, side: 'BUY' });
    expect(answer).toMatchObject(refused);
    const time = new Date(resumeAt).toISOString().slice(11, 19);
    expect(answer.body.detail).toBe(
      `This pair pauses until ${time} UTC, since its price has moved to the end of its band. Orders can be cancelled.`,
    );
    expect((await post(alice, '/api/v3/orders', { ...ORDER, side: 'BUY' }, 'de')).body.detail).toMatch(/pausiert bis/);
    const stop = { symbol: 'BTC', side: 'SELL', kind: 'stop_market', stop_price: '44000', quantity: '0.1' };
    expect(await post(bob, '/api/v3/orders/conditional', stop)).toMatchObject(refused);
    const amended = {
      method: 'PATCH',
      url: `/api/v3/orders/${resting}`,
      token: bob,
      payload: { price: '53000' },
    } as const;
    expect(await server.call(amended)).toMatchObject(refused);
  });

  it('is shown as suspended, with its end, and is an alarm', async () => {
    const pauseEnd = String(pauseOf()!.until);
    expect(await rowOf('public/instruments?instType=SPOT&instId=BTC-USDT')).toMatchObject({
      state: 'suspend',
      pauseEnd,
    });
    expect(await rowOf('market/ticker?instId=BTC-USDT')).toMatchObject({ pauseEnd, refPx: '45100.0', last: '45100.0' });
    await expect
      .poll(() => server.database.query("SELECT detail FROM alarms WHERE kind = 'market-paused'"))
      .toEqual([
        {
          detail: expect.stringMatching(
            /^BTC-USDT pauses until .* at 45100.0, the lower end of its band around 50000.0/,
          ),
        },
      ]);
  });

  it('is the same after a start from the tables, lets orders be cancelled, and goes on from where it stopped', async () => {
    const [hash, pause] = [server.app.engine.exchange.stateHash(), pauseOf()];
    const { source } = server;
    await server.stop();
    server = await startTestApp(kind, source);
    expect([server.app.engine.exchange.stateHash(), pauseOf()]).toEqual([hash, pause]);
    const cancelled = await server.call({ method: 'DELETE', url: `/api/v3/orders/${resting}`, token: bob });
    expect(cancelled.status).toBe(200);
    server.advance(PAUSE_MS);
    await expect.poll(pauseOf, { timeout: 10_000 }).toBeUndefined();
    expect(await rowOf('public/instruments?instType=SPOT&instId=BTC-USDT')).toMatchObject({
      state: 'live',
      pauseEnd: '',
    });
    expect(await post(alice, '/api/v3/orders', { ...ORDER, side: 'BUY', price: '40600' })).toMatchObject({
      status: 200,
    });
    expect(await server.app.reconciler.check()).toEqual([]);
  });
});
