/** Deposits as clients and operators read them. */
import type { DepositState, NetworkName } from '@cambist/contract/deposits.ts';
import type { Database, Parameter, Statement } from '../../platform/database.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';
import { familyOf, type PayerCoin } from '../chains/service.ts';
import { createHeldCoins, sweeping } from './coin-store.ts';

export interface Deposit {
  readonly id: number;
  readonly owner: number;
  readonly coin: string;
  readonly asset: number;
  readonly network: NetworkName;
  /** Canonical. */
  readonly address: string;
  /** Null for what another client has sent: no chain has seen it. */
  readonly transaction: string | null;
  /** Smallest units of the ledger. */
  readonly amount: bigint;
  readonly state: DepositState;
  /** Of its block as the chain is now; 0 while it is in none. */
  readonly confirmations: number;
  readonly seenAt: number;
  readonly updatedAt: number;
}

type Row = Omit<Deposit, 'seenAt' | 'updatedAt'> & { readonly seen_at: number; readonly updated_at: number };

const SELECT = `SELECT deposits.id, owner, coin, asset, deposits.network, address, transaction, amount::numeric, state,
    coalesce(greatest(0, chain_cursors.height - deposits.height + 1), 0) AS confirmations, seen_at, deposits.updated_at
  FROM deposits JOIN chain_cursors ON chain_cursors.network = deposits.network`;

/** What other clients have sent, with the same columns. */
const SELECT_RECEIPTS = `SELECT id, owner, coin, asset, network, address, NULL AS transaction, amount::numeric, 'UNLOCKED' AS state,
    0 AS confirmations, received_at AS seen_at, received_at AS updated_at
  FROM internal_receipts`;

/** What a client has sent to another one. */
export interface Receipt extends Pick<Deposit, 'owner' | 'coin' | 'asset' | 'network' | 'address' | 'amount'> {
  /** The sender's. */
  readonly withdrawal: number;
}

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

/** An address of a client, and how much may leave it. */
export type Holder = { readonly address: string; readonly index: number; readonly units: bigint };

/** What has come to an address of a client, or left it, but by deposits; smallest units of the chain. */
export interface AddressChange {
  readonly network: NetworkName;
  readonly coin: string;
  readonly address: string;
  readonly units: bigint;
  /** What it has spent of deposits, on a chain of outputs. */
  readonly spent?: readonly Pick<PayerCoin, 'transaction' | 'output'>[];
}

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

    /** Newest first. */
    unlisted: (limit: number): Promise<Unlisted[]> =>
      database.query<Unlisted>(
        `SELECT network, transaction, address, owner, contract, units, seen_at FROM unlisted_deposits
         ORDER BY seen_at DESC, network, transaction, output LIMIT $1`,
        [limit],
      ),
  };
}

const addressFigures = (changes: readonly AddressChange[]) => [
  changes.map(({ network }) => network),
  changes.map(({ coin }) => coin),
  changes.map(({ address }) => address),
  changes.map(({ units }) => String(units)),
];

