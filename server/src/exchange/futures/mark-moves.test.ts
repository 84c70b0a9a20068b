/** What the mark does to positions: funding, margin calls, liquidations, and what clients hear of them. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { databaseKinds, makeTestDatabase } from '../../../test/databases.ts';
import { BTC_SWAP, FuturesStage } from '../../../test/futures-stage.ts';
import { IndexRunner } from './index-runner.ts';

const HISTORY = '/api/v3/futures/history';
type Rows = Record<string, string>[];
type Heard = { positions?: Rows; account?: object; instId?: string; details?: Rows };

describe.each(databaseKinds)('a mark that moves (%s)', (kind) => {
  let stage: FuturesStage;

  beforeAll(async () => {
    stage = await FuturesStage.start(kind, await makeTestDatabase(kind, 'migrated'));
    for (const name of ['alice', 'bob', 'carol']) await stage.trader(name, 10_000);
    await stage.trader('late', 100);
    await stage.index(90_000);
    await stage.trade('alice', 'bob', '0.1', '90000');
  });
  afterAll(async () => {
    await stage.server.remove();
  });

  /** What a socket hears after it has asked for something. */
  async function listen(path: string, ...requests: object[]) {
    const { http } = stage.server.app;
    if (!http.server.listening) await http.listen({ port: 0, host: '127.0.0.1' });
    const socket = new WebSocket(`${http.listeningOrigin.replace('http', 'ws')}/ws/v5/${path}`);
    const heard: { arg?: { channel: string }; event?: string; data?: Heard[] }[] = [];
    socket.on('message', (data) => heard.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once('open', resolve));
    for (const [place, request] of requests.entries()) {
      socket.send(JSON.stringify(request));
      await expect.poll(() => heard.filter(({ event }) => event !== undefined).length).toBe(place + 1);
    }
    return { newest: () => heard.findLast(({ data }) => data !== undefined)?.data?.[0], close: () => socket.close() };
  }

  const get = async (name: string, url: string) => (await stage.ask(name, 'GET', url)).body;
  const funding = async (name: string, query = '') =>
    (await get(name, `${HISTORY}/funding${query}`)).funding as unknown as Rows;
  const notices = async (name: string) =>
    (await get(name, '/api/v3/notifications')).notifications as unknown as { title: string; body: string }[];
  /** Ends the interval of funding. */
  const settle = async () => {
    const { nextFundingAt } = stage.server.app.engine.exchange.perpetualState(stage.market);
    stage.server.advance(nextFundingAt - stage.server.now() + 10);
    await stage.index(90_000);
  };

  it('shows each client the funding of what was open then, and the public the rates', async () => {
    await settle();
    // 0.1 × 90,000 × 0.01 %
    expect(await funding('alice')).toMatchObject([{ side: 'long', quantity: '0.10000', amount: '0.90000000' }]);
    expect(await funding('bob')).toMatchObject([{ side: 'short', rate: '0.000100000', amount: '-0.90000000' }]);
    expect(await funding('late')).toEqual([]);
    const rates = await get('alice', `/api/v3/futures/funding-rates?symbol=${BTC_SWAP}`);
    expect(rates).toMatchObject({ interval_hours: 8, history: [{ rate: '0.000100000', mark_price: '90000.0' }] });
    expect(Number(rates.next_funding_at)).toBeGreaterThan(stage.server.now());
  });

  it('pays funding with the next change of a position, and keeps what was paid', async () => {
    expect((await stage.positions('alice')).positions).toMatchObject([{ funding_owed: '0.90000000' }]);
    await stage.trade('carol', 'alice', '0.05', '90000');
    expect((await stage.positions('alice')).positions).toMatchObject([{ funding_owed: '0.00000000' }]);
    const { changes } = await get('alice', `${HISTORY}/positions`);
    const paid = (changes as unknown as Rows).filter(({ cause }) => cause === 'funding');
    expect(paid).toMatchObject([{ funding: '0.90000000', quantity_change: '0.00000' }]);
    await settle();
    expect((await funding('alice')).map(({ quantity }) => quantity)).toEqual(['0.05000', '0.10000']);
    const [newest] = await funding('alice', '?limit=1');
    expect(await funding('alice', `?before=${newest!.id}`)).toMatchObject([{ quantity: '0.10000' }]);
  });

  it('pushes positions and wallet to open pages after each commit that changes them', async () => {
    const login = { op: 'login', args: [{ token: stage.token('carol') }] };
    const page = await listen('private', login, { op: 'subscribe', args: [{ channel: 'positions' }] });
    await stage.trade('carol', 'bob', '0.01', '90000');
    await expect.poll(() => page.newest()?.positions).toMatchObject([{ quantity: '0.06000' }]);
    expect(page.newest()?.account).toEqual((await stage.positions('carol')).account);
    page.close();
    // Leverage is chosen without a position too: other pages read it again with the push.
    const empty = { op: 'login', args: [{ token: stage.token('late') }] };
    const other = await listen('private', empty, { op: 'subscribe', args: [{ channel: 'positions' }] });
    await stage.ask('late', 'PATCH', '/api/v3/futures/leverage', { symbol: BTC_SWAP, leverage: 20 });
    await expect.poll(() => other.newest()?.positions).toEqual([]);
    other.close();
  });

  it('pushes what is owed once funding is settled, though no position has changed', async () => {
    await stage.trade('carol', 'bob', '0.01', '90000');
    const login = { op: 'login', args: [{ token: stage.token('carol') }] };
    const page = await listen('private', login, { op: 'subscribe', args: [{ channel: 'positions' }] });
    await settle();
    await expect.poll(() => page.newest()?.positions).toMatchObject([{ funding_owed: '0.63000000' }]);
    const { positions, account } = await stage.positions('carol');
    expect(page.newest()).toEqual({ positions, account });
    page.close();
  });

  it('warns at two levels, once each until the position has recovered', async () => {
    const set = { symbol: BTC_SWAP, leverage: 25, margin_mode: 'isolated' };
    await stage.ask('late', 'PATCH', '/api/v3/futures/leverage', set);
    await stage.trade('late', 'bob', '0.02', '90000');
    const titles = async () => (await notices('late')).filter(({ title }) => title.startsWith('Margin call'));
    const ratio = async () => Number(((await stage.positions('late')).positions as unknown as Rows)[0]!.margin_ratio);
    // The mark follows the index alone where the last price and the book do.
    const mark = async (price: number) => {
      await stage.trade('carol', 'bob', '0.0001', String(price));
      await stage.index(price);
    };
    expect(await titles()).toEqual([]);
    let price = 90_000;
    for (const level of [0.7, 0.9]) {
      while ((await ratio()) < level) {
        price -= 100;
        await mark(price);
      }
      await expect.poll(async () => (await titles()).length, { timeout: 10_000 }).toBe(level === 0.7 ? 1 : 2);
    }
    const [newest] = await notices('late');
    expect(newest!.title).toMatch(/^Margin call: 9\d% of your margin is needed$/);
    expect(newest!.body).toContain(BTC_SWAP);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await titles()).toHaveLength(2);
  });

  it('shows the operator the largest positions, and first who is nearest to liquidation', async () => {
    await stage.operator('op');
    const risk = await get('op', '/api/v3/admin/futures/risk');
    const late = await stage.owner('late');
    expect(risk).toMatchObject({ coin: 'USDT', insurance: '0.00000000', is_liquidating: false });
    const [nearest] = risk.accounts as unknown as Rows;
    expect(nearest).toMatchObject({ client_id: late, pair_name: BTC_SWAP });
    expect(Number(nearest!.margin_ratio)).toBeGreaterThan(0.9);
    const positions = risk.positions as unknown as { client_id: number; value: string; side: string }[];
    expect(positions.map(({ side }) => side)).toEqual(['short', 'long', 'long', 'long']);
    const market = (risk.markets as unknown as Rows).find((one) => one.pair_name === BTC_SWAP)!;
    const long = positions.filter(({ side }) => side === 'long').reduce((sum, { value }) => sum + Number(value), 0);
    expect(Number(market.open_value)).toBeCloseTo(long, 6);
    expect((await stage.ask('alice', 'GET', '/api/v3/admin/futures/risk')).status).toBe(403);
  });

  it('liquidates at the estimated price, keeps it with its figures, and tells the client once (T-futures-40)', async () => {
    const before = (await stage.positions('late')).positions as unknown as Rows;
    expect(before[0]!.estimated_force_parity).toMatch(/^[89]\d{4}\.\d$/);
    const price = Math.floor(Number(before[0]!.estimated_force_parity));
    const all = { channel: 'liquidation-orders', instType: 'SWAP' };
    const page = await listen('public', { op: 'subscribe', args: [all] });
    await stage.order('carol', 'BUY', '0.5', String(price - 20));
    await stage.trade('carol', 'bob', '0.0001', String(price - 10));
    await stage.index(price - 10);
    expect((await stage.positions('late')).positions).toEqual([]);
    const details = [{ side: 'sell', sz: '0.02000' }];
    await expect.poll(() => page.newest()).toMatchObject({ instId: BTC_SWAP, details });
    page.close();
    const { liquidations } = await get('late', `${HISTORY}/liquidations`);
    expect(liquidations).toMatchObject([{ kind: 'liquidated', side: 'long', quantity: '0.02000' }]);
    const [row] = liquidations as unknown as Rows;
    expect(Number(row!.equity)).toBeLessThanOrEqual(Number(row!.maintenance_margin));
    const { changes } = await get('late', `${HISTORY}/positions?limit=1`);
    expect(changes).toMatchObject([{ cause: 'liquidation', side: null, quantity_change: '-0.02000' }]);
    const told = async () => (await notices('late')).filter(({ title }) => title === 'Position liquidated');
    await expect.poll(async () => (await told()).length, { timeout: 10_000 }).toBe(1);
    expect((await told())[0]!.body).toContain('0.02000 BTC');
    expect(await get('late', '/api/v3/futures/insurance')).toMatchObject({ coin: 'USDT' });
  });

  it('closes what neither orders nor the insurance take against the other side, and tells both', async () => {
    await stage.trader('thin', 100);
    await stage.ask('carol', 'POST', '/api/v3/orders/cancel-all', { market: 'futures' });
    const set = { symbol: BTC_SWAP, leverage: 25, margin_mode: 'isolated' };
    await stage.ask('thin', 'PATCH', '/api/v3/futures/leverage', set);
    const price = Number(((await stage.positions('carol')).positions as unknown as Rows)[0]!.mark_price);
    await stage.trade('thin', 'bob', '0.02', String(price));
    for (const fall of [0.98, 0.96, 0.95]) {
      const lower = Math.round(price * fall);
      // The bid comes first: an offer so far below the mark would find none, and may not wait.
      await stage.order('carol', 'BUY', '0.0001', String(lower));
      await stage.order('bob', 'SELL', '0.0001', String(lower));
      await stage.index(lower);
    }
    expect((await stage.positions('thin')).positions).toEqual([]);
    const [closed] = (await get('bob', `${HISTORY}/liquidations`)).liquidations as unknown as Rows;
    expect(closed).toMatchObject({ kind: 'deleveraged', side: 'short', quantity: '0.02000', equity: null });
    const { changes } = await get('bob', `${HISTORY}/positions?limit=20`);
    const causes = (changes as unknown as Rows).filter(({ cause }) => cause === 'deleveraging');
    expect(causes).toMatchObject([{ quantity_change: '0.02000', trade_id: null }]);
    const titles = async (name: string) => (await notices(name)).map(({ title }) => title);
    await expect.poll(() => titles('bob'), { timeout: 10_000 }).toContain('Position reduced by auto-deleveraging');
    expect(await titles('thin')).toContain('Position liquidated');
  });

  it('is restored from its tables with its funding and index, and warns of nothing again', async () => {
    const [before, known] = [await notices('late'), stage.server.app.engine.exchange.perpetualState(stage.market)];
    stage = await stage.restart(kind);
    expect(stage.server.app.engine.exchange.perpetualState(stage.market)).toEqual(known);
    expect(known.fundingIndex).toBeGreaterThan(0n);
    await stage.trader('late');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await notices('late')).toEqual(before);
  });
});

