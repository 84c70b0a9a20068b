import type { AnswerOf } from '@cambist/contract/call.ts';
import type { balanceHistory, overview } from '@cambist/contract/wallets.ts';
import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import { issue } from '@cambist/core/ledger/issue.ts';
import { Random } from '@cambist/core/simulation/random.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { naiveBalances, storedBalances } from '../../../test/naive-balances.ts';
import { createMovementStore } from '../../exchange/ledger/movement-store.ts';
import { createTradeStore } from '../../exchange/orders/trade-store.ts';
import { type ConsumerStore, createConsumerStore } from '../../platform/consumer-store.ts';
import type { Database } from '../../platform/database.ts';
import { createLogger } from '../../platform/logger.ts';
import { createWorkReport } from '../../platform/work-report.ts';
import { createBalanceStore, createFollower } from './store.ts';

const logger = createLogger('silent');

type Answer = AnswerOf<typeof balanceHistory>;
/** The first client that a test makes. */
const FIRST_OF_TEST = 1000;
const DAY_MS = 86_400_000;
const SEED = 20_261_128;

describe.each(databaseKinds)('balances at the end of each day, through HTTP (%s)', (kind) => {
  let server: TestApp;
  afterEach(() => server.remove());

  const post = (url: string, token: string, payload: object) => server.call({ method: 'POST', url, token, payload });
  const order = (token: string, symbol: string, side: string, quantity: string, price?: string) => {
    const terms = price === undefined ? { type: 'market' } : { type: 'limit', price };
    return post('/api/v3/orders', token, { symbol, side, quantity, ...terms });
  };
  const faucet = (token: string, coin: string, amount: string) => post('/api/dev/faucet', token, { coin, amount });
  const history = (token: string, days = 7) =>
    vi.waitFor(
      async () => {
        const url = `/api/v3/wallets/balance-history?days=${days}`;
        const { status, body } = await server.call({ method: 'GET', url, token });
        expect({ status, complete: body.complete }).toEqual({ status: 200, complete: true });
        return body as unknown as Answer;
      },
      { timeout: 20_000 },
    );
  const total = async (token: string) =>
    (await server.call({ method: 'GET', url: '/api/v3/overview', token })).body.overviewTotal;
  const values = (answer: Answer) => answer.points.map(({ value }) => value);

  it("has what each day ended with at that day's close, carries days without a movement, and ends with the total", async () => {
    server = await startTestApp(kind);
    server.advance(1.5 * DAY_MS - (server.now() % DAY_MS));
    const seller = await server.trader('seller', { BTC: '5', USDT: '500000' });
    const client = await server.trader('client', { USDT: '100000' });
    const nothing = Array.from({ length: 7 }, () => '0.00000000');
    expect(values(await history(client))).toEqual([...nothing, '100000.00000000']);
    await order(seller, 'BTC', 'SELL', '1', '50000');
    await order(client, 'BTC', 'BUY', '1', '50000');
    // The price at which the day ends is another one than that which was paid.
    await order(seller, 'BTC', 'SELL', '0.1', '52000');
    await order(seller, 'BTC', 'BUY', '0.1', '52000');
    const friend = await server.trader('friend', { BTC: '1', USDT: '200000' });
    await order(friend, 'BTC', 'BUY', '0.1', '52000');
    server.advance(3 * DAY_MS);
    const again = await server.trader('client', {});
    await faucet(again, 'USDT', '1000');
    const { points, left_out } = await history(again);
    expect(points.map(({ time }) => time)).toEqual(
      Array.from({ length: 8 }, (_, index) => (Math.floor(server.now() / DAY_MS) - 7 + index) * DAY_MS),
    );
    // 50000 USDT, and 0.999 BTC at 52000.
    const held = '101948.00000000';
    expect(values({ complete: true, points, left_out })).toEqual([
      ...nothing.slice(0, 4),
      ...[held, held, held, '102948.00000000'],
    ]);
    expect(points.at(-1)?.value).toBe(await total(again));
    expect((await history(again, 90)).points).toHaveLength(91);
    const refused = await server.call({ method: 'GET', url: '/api/v3/wallets/balance-history?days=8', token: again });
    expect(refused.status).toBe(422);
  });

  it("today's profit begins where the line of the day before ends: with the first minute of the day", async () => {
    server = await startTestApp(kind);
    server.advance(2 * DAY_MS - 30_000 - (server.now() % DAY_MS));
    const seller = await server.trader('seller', { BTC: '5', USDT: '500000' });
    const client = await server.trader('client', { BTC: '1', USDT: '100000' });
    const trade = async (price: string) => {
      await order(seller, 'BTC', 'SELL', '0.1', price);
      await order(client, 'BTC', 'BUY', '0.1', price);
    };
    await trade('50000');
    server.advance(45_000);
    await trade('52000');
    server.advance(600_000);
    const { points } = await history(client);
    const { body } = await server.call({ method: 'GET', url: '/api/v3/overview', token: client });
    const { pnl, overviewTotal } = body as unknown as AnswerOf<typeof overview>;
    // 1.0999 BTC have gained 2000 each, and the fee of the second trade was a ten-thousandth.
    expect(pnl.value).toBe('2194.60000000');
    expect(Number(overviewTotal) - Number(points.at(-2)?.value)).toBeCloseTo(Number(pnl.value), 6);
  });

  it('a day on which a coin had no price is a gap that names it, and a coin that no market prices counts nowhere', async () => {
    server = await startTestApp(kind);
    server.advance(1.5 * DAY_MS - (server.now() % DAY_MS));
    await server.trader('client', { USDT: '1000' });
    const { engine } = server.app;
    const submit = async (command: Parameters<typeof engine.sequencer.submit>[0]) =>
      expect((await engine.sequencer.submit(command)).outcome).toMatchObject({ ok: true });
    await submit({ kind: 'list-asset', asset: 900, code: 'NEW', scale: 8 });
    await submit({ kind: 'list-asset', asset: 901, code: 'ODD', scale: 8 });
    for (const asset of [900, 901]) await submit(issue('development-credit', FIRST_OF_TEST, asset, 500_000_000n));
    server.advance(DAY_MS);
    const listing = { kind: 'list-market', market: 900, symbol: 'NEW-USDT', base: 900, quote: 0 } as const;
    const terms = { tickScale: 2, lotScale: 2, minimumLots: 1, maximumLots: 1_000_000, minimumNotional: 1n };
    await submit({ ...listing, priceBandPpm: 0, ...terms });
    const token = await server.trader('client', {});
    const other = await server.trader('other', { USDT: '1000' });
    await order(other, 'NEW', 'BUY', '1', '7');
    await order(token, 'NEW', 'SELL', '1', '7');
    server.advance(DAY_MS);
    const later = await server.trader('client', {});
    const { points, left_out } = await history(later);
    expect(left_out).toEqual(['ODD']);
    // 1007 USDT less the fee of 0.1 %, and four coins at 7.
    expect(points.slice(-3).map(({ value, unpriced }) => ({ value, unpriced }))).toEqual([
      { value: null, unpriced: ['NEW'] },
      { value: '1034.99300000', unpriced: [] },
      { value: '1034.99300000', unpriced: [] },
    ]);
  });

  it('is what the whole history gives when it is summed anew, over days, restarts and kills at any point', {
    timeout: 120_000,
  }, async () => {
    server = await startTestApp(kind);
    const random = new Random(SEED);
    const names = ['ann', 'ben', 'cem', 'dia'];
    let tokens: string[] = [];
    const signIn = async (funds: Readonly<Record<string, string>>) => {
      tokens = await Promise.all(names.map((name) => server.trader(name, funds)));
    };
    await signIn({ BTC: '2', ETH: '20', USDT: '200000' });
    const priceOf = (symbol: string) => (symbol === 'BTC' ? 50_000 : 2_000) * (1 + (random.fraction() - 0.5) / 20);
    const act = async (): Promise<void> => {
      const token = tokens[random.between(0, tokens.length - 1)]!;
      const symbol = random.chance(70) ? 'BTC' : 'ETH';
      const side = random.chance(50) ? 'BUY' : 'SELL';
      const amount = (random.fraction() / (symbol === 'BTC' ? 20 : 2) + 0.01).toFixed(4);
      const kindOfAct = random.between(0, 9);
      if (kindOfAct < 6) await order(token, symbol, side, amount, priceOf(symbol).toFixed(1));
      else if (kindOfAct === 6) await order(token, symbol, side, amount);
      else if (kindOfAct === 7) await faucet(token, symbol, amount);
      else if (kindOfAct === 8) {
        const moved = { from: 'SPOT', to: 'FUNDING', coin: symbol, amount, transaction_password: TRANSACTION_PASSWORD };
        await post('/api/v3/transfers', token, moved);
      } else {
        server.advance(Math.floor(DAY_MS * random.fraction()));
        // A session is over before long.
        await signIn({});
      }
    };
    const round = async () => {
      for (let step = 0; step < 80; step += 1) await act();
      for (const token of tokens) await history(token);
      const { engine } = server.app;
      const now = new Map<string, bigint>();
      for (const { id } of engine.exchange.assets()) {
        for (let owner = FIRST_OF_TEST; owner < FIRST_OF_TEST + names.length; owner += 1) {
          const keys = [Wallet.SPOT, Wallet.FUTURE, Wallet.FUNDING].flatMap((wallet) =>
            [Bucket.AVAILABLE, Bucket.HELD, Bucket.PENDING].map((bucket) => accountKey(owner, wallet, bucket, id)),
          );
          now.set(
            `${owner} ${id}`,
            keys.reduce((sum, key) => sum + engine.exchange.balance(key), 0n),
          );
        }
      }
      const time = server.now();
      await server.stop();
      const database = await server.source.open();
      const markets = engine.exchange.markets();
      const [stored, naive] = [await storedBalances(database), await naiveBalances(database, markets)];
      expect(stored).toEqual(naive);
      expect(stored.length).toBeGreaterThan(names.length * 3 * 2);
      // The newest row of each coin is what there is.
      const newest = await database.query<{ owner: number; asset: number; balance: bigint }>(
        'SELECT DISTINCT ON (owner, asset) owner, asset::int8, balance FROM daily_balances ORDER BY owner, asset, day DESC',
      );
      expect(newest.map(({ owner, asset, balance }) => [`${owner} ${asset}`, balance])).toEqual(
        newest.map(({ owner, asset }) => [`${owner} ${asset}`, now.get(`${owner} ${asset}`)]),
      );
      await forgetAndFollow(database, random, (id) => markets.find((market) => market.id === id)!);
      expect(await storedBalances(database)).toEqual(naive);
      await database.close();
      server = await startTestApp(kind, server.source);
      // The clock of each server starts anew.
      server.advance(time - server.now());
      await signIn({});
    };
    await round();
    await round();
  });

  /** As an old data folder: nothing was ever followed. Its process dies before and after writes, again and again. */
  async function forgetAndFollow(
    database: Database,
    random: Random,
    marketById: Parameters<typeof createFollower>[1]['marketById'],
  ): Promise<void> {
    await database.transaction([
      { sql: 'DELETE FROM daily_balances' },
      { sql: 'UPDATE daily_balances_progress SET batch = 0, sequence = 0' },
      { sql: "DELETE FROM consumers WHERE name = 'daily-balances'" },
    ]);
    const kept = createConsumerStore(database);
    let kills = 0;
    const dying: ConsumerStore = {
      position: kept.position,
      async write(name, position, effects) {
        const isKilled = random.chance(40);
        if (isKilled) kills += 1;
        if (isKilled && random.chance(50)) throw new Error('Killed before the write');
        await kept.write(name, position, effects);
        if (isKilled) throw new Error('Killed after the write');
      },
    };
    const follow = () =>
      createFollower(createBalanceStore(database), {
        trades: createTradeStore(database),
        movements: createMovementStore(database),
        marketById,
        consumers: { store: dying, logger, work: createWorkReport(logger) },
        projected: () => 1,
        page: { trades: 3, transfers: 2 },
      });
    for (let isDone = false; !isDone; ) {
      const consumer = follow();
      await consumer.start();
      // A process lives for some pages.
      await new Promise((resolve) => setTimeout(resolve, 60));
      isDone = await consumer.caughtUp();
      await consumer.close();
    }
    expect(kills).toBeGreaterThan(3);
  }
});
