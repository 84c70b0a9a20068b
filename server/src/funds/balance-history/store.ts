/** Balances at the end of days, and how far the ledger has been read for them. */
import type { LedgerPlace } from '../../exchange/ledger/service.ts';
import type { Database, Statement } from '../../platform/database.ts';
import type { RunningPacedConsumer } from '../../platform/paced-consumer.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';
import { createStepConsumer, type StepDeps } from '../cost-basis/feed.ts';
import { type DayBalance, daysAfter, touchedBy } from './days.ts';

type BalanceRow = {
  readonly owner: number;
  readonly asset: number;
  readonly day: number;
  readonly balance: bigint;
};

const NEWEST = `
  SELECT wanted.owner, wanted.asset::int8, newest.day::int8, newest.balance
  FROM unnest($1::bigint[], $2::integer[]) AS wanted (owner, asset), LATERAL (
    SELECT day, balance FROM daily_balances
    WHERE daily_balances.owner = wanted.owner AND daily_balances.asset = wanted.asset
    ORDER BY daily_balances.owner DESC, daily_balances.asset DESC, day DESC LIMIT 1
  ) AS newest`;

/** The rows of some days, and of each coin the last one before them. */
const BETWEEN = `
  SELECT $1::bigint AS owner, wanted.asset::int8, kept.day::int8, kept.balance
  FROM unnest($2::integer[]) AS wanted (asset), LATERAL (
    SELECT day, balance FROM daily_balances
    WHERE owner = $1 AND daily_balances.asset = wanted.asset AND day >= $3 AND day <= $4
    UNION ALL (
      SELECT day, balance FROM daily_balances
      WHERE owner = $1 AND daily_balances.asset = wanted.asset AND day < $3
      ORDER BY owner DESC, daily_balances.asset DESC, day DESC LIMIT 1
    )
  ) AS kept`;

const UPSERT = `
  INSERT INTO daily_balances (owner, asset, day, balance)
  SELECT * FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::numeric[])
  ON CONFLICT (owner, asset, day) DO UPDATE SET balance = excluded.balance`;

const saveDays = (rows: readonly DayBalance[]): Statement => ({
  sql: UPSERT,
  parameters: [
    rows.map(({ owner }) => owner),
    rows.map(({ asset }) => asset),
    rows.map(({ day }) => day),
    rows.map(({ balance }) => balance),
  ],
});

const savePlace = ({ batch, sequence }: LedgerPlace): Statement => ({
  sql: 'UPDATE daily_balances_progress SET batch = $1, sequence = $2',
  parameters: [batch, sequence],
});

export function createBalanceStore(database: Database) {
  return {
    async place(): Promise<LedgerPlace> {
      const [row] = await database.patient.query<{ batch: number; sequence: number }>(
        'SELECT batch, sequence::int8 FROM daily_balances_progress',
      );
      return row ?? { batch: 0, sequence: 0 };
    },
    /** The newest row of each pair of owner and asset that has one. */
    newest(keys: readonly (readonly [owner: number, asset: number])[]): Promise<DayBalance[]> {
      return database.patient.query<BalanceRow>(NEWEST, [keys.map(([owner]) => owner), keys.map(([, asset]) => asset)]);
    },
    /** Of some days, both included, and of each asset the row before them. */
    between(owner: number, assets: readonly number[], first: number, last: number): Promise<DayBalance[]> {
      return database.query<BalanceRow>(BETWEEN, [owner, assets, first, last]);
    },
  };
}

/** Keeps the rows in step with trades and transfers: a durable consumer at its own pace. */
export function createFollower(store: BalanceStore, deps: StepDeps): RunningPacedConsumer {
  return createStepConsumer(
    {
      name: 'daily-balances',
      place: store.place,
      savePlace,
      async effectsOf(steps) {
        if (steps.length === 0) return [];
        return [saveDays(daysAfter(await store.newest(touchedBy(steps)), steps))];
      },
    },
    deps,
  );
}

export type BalanceStore = ReturnType<typeof createBalanceStore>;

export const balanceTables: PersonalTables = {
  exported: {
    daily_balances: `SELECT asset, day, balance::text FROM daily_balances WHERE owner = $1 ORDER BY asset, day`,
  },
  erased: ['DELETE FROM daily_balances WHERE owner = $1'],
};
