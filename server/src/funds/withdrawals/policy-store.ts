/** What decides whether an operator looks at a withdrawal, and addresses that nothing is sent to. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { type Authority, holdAuthority } from '../../platform/authority.ts';
import type { Database, Row, Statement } from '../../platform/database.ts';

export type Policy = {
  /** Decimal text, USDT, as is the next. */
  readonly approval_usdt: string;
  readonly four_eyes_usdt: string;
  readonly hourly_count: number;
  readonly median_factor: number;
};

export type FraudulentAddress = {
  readonly id: number;
  readonly network: NetworkName;
  /** Canonical. */
  readonly address: string;
  readonly note: string;
  readonly added_at: number;
};

const addressColumns = 'id, network, address, note, added_at';

function adding({ network, address, note, added_at }: Omit<FraudulentAddress, 'id'>): Statement {
  return {
    // Without an earlier version (xmax) the row was inserted. DO NOTHING would not answer one that is added at the same time.
    sql: `INSERT INTO fraudulent_addresses (network, address, note, added_at) VALUES ($1, $2, $3, $4)
          ON CONFLICT (network, address) DO UPDATE SET note = fraudulent_addresses.note
          RETURNING ${addressColumns}, xmax::text = '0' AS is_new`,
    parameters: [network, address, note, added_at],
  };
}

export function createPolicyStore(database: Database) {
  return {
    async policy(): Promise<Policy> {
      const [row] = await database.query<Policy>(
        'SELECT approval_usdt, four_eyes_usdt, hourly_count, median_factor FROM withdrawal_policy',
      );
      if (row === undefined) throw new Error('There is no policy for withdrawals');
      return row;
    },
    /** What an operator changes, while the operator may. @returns the rows of the last statement */
    async write(by: Authority, ...statements: readonly Statement[]): Promise<readonly Row[]> {
      return (await database.transaction([holdAuthority(by), ...statements])).at(-1) ?? [];
    },
    /**
     * For a transaction: what is given takes the place of what is there then. Answers the policy; no row where two approvals would
     * be asked for from less than one.
     */
    saving: (wish: { readonly [Name in keyof Policy]?: Policy[Name] | undefined }): Statement => ({
      sql: `UPDATE withdrawal_policy SET approval_usdt = coalesce($1, approval_usdt), four_eyes_usdt = coalesce($2, four_eyes_usdt),
              hourly_count = coalesce($3, hourly_count), median_factor = coalesce($4, median_factor)
            WHERE coalesce($2, four_eyes_usdt)::numeric >= coalesce($1, approval_usdt)::numeric
            RETURNING approval_usdt, four_eyes_usdt, hourly_count, median_factor`,
      parameters: [wish.approval_usdt, wish.four_eyes_usdt, wish.hourly_count, wish.median_factor].map(
        (value) => value ?? null,
      ),
    }),
    fraudulent: (): Promise<FraudulentAddress[]> =>
      database.query<FraudulentAddress>(
        `SELECT ${addressColumns} FROM fraudulent_addresses ORDER BY id DESC LIMIT 1000`,
      ),
    async isFraudulent(networks: readonly NetworkName[], address: string): Promise<boolean> {
      const rows = await database.query(
        'SELECT id FROM fraudulent_addresses WHERE network = ANY ($1::text[]) AND address = $2 LIMIT 1',
        [networks, address],
      );
      return rows.length > 0;
    },
    /** For a transaction. Answers what is there then, and whether it is new; the note of one that was there stays. */
    adding,
    /** By the exchange itself. */
    async add(entry: Omit<FraudulentAddress, 'id'>): Promise<void> {
      await database.transaction([adding(entry)]);
    },
    /** For a transaction. */
    removing: (id: number): Statement => ({
      sql: 'DELETE FROM fraudulent_addresses WHERE id = $1 RETURNING id',
      parameters: [id],
    }),
  };
}

export type PolicyStore = ReturnType<typeof createPolicyStore>;
