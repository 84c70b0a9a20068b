import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { accountParts, isClient } from '@cambist/core/ledger/account.ts';
import { listing, TEST_MARKETS, TEST_PERPETUALS } from '@cambist/core/simulation/markets.ts';
import { simulate } from '@cambist/core/simulation/twins.ts';
import { describe, expect, it } from 'vitest';
import { dailyTrades } from './projection.ts';

const DAY_MS = 86_400_000;
/** So that midnight comes some times in a run. */
const TIMES_FASTER = 200_000;

type Sums = Map<string, bigint[]>;

function add(sums: Sums, key: readonly number[], ...amounts: readonly bigint[]): void {
  const name = key.join(' ');
  const known = sums.get(name) ?? amounts.map(() => 0n);
  sums.set(
    name,
    known.map((sum, index) => sum + amounts[index]!),
  );
}

/** Rows of a statement, as text of their key and their figures. @param width of the key */
function rowsOf(columns: readonly (readonly unknown[])[], width: number): Sums {
  const rows = columns[0]!.map((_, row) => columns.map((column) => column[row] as number | bigint));
  return new Map(rows.map((row) => [row.slice(0, width).join(' '), row.slice(width).map(BigInt)]));
}

describe('sums of a day', () => {
  it.each([TEST_MARKETS, TEST_PERPETUALS])('are those of all trades and of what positions moved, %#', (...markets) => {
    const exchange = createExchange();
    const start = 1_700_000_000_000;
    for (const command of listing(markets)) exchange.apply(start, command);
    const run = dailyTrades.start();
    const [trades, positions]: [Sums, Sums] = [new Map(), new Map()];
    const move = (time: number, moves: readonly { account: number; amount: bigint }[]) => {
      for (const { account, amount } of moves) {
        const { owner, asset } = accountParts(account);
        if (isClient(owner)) add(positions, [owner, Math.floor(time / DAY_MS), asset], amount);
      }
    };
    for (const [place, step] of simulate(3, 2_000, 6, markets).steps.entries()) {
      const time = start + (step.time - start) * TIMES_FASTER;
      exchange.apply(time, step.command);
      const events = exchange.takeBatch();
      for (const event of events.events()) {
        if (event.kind === 'position-changed' || event.kind === 'loss-covered') move(event.time, event.moves);
        if (event.kind !== 'trade') continue;
        const { market, price, quantity, takerSide, maker, taker } = event;
        const [day, value] = [Math.floor(time / DAY_MS), BigInt(price) * BigInt(quantity)];
        add(trades, [maker.owner, day, market, 1 - takerSide], BigInt(quantity), value, maker.fee);
        add(trades, [taker.owner, day, market, takerSide], BigInt(quantity), value, taker.fee);
      }
      run.add({ batch: place + 1, time, events, counters: exchange.counters() }, []);
      exchange.recycle(events);
    }
    for (const [key, [amount]] of positions) if (amount === 0n) positions.delete(key);
    const written = run.statements().map(({ parameters }) => parameters as unknown as readonly (readonly unknown[])[]);
    expect(new Set([...trades.keys()].map((key) => key.split(' ')[1])).size).toBeGreaterThan(2);
    expect(rowsOf(written[0]!, 4)).toEqual(trades);
    expect(written[1] === undefined ? new Map() : rowsOf(written[1], 3)).toEqual(positions);
  });
});