/** What is at the addresses of clients. The table of deposits keeps both sums with whatever changes it. */
function createAddressSums(database: Database) {
  return {
    /** Smallest units of chains at the addresses of clients, of what was credited and is in its chain, less what was swept. */
    held: (): Promise<{ network: NetworkName; coin: string; units: bigint }[]> =>
      database.patient.query(
        'SELECT network, coin, sum(units)::numeric AS units FROM deposit_sums GROUP BY network, coin',
      ),

    /** Makes one row for each coin of those that were added. */
    async fold(): Promise<void> {
      await database.patient.query(
        `WITH gone AS (DELETE FROM deposit_sums RETURNING network, coin, units)
         INSERT INTO deposit_sums (network, coin, units)
         SELECT network, coin, sum(units) FROM gone GROUP BY network, coin`,
      );
    },

    /** For the transaction that ends what has moved it. */
    moved(changes: readonly AddressChange[]): Statement[] {
      const parameters = addressFigures(changes);
      const rows = `FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS row (network, coin, address, units)`;
      const sum = 'sum(units::numeric)';
      if (changes.length === 0) return [];
      return [
        ...changes.flatMap(({ network, spent = [] }) => sweeping(network, spent)),
        {
          sql: `INSERT INTO deposit_sums (network, coin, units)
                SELECT network, coin, ${sum} ${rows} GROUP BY network, coin`,
          parameters,
        },
        {
          sql: `INSERT INTO deposit_holdings (network, coin, address, units)
                SELECT network, coin, address, ${sum} ${rows} GROUP BY network, coin, address ORDER BY network, coin, address
                ON CONFLICT (network, coin, address) DO UPDATE SET units = deposit_holdings.units + excluded.units`,
          parameters,
        },
      ];
    },

    /** Addresses from which at least so much of a coin may leave, those with the most first. */
    holders: (network: NetworkName, coin: string, least: bigint, limit: number): Promise<Holder[]> =>
      database.query<Holder>(
        `SELECT deposit_holdings.address, key_index AS "index", units
         FROM deposit_holdings JOIN deposit_addresses ON deposit_addresses.address = deposit_holdings.address AND family = $5
           JOIN deposit_keys ON deposit_keys.client_id = deposit_addresses.client_id
         WHERE network = $1 AND coin = $2 AND units >= $3::text::numeric AND units > 0 ORDER BY units DESC LIMIT $4`,
        [network, coin, String(least), limit, familyOf(network)],
      ),

    /** What may leave addresses and is there. @param moving what is in blocks, and not in the account yet */
    holdings: (
      moving: readonly AddressChange[],
    ): Promise<{ network: NetworkName; coin: string; addresses: number; units: bigint }[]> =>
      database.patient.query(
        `SELECT network, coin, count(*) AS addresses, sum(units + change)::numeric AS units
         FROM (SELECT held.network, held.coin, held.units, coalesce(moving.change, 0) AS change
               FROM deposit_holdings AS held
                 LEFT JOIN (SELECT network, coin, address, sum(units::numeric) AS change
                            FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS row (network, coin, address, units)
                            GROUP BY network, coin, address) AS moving
                   USING (network, coin, address)) AS held
         WHERE units + change > 0 GROUP BY network, coin ORDER BY network, coin`,
        addressFigures(moving),
      ),
  };
}

/** For the transaction that completes it. */
export const receiptStatement = (receipt: Receipt, now: number): Statement => ({
  sql: `INSERT INTO internal_receipts (withdrawal, owner, coin, asset, network, address, amount, received_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
  parameters: [
    ...[receipt.withdrawal, receipt.owner, receipt.coin, receipt.asset, receipt.network, receipt.address],
    ...[receipt.amount, now],
  ],
});

export function createDepositStore(database: Database) {
  async function read(sql: string, parameters: readonly Parameter[]): Promise<Deposit[]> {
    return (await database.query<Row>(sql, parameters)).map(depositOf);
  }

  return {
    ...createHoldings(database),
    ...createAddressSums(database),
    ...createHeldCoins(database),

    async find(owner: number, id: number): Promise<Deposit | undefined> {
      const [deposit] = await read(
        `${SELECT} WHERE deposits.id = $1 AND owner = $2 UNION ALL ${SELECT_RECEIPTS} WHERE id = $1 AND owner = $2`,
        [id, owner],
      );
      return deposit;
    },

    /** What was received by a withdrawal of another client. */
    async received(withdrawal: number): Promise<Deposit | undefined> {
      const [receipt] = await read(`${SELECT_RECEIPTS} WHERE withdrawal = $1`, [withdrawal]);
      return receipt;
    },

    /** Of the chains and of other clients, newest first. */
    list({ owner, before, limit, coin }: ListFilter): Promise<Deposit[]> {
      const page = (select: string, id: string) =>
        `(${select} WHERE owner = $1 AND ${id} < $2 AND ($3::text IS NULL OR coin = $3) ORDER BY ${id} DESC LIMIT $4)`;
      return read(`${page(SELECT, 'deposits.id')} UNION ALL ${page(SELECT_RECEIPTS, 'id')} ORDER BY id DESC LIMIT $4`, [
        owner,
        before ?? Number.MAX_SAFE_INTEGER,
        coin ?? null,
        limit,
      ]);
    },

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
    internal_receipts: `SELECT id, coin, network, address, amount::text, received_at
                        FROM internal_receipts WHERE owner = $1 ORDER BY id`,
    unlisted_deposits: `SELECT network, address, transaction, contract, units::text, seen_at
                        FROM unlisted_deposits WHERE owner = $1 ORDER BY seen_at`,
  },
  // Who owes stays: the transaction that erases fails.
  erased: ['SELECT hold_no_debt($1)'],
};
