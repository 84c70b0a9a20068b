/** What the tables know of perpetuals: orders and fills by kind, the ledger's rows, sums of a day, and a start from all of it. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restoreFromTables } from '../src/exchange/engine/restore.ts';
import { exchangeProjections } from '../src/exchange/projections.ts';
import type { Database } from '../src/platform/database.ts';
import { databaseKinds, makeTestDatabase, type TestDatabase } from './databases.ts';
import { BTC_SWAP, FuturesStage } from './futures-stage.ts';

interface Line {
  readonly cause: string;
  readonly pair: string | null;
  readonly amount: string;
  readonly fee: string;
  readonly balance: string;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
const EIGHT_HOURS_MS = 8 * 3_600_000;

describe.each(databaseKinds)('perpetuals in the tables (%s)', (kind) => {
  let stage: FuturesStage;
  let source: TestDatabase;
  let database: Database;

  async function start(): Promise<void> {
    stage = await FuturesStage.start(kind, source);
  }
  const engine = () => stage.server.app.engine;
  const get = async (name: string, path: string) => (await stage.ask(name, 'GET', path)).body;
  const ordersOf = async (name: string, query = ''): Promise<unknown[]> =>
    (await get(name, `/api/v3/trades/open-orders${query}`)).orders ?? [];
  const statementOf = async (name: string): Promise<Line[]> =>
    (await get(name, '/api/v3/statement?wallet=FUTURE&coin=USDT')).entries ?? [];

  /** Memory, and what the tables alone give. */
  async function hashes(): Promise<[string, string]> {
    await engine().projector.caughtUp();
    const { exchange } = await restoreFromTables(database, exchangeProjections);
    return [engine().exchange.stateHash(), exchange.stateHash()];
  }
  const reconciled = () => stage.server.app.reconciler.check();

  beforeEach(async () => {
    const made = await makeTestDatabase(kind, 'migrated');
    source = {
      ...made,
      async open() {
        database = await made.open();
        return database;
      },
    };
    await start();
    for (const [name, funds] of [
      ['ann', 20_000],
      ['ben', 20_000],
      ['eve', 100_000],
    ] as const)
      await stage.trader(name, funds);
    await stage.index(50_000);
  });
  afterEach(async () => {
    await stage.server.stop();
    await source.remove();
  });

  it('starts with the largest terms that an operator can set', async () => {
    const spec = engine()
      .exchange.markets()
      .find(({ symbol }) => symbol === BTC_SWAP)!;
    const { id: market, minimumLots, maximumLots, priceBandPpm, perpetual } = spec;
    const most = 2n ** 63n - 1n;
    const last = perpetual!.tiers.length - 1;
    const { outcome } = await engine().sequencer.submit({
      ...{ kind: 'change-market', market, minimumLots, maximumLots, minimumNotional: most, priceBandPpm },
      perpetual: {
        ...perpetual!,
        tiers: perpetual!.tiers.map((tier, at) => (at === last ? { ...tier, maximumNotional: most } : tier)),
        funding: { ...perpetual!.funding, impactValue: most },
      },
    });
    expect(outcome).toEqual({ ok: true });
    const [memory, tables] = await hashes();
    expect(tables).toBe(memory);
  });

  it('shows orders and fills of a kind where it is asked for, fees in what the market settles in', async () => {
    await stage.trade('ann', 'ben', '1', '50000');
    await stage.order('ann', 'SELL', '0.4', '52000', { reduce_only: true });
    await stage.order('ann', 'BUY', '0.1', '49000');
    expect(await ordersOf('ann')).toEqual([]);
    const open = await ordersOf('ann', '?market=futures');
    expect(open).toMatchObject([
      { fee_coin: 'USDT', coin_pair: { pair_name: BTC_SWAP } },
      { reduce_only: true, delegate_type: 'SELL', remaining: '0.40000' },
    ]);
    expect(await ordersOf('ann', `?symbol=${BTC_SWAP}`)).toEqual(open);
    expect(await get('ann', '/api/v3/trades/trade-histories')).toEqual({ trades: [] });
    const fills = await get('ann', '/api/v3/trades/trade-histories?market=futures');
    expect(fills).toMatchObject({ trades: [{ role: 'taker', fee: '25.00000000', fee_coin: 'USDT' }] });
    const file = await stage.server.app.http.inject({
      url: '/api/v3/trades/trade-histories.csv?market=futures',
      headers: { authorization: `Bearer ${stage.token('ben')}` },
    });
    expect(file.body).toContain(BTC_SWAP);
    const spot = { symbol: 'BTC-USDT', side: 'BUY', type: 'limit', price: '50000', quantity: '1', reduce_only: true };
    const refused = await stage.ask('ann', 'POST', '/api/v3/orders', spot);
    expect(refused).toMatchObject({ status: 422, body: { code: 'INVALID_FIELD' } });
    const cancel = (market: string) => stage.ask('ann', 'POST', '/api/v3/orders/cancel-all', { market });
    expect((await cancel('spot')).body).toMatchObject({ cancelled: 0 });
    expect((await cancel('futures')).body).toMatchObject({ cancelled: 2 });
  });

  it('says what positions have moved in statements, and counts it in the day’s profit', async () => {
    await stage.trade('ann', 'ben', '1', '50000');
    await stage.trade('eve', 'ann', '1', '51000');
    const lines = await statementOf('ann');
    // Bought as the taker, 25 USDT; sold as the maker, 10.20 USDT; 1,000 USDT won.
    expect(lines.map(({ cause, amount, fee, balance }) => [cause, amount, fee, balance])).toEqual([
      ['position-trade', '989.80000000', '10.20000000', '20964.80000000'],
      ['position-trade', '-25.00000000', '25.00000000', '19975.00000000'],
      ['wallet-transfer', '20000.00000000', '0.00000000', '20000.00000000'],
    ]);
    expect(lines[0]!.pair).toBe(BTC_SWAP);
    const overview = await get('ann', '/api/v3/overview');
    expect(overview).toMatchObject({
      futureTotal: '20964.80000000',
      pnl: { value: '964.80000000', pnl: '0.00000000', futurePnl: '964.80000000', futurePnlPercentage: '4.82' },
    });
    // What is open counts at the mark: bought at 51,000 with an index of 50,000, which bounds the mark.
    const { futureTotal } = await get('eve', '/api/v3/overview');
    const mark = engine().exchange.marketState(stage.market).markPrice / 10;
    expect(Number(futureTotal)).toBeCloseTo(100_000 - 25.5 + (mark - 51_000), 6);
    expect(await reconciled()).toEqual([]);
  });

  it('counts the profit of the futures wallet against what the day began with there, also once that is taken away', async () => {
    stage.server.advance(2 * DAY_MS);
    for (const name of ['ann', 'ben']) await stage.trader(name);
    await stage.index(50_000);
    await stage.trade('ann', 'ben', '1', '50000');
    await stage.trade('ben', 'ann', '1', '51000');
    await stage.takeOut('ann', 20_500);
    expect(await get('ann', '/api/v3/overview')).toMatchObject({
      futureTotal: '464.80000000',
      pnl: { value: '964.80000000', futurePnl: '964.80000000', futurePnlPercentage: '4.82' },
    });
  });

  it('notices where positions are not those of memory, or what is held is not what orders and positions say', async () => {
    const isolated = { symbol: BTC_SWAP, leverage: 7, margin_mode: 'isolated' };
    await stage.ask('ann', 'PATCH', '/api/v3/futures/leverage', isolated);
    await stage.trade('ann', 'ben', '0.5', '50000');
    await stage.order('ann', 'BUY', '0.13', '49000.3');
    expect(await reconciled()).toEqual([]);
    const wrong = async (change: string) => {
      await database.query(`UPDATE positions SET ${change} WHERE is_isolated`);
      return new Set((await reconciled()).map(({ kind: found }) => found));
    };
    const both = new Set(['positions-differ-from-memory', 'held-differs-from-orders']);
    expect(await wrong('leverage = leverage + 1')).toEqual(both);
    expect(await wrong('leverage = leverage - 1, margin = margin + 1')).toEqual(both);
    expect(await wrong('margin = margin - 1, cost = cost + 1')).toEqual(new Set(['positions-differ-from-memory']));
    expect(await wrong('cost = cost - 1')).toEqual(new Set());
  });

  it('moves what open orders hold with the leverage, in memory, in the tables and over a start', async () => {
    const leverage = (times: number) =>
      stage.ask('ann', 'PATCH', '/api/v3/futures/leverage', { symbol: BTC_SWAP, leverage: times });
    const account = () => get('ann', '/api/v3/futures/positions');
    // When they changed last, and how far a TWAP is, may differ.
    const resting = async () =>
      (await ordersOf('ann', '?market=futures')).map((order) => {
        const { updated_at: _changed, twap: _schedule, ...rest } = order as Record<string, unknown>;
        return rest;
      });
    await stage.trade('ann', 'ben', '0.5', '50000');
    await stage.order('ann', 'BUY', '0.1', '49000');
    await stage.order('ann', 'SELL', '0.2', '51000', { reduce_only: true });
    await stage.order('ann', 'BUY', '0.1', '48000', { twap: { duration_seconds: 3_600, interval_seconds: 600 } });
    // Of 9,700 USDT a tenth, and the fee.
    expect(await account()).toMatchObject({ account: { order_margin: '974.85000000' } });
    const orders = await resting();
    expect((await leverage(20)).body).toMatchObject({ message: 'success', leverage: 20 });
    expect(await account()).toMatchObject({ account: { order_margin: '489.85000000' } });
    expect(await resting()).toEqual(orders);
    // 25,000 USDT of a position would be needed beside them.
    expect(await leverage(1)).toMatchObject({ status: 422, body: { code: 'INSUFFICIENT_FUNDS' } });
    const isolated = { symbol: BTC_SWAP, margin_mode: 'isolated' };
    const mode = await stage.ask('ann', 'PATCH', '/api/v3/futures/leverage', isolated);
    expect(mode).toMatchObject({ status: 422, body: { code: 'ORDERS_OPEN' } });
    expect(await reconciled()).toEqual([]);
    const [hash, fromTables] = await hashes();
    expect(fromTables).toBe(hash);
    await stage.server.stop();
    await start();
    expect(await hashes()).toEqual([hash, hash]);
    expect(await reconciled()).toEqual([]);
  });

  it('starts from tables and from a snapshot with the same state, after funding and a liquidation', async () => {
    await stage.ask('ann', 'PATCH', '/api/v3/futures/leverage', {
      symbol: BTC_SWAP,
      leverage: 10,
      margin_mode: 'isolated',
    });
    await stage.trade('ann', 'ben', '3', '50000');
    await stage.order('ben', 'BUY', '0.5', '44000', { reduce_only: true });
    await stage.order('eve', 'BUY', '1', '46000');
    const stop = { symbol: BTC_SWAP, side: 'BUY', kind: 'stop_market', stop_price: '60000', reduce_only: true };
    const stopped = await stage.ask('ben', 'POST', '/api/v3/orders/conditional', stop);
    expect(stopped.body).toMatchObject({ message: 'success', order: { state: 'PENDING' } });
    expect(await reconciled()).toEqual([]);
    await stage.server.app.snapshots?.write();
    for (let minutes = 0; minutes < EIGHT_HOURS_MS / MINUTE_MS; minutes += 60) {
      stage.server.advance(60 * MINUTE_MS);
      await stage.index(50_000);
    }
    await stage.index(45_000);
    const { exchange } = engine();
    const [ann, eve] = [await stage.owner('ann'), await stage.owner('eve')];
    expect(exchange.positionsOf(ann).find(({ position }) => position !== undefined)).toBeUndefined();
    expect(exchange.positionsOf(eve)[0]?.position?.lots).toBe(100_000);
    const causes = (await statementOf('ann')).map(({ cause }) => cause);
    expect(causes).toEqual(expect.arrayContaining(['position-liquidation', 'position-funding', 'position-trade']));
    const [hash, fromTables] = await hashes();
    expect(fromTables).toBe(hash);
    expect(await reconciled()).toEqual([]);

    await stage.server.stop();
    await start();
    expect(engine().snapshots.newest).toBeGreaterThan(0);
    expect(await hashes()).toEqual([hash, hash]);

    await stage.server.stop();
    rmSync(join(source.environment.DATA_DIR, 'snapshots'), { recursive: true });
    await start();
    expect(await hashes()).toEqual([hash, hash]);
    expect(await reconciled()).toEqual([]);
  });
});
