import { recordsOf } from '@cambist/core/margin/holding-columns.ts';
import type { HoldingRecord } from '@cambist/core/margin/holding-record.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import type { Database } from '../../platform/database.ts';
import { restorePositions } from './position-recovery.ts';

const MARKETS = 3;
const OWNERS = 3_000;
const INT64 = 2n ** 63n;

describe.each(databaseKinds)('positions that come back from their table (%s)', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let restored: HoldingRecord[];

  beforeAll(async () => {
    ({ database, close } = await openMigrated(kind));
    // More than are handed over at once, written in another order than that in which they come back.
    await database.query(
      `INSERT INTO positions (owner, market, direction, lots, cost, margin, leverage, is_isolated, funding_index, since)
       SELECT 5000 + owner, 300 + market, 1 - 2 * (market % 2), owner, owner::bigint << 33, owner + 1, 125, owner % 2 = 0, market - 2, 0
       FROM generate_series(${OWNERS}, 1, -1) AS owner, generate_series(1, ${MARKETS}) AS market`,
    );
    const wide = [INT64 - 1n, INT64, -INT64, -INT64 - 1n, 2n ** 70n + 5n, -(2n ** 70n) - 5n];
    for (const [index, funding] of wide.entries())
      await database.query(`UPDATE positions SET funding_index = $1::text::numeric WHERE owner = $2 AND market = 301`, [
        String(funding),
        5_001 + index,
      ]);
    await database.query(
      `UPDATE positions SET term_started_at = 5, term_ends_at = 600, term_target = ${INT64 - 1n}, term_floor = 8, term_discount = 7
       WHERE owner IN (5003, 7500) AND market = 302`,
    );
    for (const leg of [1, -1])
      await database.query(
        `INSERT INTO positions (owner, market, leg, direction, lots, cost, margin, leverage, is_isolated, is_hedged, funding_index, since)
         VALUES (5003, 302, ${leg}, ${leg}, 20, ${INT64 - 1n}, 0, 1, false, false, 0, 0)`,
      );
    await database.query(`UPDATE positions SET is_hedged = true, direction = 0, lots = 0 WHERE owner = 5004`);
    restored = [];
    await restorePositions(database, { restoreHoldings: (columns) => restored.push(...recordsOf(columns)) });
  });
  afterAll(() => close());

  const of = (owner: number, market: number) => restored.filter((one) => one.owner === owner && one.market === market);

  it('are all there, once each, ascending', () => {
    expect(restored).toHaveLength(OWNERS * MARKETS + 2);
    const places = restored.map(({ owner, market, leg }) => owner * 10_000 + market * 10 + leg);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it('have what they had', () => {
    const usual = { leg: 0, leverage: 125, isHedged: false, term: undefined };
    const position = { direction: -1, lots: 2_999, cost: 2_999n << 33n };
    expect(of(7_999, 303)).toEqual([
      { ...usual, owner: 7_999, market: 303, isIsolated: false, margin: 3_000n, fundingIndex: 1n, position },
    ]);
    expect(of(8_000, 301)).toMatchObject([{ isIsolated: true, fundingIndex: -1n, margin: 3_001n }]);
    expect(of(5_004, 302)).toMatchObject([{ position: undefined, isHedged: true }]);
  });

  it('have an index of funding of any width', () => {
    const found = [1, 2, 3, 4, 5, 6].map((owner) => of(5_000 + owner, 301)[0]!.fundingIndex);
    expect(found).toEqual([INT64 - 1n, INT64, -INT64, -INT64 - 1n, 2n ** 70n + 5n, -(2n ** 70n) - 5n]);
  });

  it('have the term that they were opened with, among legs of one market too', () => {
    const term = { startedAt: 5, endsAt: 600, target: INT64 - 1n, floor: 8n, discount: 7n };
    expect(restored.flatMap((one) => (one.term === undefined ? [] : one.owner))).toEqual([5_003, 7_500]);
    expect(of(7_500, 302)).toMatchObject([{ term }]);
    const cost = INT64 - 1n;
    expect(of(5_003, 302)).toMatchObject([
      { leg: -1, position: { direction: -1, lots: 20, cost }, term: undefined },
      { leg: 0, term },
      { leg: 1, position: { direction: 1, lots: 20, cost }, term: undefined },
    ]);
  });
});
