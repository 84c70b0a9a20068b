import type { Posting } from '@cambist/core/ledger/account.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { MoveRows } from './position-moves.ts';

const TIME = 1_700_000_000_000;
const LARGEST = 2 ** 51 - 1;
/** Far above what the application's own start has written. */
const BATCH = 2 ** 33;
const posting = (account: number, amount: bigint): Posting => ({ account, amount });
const FEW = [posting(LARGEST, -(2n ** 63n)), posting(7, 2n ** 63n - 1n)];
const SEVEN = [1, 2, 3, 4, 5, 6, 7].map((account) => posting(account, BigInt(account - 4)));

describe.each(databaseKinds)('rows of what positions move (%s)', (kind) => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startTestApp(kind);
  });
  afterAll(() => server.remove());

  it('are in the ledger with as many accounts as moved, also where memory of an earlier run is used again', async () => {
    const rows = new MoveRows();
    rows.add(BATCH, 1, { reason: 'position-trade', reference: 3, moves: SEVEN }, TIME, 11);
    rows.clear();
    rows.add(BATCH, 2, { reason: 'loss-covered', reference: 2 ** 30 - 1, moves: FEW }, TIME, 2 ** 40);
    rows.add(BATCH, 3, { reason: 'position-compensation', reference: 3, moves: SEVEN }, TIME, 0);
    await server.database.transaction(rows.statements());
    const found = await server.database.query(
      `SELECT sequence, reason, reference, accounts::text, amounts::text, time, after_trade FROM ledger_transactions
       WHERE batch = $1 ORDER BY sequence`,
      [BATCH],
    );
    const textOf = (values: readonly (number | bigint)[]) => `{${values.join(',')}}`;
    const written = (moves: readonly Posting[]) => ({
      accounts: textOf(moves.map(({ account }) => account)),
      amounts: textOf(moves.map(({ amount }) => amount)),
      time: TIME,
    });
    expect(found).toEqual([
      { sequence: 2, reason: 'loss-covered', reference: 2 ** 30 - 1, ...written(FEW), after_trade: 2 ** 40 },
      { sequence: 3, reason: 'position-compensation', reference: 3, ...written(SEVEN), after_trade: 0 },
    ]);
  });
});
