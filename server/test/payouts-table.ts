/** Payouts without a chain: planned in the transaction that decides them, and brought on by the test alone. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Payment, Payout, PayoutState, Payouts } from '../src/funds/payouts/service.ts';
import type { Database } from '../src/platform/database.ts';

type Row = {
  readonly id: number;
  readonly reference: number;
  readonly network: NetworkName;
  readonly coin: string;
  readonly address: string;
  readonly units: bigint;
  readonly state: PayoutState;
  readonly transaction: string | null;
  readonly confirmations: number;
  readonly cost: bigint | null;
  readonly purpose: 'withdrawal';
};

const TABLE = `CREATE TABLE IF NOT EXISTS payouts_of_test (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, reference bigint NOT NULL UNIQUE, network text NOT NULL,
  coin text NOT NULL, address text NOT NULL, units numeric NOT NULL, state text NOT NULL, transaction text,
  confirmations integer NOT NULL DEFAULT 0, cost numeric, purpose text NOT NULL DEFAULT 'withdrawal')`;

/** What may come next; the last two are for ever. */
export const NEXT: Readonly<Record<PayoutState, readonly PayoutState[]>> = {
  PLANNED: ['SIGNED', 'FAILED'],
  SIGNED: ['BROADCAST'],
  BROADCAST: ['MINED'],
  MINED: ['BROADCAST', 'FINAL', 'FINAL', 'FAILED'],
  FINAL: [],
  FAILED: [],
};

/** @param process the database as the process under test sees it, which may end at any statement */
export async function createPayoutsTable(database: Database) {
  await database.query(TABLE);
  await database.query('DELETE FROM payouts_of_test');
  let trouble: ReturnType<Payouts['trouble']> = null;

  const all = (): Promise<Row[]> => database.query<Row>('SELECT * FROM payouts_of_test ORDER BY id');

  return {
    all,
    set trouble(next: ReturnType<Payouts['trouble']>) {
      trouble = next;
    },
    /** One that has ended stays so, whatever was wanted of it at the same time. */
    async bring(reference: number, state: PayoutState, confirmations = state === 'PLANNED' ? 0 : 1): Promise<void> {
      await database.query(
        `UPDATE payouts_of_test SET state = $2, confirmations = $3, transaction = coalesce(transaction, 'tx-' || reference),
           cost = CASE WHEN $2 IN ('MINED', 'FINAL') THEN 21000 ELSE cost END
         WHERE reference = $1 AND state NOT IN ('FINAL', 'FAILED')`,
        [reference, state, confirmations],
      );
    },
    /** As a process sees them whose database may end at any statement. */
    seenBy: (process: Database): Payouts => ({
      planning: ({ reference, network, coin, address, units }: Payment) => ({
        sql: `INSERT INTO payouts_of_test (reference, network, coin, address, units, state)
              VALUES ($1, $2, $3, $4, $5::text::numeric, 'PLANNED')`,
        parameters: [reference, network, coin, address, String(units)],
      }),
      wake: () => undefined,
      async byReferences(_purpose, references): Promise<Payout[]> {
        return process.query<Row>('SELECT * FROM payouts_of_test WHERE reference = ANY ($1::int8[])', [references]);
      },
      estimate: async () => ({ cost: 21_000n, minutes: 12.4 }),
      trouble: () => trouble,
      serves: () => true,
      internal: async () => new Set(),
      isOwnAddress: (_network, address) => address === `0x${'0'.repeat(36)}b0b0`,
    }),
  };
}

export type PayoutsTable = Awaited<ReturnType<typeof createPayoutsTable>>;
