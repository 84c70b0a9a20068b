import { EventBatch } from '@cambist/core/events/event-batch.ts';
import { Cause, ChangeFigure, Move, PositionRecords } from '@cambist/core/events/position-records.ts';
import { MarketIds } from '@cambist/core/instruments/market-ids.ts';
import { accountKey, Bucket, MAXIMUM_ASSET, MAXIMUM_OWNER, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import { Holdings } from '@cambist/core/margin/holdings.ts';
import { NET } from '@cambist/core/terms/order-terms.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { ChangeRows } from '../futures/change-rows.ts';
import { PLACES } from './position-moves.ts';
import { ledgerProjection } from './projection.ts';

const TIME = 1_700_000_000_000;
const MARKET = 3;
const OWNER = MAXIMUM_OWNER;
const ASSET = MAXIMUM_ASSET;
/** Far above what the application's own start has written. */
const BATCH = 2 ** 32;

const terms = { unitsPerTickLot: 1n, tiers: [], takerPpm: 0 };
const valuation = { terms, index: 0, mark: 1, asset: ASSET, fundingIndex: 0n, atMark: () => 0n };
const holding = new Holdings().of(16, 0, NET, valuation);
const own = (bucket: Bucket) => accountKey(OWNER, Wallet.FUTURE, bucket, ASSET);
const ofExchange = (owner: SystemOwner) => accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, ASSET);
/** In the order of postings. */
const ACCOUNTS = [
  ...[Bucket.AVAILABLE, Bucket.HELD, Bucket.MARGIN].map(own),
  ...[SystemOwner.CLEARING, SystemOwner.FEES, SystemOwner.FUNDING, SystemOwner.INSURANCE].map(ofExchange),
];
const FAR = 2n ** 61n;
const ALL = [-FAR, FAR - 2n, 3n, -4n, 5n, -6n, 4n];
const FEW = [7n, 0n, 0n, -7n, 0n, 0n, 0n];
const LAST = [0n, 0n, 0n, 0n, 0n, 9n, -9n];
const NONE = [0n, 0n, 0n, 0n, 0n, 0n, 0n];

/** A change that moves amounts, by `Move`: clearing has paid what was won, and the fee went to the fees. */
function moving(cause: keyof typeof Cause, amounts: readonly bigint[]): { records: PositionRecords; at: number } {
  const records = new PositionRecords();
  const figures = records.reserve();
  records.units.set(amounts, figures);
  records.units[figures + ChangeFigure.REALISED] = -amounts[Move.CLEARING]!;
  return { records, at: records.add(holding, OWNER, MARKET, Cause[cause], 0, TIME) };
}

describe.each(databaseKinds)('rows of what positions move (%s)', (kind) => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startTestApp(kind);
  });
  afterAll(() => server.remove());

  it('are in the ledger with as many accounts as moved, also where memory of an earlier run is used again', async () => {
    const rows = new ChangeRows();
    const add = (sequence: number, { records, at }: ReturnType<typeof moving>, afterTrade: number) =>
      rows.add(BATCH * PLACES + sequence, records, at, afterTrade);
    add(1, moving('trade', ALL), 11);
    rows.clear();
    add(2, moving('liquidation', LAST), 2 ** 40);
    add(3, moving('compensation', ALL), 0);
    add(4, moving('leverage', NONE), 0);
    add(5, moving('settlement', FEW), 12);
    await server.database.transaction(rows.statements());
    const found = await server.database.query(
      `SELECT sequence, reason, reference, accounts::text, amounts::text, time, after_trade FROM ledger_transactions
       WHERE batch = $1 ORDER BY sequence`,
      [BATCH],
    );
    const textOf = (values: readonly (number | bigint)[]) => `{${values.join(',')}}`;
    const written = (accounts: readonly number[], amounts: readonly bigint[]) => ({
      ...{ accounts: textOf(accounts), amounts: textOf(amounts), time: TIME },
    });
    const few = written([ACCOUNTS[0]!, ACCOUNTS[3]!], [7n, -7n]);
    const last = written([ACCOUNTS[5]!, ACCOUNTS[6]!], [9n, -9n]);
    expect(found).toEqual([
      { sequence: 2, reason: 'position-liquidation', reference: MARKET, ...last, after_trade: 2 ** 40 },
      { sequence: 3, reason: 'position-compensation', reference: MARKET, ...written(ACCOUNTS, ALL), after_trade: 0 },
      { sequence: 5, reason: 'position-settlement', reference: MARKET, ...few, after_trade: 12 },
    ]);
  });

  it('have what the insurance paid beside them, by its owner', async () => {
    const events = new EventBatch(new MarketIds());
    const [available = 0, , , , , , insurance = 0] = ACCOUNTS;
    const moves = [
      { account: available, amount: 9n },
      { account: insurance, amount: -9n },
    ];
    events.addObject({ kind: 'loss-covered', time: TIME, owner: OWNER, asset: ASSET, amount: 9n, moves });
    const run = ledgerProjection.start();
    const counters = { lastOrderId: 0, lastTradeId: 2 ** 40, lastPriority: 0, lastTransferId: 0 };
    run.add({ batch: BATCH + 1, time: TIME, events, counters }, []);
    await server.database.transaction(run.statements());
    const found = await server.database.query(
      `SELECT reason, reference, accounts::text, amounts::text, time, after_trade FROM ledger_transactions WHERE batch = $1`,
      [BATCH + 1],
    );
    const row = { accounts: `{${available},${insurance}}`, amounts: '{9,-9}', time: TIME, after_trade: 2 ** 40 };
    expect(found).toEqual([{ reason: 'loss-covered', reference: OWNER, ...row }]);
  });
});