describe('the runner of indexes', () => {
  const spot = { spec: { id: 0, symbol: 'BTC-USDT', base: { id: 1 }, quote: { id: 0 }, tickScale: 1 } };
  const perpetual = { spec: { ...spot.spec, id: 7, symbol: BTC_SWAP, tickScale: 2, perpetual: {} } };

  function started(price: () => number | undefined) {
    let now = 0;
    const sent: object[] = [];
    const state = { index: 0 };
    const submit = vi.fn(async (command: { price?: number }) => {
      sent.push(command);
      state.index = command.price ?? state.index;
      return { outcome: { ok: true } };
    });
    const waiting = { count: 0 };
    const exchange = { perpetualState: () => state, hasLiquidations: () => waiting.count-- > 0 };
    const raise = vi.fn(async () => undefined);
    const runner = new IndexRunner({
      engine: { exchange, sequencer: { submit } },
      catalogue: { perpetuals: [perpetual], markets: [spot] },
      indexSources: [{ name: 'feed', price, isFresh: () => true, last: () => undefined }],
      alarms: { raise },
      clock: { now: () => now },
    } as unknown as ConstructorParameters<typeof IndexRunner>[0]);
    return { runner, sent, raise, waiting, pass: (ms: number) => (now += ms) };
  }

  it('says the price of the coin in the decimals of the perpetual', async () => {
    const { runner, sent } = started(() => 900_000.4);
    await runner.run();
    expect(sent).toEqual([{ kind: 'set-index-price', market: 7, price: 9_000_004, waitsWhileHalted: true }]);
  });

  it('says once that an index is lost, and raises an alarm where it stays so', async () => {
    let price: number | undefined = 900_000;
    const { runner, sent, raise, pass } = started(() => price);
    await runner.run();
    price = undefined;
    for (const _ of [1, 2]) await runner.run();
    expect(sent.slice(1)).toEqual([{ kind: 'set-index-price', market: 7, price: 0, waitsWhileHalted: true }]);
    expect(raise).not.toHaveBeenCalled();
    pass(60_000);
    await runner.run();
    expect(raise).toHaveBeenCalledWith('index-lost', expect.stringContaining(BTC_SWAP));
  });

  it('goes on with liquidations until none is left, and no longer than one run has time for', async () => {
    const { runner, sent, waiting } = started(() => undefined);
    waiting.count = 3;
    await runner.run();
    expect(sent).toHaveLength(3);
    waiting.count = 1_000;
    await runner.run();
    expect(sent).toHaveLength(3 + 20);
  });
});
