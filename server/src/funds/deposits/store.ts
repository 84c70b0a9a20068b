/** Deposits as clients and operators read them. */
import type { DepositState, NetworkName } from '@cambist/contract/deposits.ts';
import type { Database, Parameter } from '../../platform/database.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';

export interface Deposit {
  readonly id: number;
  readonly owner: number;
  readonly coin: string;
  readonly asset: number;
  readonly network: NetworkName;
  /** Canonical. */
  readonly address: string;
  readonly transaction: string;
  /** Smallest units of the ledger. */
  readonly amount: bigint;
  readonly state: DepositState;
  /** Of its block as the chain is now; 0 while it is in none. */
  readonly confirmations: number;
  readonly seenAt: number;
  readonly updatedAt: number;
}

type Row = {
  readonly id: number;
  readonly owner: number;
  readonly coin: string;
  readonly asset: number;
  readonly network: NetworkName;
  readonly address: string;
  readonly transaction: string;
  readonly amount: bigint;
  readonly state: DepositState;
  readonly confirmations: number;
  readonly seen_at: number;
  readonly updated_at: number;
};

const SELECT = `SELECT deposits.id, owner, coin, asset, deposits.network, address, transaction, amount::numeric, state,
    coalesce(greatest(0, chain_cursors.height - deposits.height + 1), 0) AS confirmations, seen_at, deposits.updated_at
  FROM deposits JOIN chain_cursors ON chain_cursors.network = deposits.network`;

/** What came to an address of a client and is not credited by itself. */
export type Unlisted = {
  readonly network: NetworkName;
  readonly transaction: string;
  readonly address: string;
  readonly owner: number;
  readonly contract: string;
  readonly units: bigint;
  readonly seen_at: number;
};

const PUSHED = 1000;
const LATELY_BLOCKS = 32;

const depositOf = ({ seen_at: seenAt, updated_at: updatedAt, ...row }: Row): Deposit => ({ ...row, seenAt, updatedAt });

export interface ListFilter {
  readonly owner: number;
  readonly before: number | undefined;
  readonly limit: number;
  readonly coin: string | undefined;
}

/** What withdrawals and the treasury ask of deposits. */
function createHoldings(database: Database) {
  return {
    /**
     * What was credited and may not leave yet, by asset. A credit counts from the moment at which it is on its way to the
     * ledger: what is read after a balance has all that the balance holds.
     */
    async locked(owner: number): Promise<ReadonlyMap<number, bigint>> {
      const rows = await database.query<{ asset: number; amount: bigint }>(
        `SELECT asset, sum(amount)::numeric AS amount FROM (
           SELECT asset, amount FROM deposits WHERE owner = $1 AND state = 'CREDITED'
           UNION ALL
           SELECT asset, amount FROM deposit_movements WHERE owner = $1 AND source = 1 AND NOT is_done
         ) AS locked GROUP BY asset`,
        [owner],
      );
      return new Map(rows.map(({ asset, amount }) => [asset, amount]));
    },

    async hasDebt(owner: number): Promise<boolean> {
      return (await database.query('SELECT asset FROM deposit_debts WHERE owner = $1 LIMIT 1', [owner])).length > 0;
    },

    /** Newest first. */
    unlisted: (limit: number): Promise<Unlisted[]> =>
      database.query<Unlisted>(
        `SELECT network, transaction, address, owner, contract, units, seen_at FROM unlisted_deposits
         ORDER BY seen_at DESC, network, transaction, output LIMIT $1`,
        [limit],
      ),

    /** Smallest units of chains at the addresses of clients, of what was credited and is in its chain. */
    held: (): Promise<{ network: NetworkName; coin: string; units: bigint }[]> =>
      database.patient.query(
        `SELECT network, coin, sum(units)::numeric AS units FROM deposits
         WHERE state IN ('CREDITED', 'UNLOCKED') AND height IS NOT NULL GROUP BY network, coin`,
      ),
  };
}

export function createDepositStore(database: Database) {
  async function read(sql: string, parameters: readonly Parameter[]): Promise<Deposit[]> {
    return (await database.query<Row>(sql, parameters)).map(depositOf);
  }

  return {
    ...createHoldings(database),

    async find(owner: number, id: number): Promise<Deposit | undefined> {
      const [deposit] = await read(`${SELECT} WHERE deposits.id = $1 AND owner = $2`, [id, owner]);
      return deposit;
    },

    /** Newest first. */
    list: ({ owner, before, limit, coin }: ListFilter) =>
      read(
        `${SELECT} WHERE owner = $1 AND deposits.id < $2 AND ($3::text IS NULL OR coin = $3)
         ORDER BY deposits.id DESC LIMIT $4`,
        [owner, before ?? Number.MAX_SAFE_INTEGER, coin ?? null, limit],
      ),

    byIds: (ids: readonly number[]) => read(`${SELECT} WHERE deposits.id = ANY ($1::int8[])`, [ids]),

    /**
     * What confirms on a network, and what has lately come and was too little: the newest first, up to a number that can be
     * pushed at each block.
     */
    async open(network: NetworkName): Promise<Deposit[]> {
      const those = (which: string) =>
        read(`${SELECT} WHERE deposits.network = $1 AND ${which} ORDER BY deposits.id DESC LIMIT ${PUSHED}`, [network]);
      const confirming = await those(`state IN ('SEEN', 'CREDITED')`);
      const below = await those(
        `state = 'BELOW_MINIMUM' AND deposits.height > chain_cursors.height - ${LATELY_BLOCKS}`,
      );
      return [...confirming, ...below];
    },
  };
}

export type DepositStore = ReturnType<typeof createDepositStore>;

/** The ledger's books stay, and so does what names their rows: an address is never given to another client. */
export const depositTables: PersonalTables = {
  exported: {
    deposit_addresses: 'SELECT family, address, created_at FROM deposit_addresses WHERE client_id = $1',
    deposits: `SELECT id, coin, network, address, transaction, units::text, amount::text, state, seen_at, updated_at
               FROM deposits WHERE owner = $1 ORDER BY id`,
    unlisted_deposits: `SELECT network, address, transaction, contract, units::text, seen_at
                        FROM unlisted_deposits WHERE owner = $1 ORDER BY seen_at`,
  },
  erased: [],
};
