import type { ExchangeEvent } from '@cambist/core/events/event.ts';
import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { accountParts, HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import { listing, TEST_MARKETS, TEST_PERPETUALS } from '@cambist/core/simulation/markets.ts';
import { simulate } from '@cambist/core/simulation/twins.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { futuresProjection } from '../../exchange/futures/projection.ts';
import { ledgerProjection } from '../../exchange/ledger/projection.ts';
import { orderProjection } from '../../exchange/orders/projection.ts';
import { dailyTrades } from './projection.ts';

const DAY_MS = 86_400_000;
const START = 1_700_000_000_000;
/** So that midnight comes some times in a run. */
const TIMES_FASTER = 200_000;
const STEPS = 2_000;
const STEPS_PER_RUN = 400;
/** Far above what the application's own start has written. */
const BATCH = 2 ** 32;
const PARTS = [ledgerProjection, orderProjection, futuresProjection, dailyTrades];

type Row = Readonly<Record<string, number | bigint>>;
type Sums = Map<string, bigint[]>;

/** @param key begins with the owner; of the exchange's own there are no sums */
function add(sums: Sums, key: readonly number[], ...amounts: readonly bigint[]): void {
  if (key[0]! <= HOUSE_TAKER) return;
  const known = sums.get(key.join(' ')) ?? amounts.map(() => 0n);
  const added = known.map((sum, index) => sum + amounts[index]!);
  sums.set(key.join(' '), added);
}

/** Adds what an event was, from its object. */
function addEvent(event: ExchangeEvent, trades: Sums, positions: Sums): void {
  const day = Math.floor(event.time / DAY_MS);
  if (event.kind === 'position-changed' || event.kind === 'loss-covered') {
    for (const { account, amount } of event.moves) {
      const { owner, asset } = accountParts(account);
      add(positions, [owner, day, asset], amount);
    }
  }
  if (event.kind !== 'trade') return;
  const { market, price, quantity, takerSide, maker, taker } = event;
  const value = BigInt(price) * BigInt(quantity);
  add(trades, [maker.owner, day, market, 1 - takerSide], BigInt(quantity), value, maker.fee);
  add(trades, [taker.owner, day, market, takerSide], BigInt(quantity), value, taker.fee);
}

/** Rows by the text of their key. @param width columns of it, which come first */
const sumsOf = (rows: readonly Row[], width: number): Sums =>
  new Map(
    rows.map((row) => {
      const values = Object.values(row);
      return [values.slice(0, width).join(' '), values.slice(width).map(BigInt)];
    }),
  );

describe.each(databaseKinds)('sums of a day (%s)', (kind) => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startTestApp(kind);
  });
  afterAll(() => server.remove());

  it.each([
    ['spot', TEST_MARKETS],
    ['perpetual', TEST_PERPETUALS],
  ])('are those of all trades and of what positions moved, run after run, in %s markets', async (_, markets) => {
    const { database } = server;
    await database.transaction(
      ['orders', 'trades', 'daily_trades', 'daily_positions'].map((table) => ({ sql: `DELETE FROM ${table}` })),
    );
    const exchange = createExchange();
    for (const command of listing(markets)) exchange.apply(START, command);
    exchange.recycle(exchange.takeBatch());
    const [trades, positions]: [Sums, Sums] = [new Map(), new Map()];
    const base = BATCH + (markets === TEST_MARKETS ? 0 : STEPS);
    let runs = PARTS.map((part) => part.start());
    for (const [place, step] of simulate(3, STEPS, 6, markets).steps.entries()) {
      const time = START + (step.time - START) * TIMES_FASTER;
      exchange.apply(time, step.command);
      const events = exchange.takeBatch();
      for (const event of events.events()) addEvent(event, trades, positions);
      for (const run of runs) run.add({ batch: base + place, time, events, counters: exchange.counters() }, []);
      exchange.recycle(events);
      if ((place + 1) % STEPS_PER_RUN > 0) continue;
      await database.transaction(runs.flatMap((run) => run.statements()));
      for (const run of runs) run.release?.();
      runs = PARTS.map((part) => part.start());
    }
    for (const [key, [amount]] of positions) if (amount === 0n) positions.delete(key);
    const stored = {
      trades: await database.query<Row>(
        'SELECT owner, day, market, side, lots::numeric, ticks_lots, fee FROM daily_trades',
      ),
      positions: await database.query<Row>('SELECT owner, day, asset, amount FROM daily_positions WHERE amount <> 0'),
    };
    expect(new Set([...trades.keys()].map((key) => key.split(' ')[1])).size).toBeGreaterThan(2);
    expect(sumsOf(stored.trades, 4)).toEqual(trades);
    expect(sumsOf(stored.positions, 3)).toEqual(positions);
  });
});
