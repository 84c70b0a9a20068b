/** The index from several feeds: one is silent, one lies, one dies and comes back. */
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { anyKind } from '../../../test/databases.ts';
import { TestFeed } from './test-feed.ts';

const SWAP = 'BTC-USDT-SWAP';
const PATIENT = { timeout: 60_000, interval: 50 };
/** A feed that has said nothing for so long is not believed. */
const SILENCE_MS = 10_001;

interface Source {
  readonly name: string;
  readonly is_fresh: boolean;
  readonly prices: { pair_name: string; price: string; is_used: boolean; strays: boolean }[];
}

describe('an index from three feeds', () => {
  let feeds: TestFeed[];
  let server: TestApp;
  let market: number;
  let token: string;

  beforeAll(async () => {
    // One after the other: a start blocks the process, in which the databases of the others must not seem to be away.
    feeds = [];
    for (const price of [912_000, 913_000, 914_000]) feeds.push(await TestFeed.start(price));
    const [reference, ...further] = feeds.map(({ urls }) => urls);
    server = await startTestApp(anyKind, undefined, {
      MARKET: 'okx',
      OKX_REST_URL: reference!.restUrl,
      OKX_WS_URL: reference!.webSocketUrl,
      INDEX_URLS: further.map(({ restUrl }) => restUrl).join(', '),
    });
    market = server.app.engine.exchange.markets().find(({ symbol }) => symbol === SWAP)!.id;
    await server.app.accounts.ensure('op@example.test', PASSWORD, TRANSACTION_PASSWORD, 'operator');
    const payload = { username: 'op@example.test', password: PASSWORD };
    token = String((await server.call({ method: 'POST', url: '/api/v3/login', payload })).body.token);
  }, 120_000);

  afterAll(async () => {
    await server.remove();
    await Promise.all(feeds.map((feed) => feed.stop()));
  });

  const index = () => server.app.engine.exchange.perpetualState(market).index;
  const indexIs = (price: number) => expect.poll(index, PATIENT).toBe(price);
  async function sources(): Promise<Source[]> {
    const { body } = await server.call({ method: 'GET', url: '/api/v3/admin/futures/risk', token });
    return body.index_sources as unknown as Source[];
  }
  const said = async (place: number) => {
    const source = (await sources())[place]!;
    return { is_fresh: source.is_fresh, ...source.prices.find(({ pair_name: name }) => name === SWAP) };
  };
  /** Advances the clock by a whole silence, in which these feeds alone say their prices again. */
  async function silenceExcept(prices: Readonly<Record<number, number>>): Promise<void> {
    server.advance(SILENCE_MS);
    for (const [place, price] of Object.entries(prices)) await feeds[Number(place)]!.quote(price);
  }
  const metrics = async () => (await server.app.http.inject({ method: 'GET', url: '/metrics' })).body;

  it('is the median, which one that strays alone does not move', async () => {
    await indexIs(913_000);
    await feeds[2]!.quote(950_000);
    await expect.poll(() => said(2), PATIENT).toMatchObject({ price: '95000.0', is_used: true, strays: true });
    expect(index()).toBe(913_000);
    expect(await said(1)).toMatchObject({ price: '91300.0', is_used: true, strays: false });
  });

  it('leaves a silent source out, and is lost while the two that are left contradict each other', async () => {
    feeds[1]!.hang();
    await silenceExcept({ 0: 912_000, 2: 950_000 });
    const strays = async () => [(await said(0)).strays, (await said(2)).strays];
    await expect.poll(strays, PATIENT).toEqual([true, true]);
    await indexIs(0);
    expect(await said(1)).toMatchObject({ is_fresh: false, price: '91300.0', is_used: false, strays: false });
    const figures = await metrics();
    expect(figures).toContain(`cambist_index_source_fresh{source="${feeds[0]!.host}"} 1`);
    expect(figures).toContain(`cambist_index_source_fresh{source="${feeds[1]!.host}"} 0`);
    expect(figures).toContain(`cambist_index_source_price_ticks{source_market="${feeds[1]!.host} ${SWAP}"} 913000`);
  });

  it('is the mean of two that agree, rounded down', async () => {
    await feeds[2]!.quote(912_101);
    await indexIs(912_050);
  });

  it('counts a source again once it speaks, with what it says then', async () => {
    await feeds[1]!.quote(915_000);
    feeds[1]!.goOn();
    await indexIs(912_101);
    expect(await said(1)).toMatchObject({ is_fresh: true, price: '91500.0', is_used: true });
  });

  it('goes on while the reference is dead, and with it once it is back', async () => {
    await feeds[0]!.die();
    await silenceExcept({ 1: 915_000, 2: 912_101 });
    await indexIs(913_550);
    expect(await said(0)).toMatchObject({ is_fresh: false });
    await feeds[0]!.quote(913_000);
    feeds[0]!.comeBack();
    await indexIs(913_000);
  });

  it('is what the market maker quotes around as well: whoever takes from it does not win what its reference lies', async () => {
    const [spot] = server.app.engine.exchange.markets();
    const best = () => ([BUY, SELL] as const).map((side) => server.app.engine.exchange.bestPrice(spot!.id, side));
    await Promise.all([913_000, 915_000, 912_101].map((price, place) => feeds[place]!.quote(price)));
    await indexIs(913_000);
    await expect.poll(() => best()[1], PATIENT).toBeGreaterThan(912_900);
    await feeds[0]!.quote(880_000);
    await indexIs(912_101);
    // Four rounds of the market maker, which looks at its clock every 100 ms.
    for (let round = 0; round < 4; round += 1) {
      server.advance(500);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    const [bid, ask] = best();
    expect([bid! > 911_000, ask! > 912_101, ask! < 913_000]).toEqual([true, true, true]);
  });
});
