/** Transfers at rest: what was reserved, who has confirmed it, and what was decided. */
import type { WitnessName } from '@cambist/contract/transfers.ts';
import { Wallet } from '@cambist/core/ledger/account.ts';
import { TRANSFERABLE_WALLETS } from '@cambist/core/ledger/wallet-lists.ts';
import type { TransferableWallet } from '@cambist/core/ledger/wallets.ts';
import type { Database, Parameter, Statement } from '../../platform/database.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';

const nameOf = (wallet: number) => TRANSFERABLE_WALLETS.find(({ number }) => number === wallet)!.name;

export const TRANSFER_STATES = ['PENDING', 'COMPLETED', 'REVERSED'] as const;

export type TransferState = (typeof TRANSFER_STATES)[number];
export type Decision = '' | 'post' | 'void';
export type Reversal = '' | 'MISMATCH' | 'NOT_CONFIRMED';

/** Ms since 1970 by witness. */
export type Confirmed = Readonly<Partial<Record<WitnessName, number>>>;

export interface Transfer {
  readonly id: number;
  readonly owner: number;
  readonly from: TransferableWallet;
  readonly to: TransferableWallet;
  readonly asset: number;
  /** Smallest units. */
  readonly amount: bigint;
  readonly batch: number;
  readonly required: number;
  readonly confirmed: Confirmed;
  readonly decision: Decision;
  readonly reason: Reversal;
  readonly state: TransferState;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What a transfer is before anything has confirmed it. */
export type NewTransfer = Omit<Transfer, 'confirmed' | 'decision' | 'reason' | 'state' | 'updatedAt'>;

type Row = {
  readonly id: number;
  readonly owner: number;
  readonly from_wallet: number;
  readonly to_wallet: number;
  readonly asset: number;
  readonly amount: bigint;
  readonly batch: number;
  readonly required: number;
  readonly confirmed: string;
  readonly decision: Decision;
  readonly reason: Reversal;
  readonly state: number;
  readonly created_at: number;
  readonly updated_at: number;
};

const columns = `id, owner, from_wallet::int4, to_wallet::int4, asset, amount::numeric, batch, required::int4,
  confirmed::text, decision, reason, state::int4, created_at, updated_at`;

function transferOf(row: Row): Transfer {
  return {
    id: row.id,
    owner: row.owner,
    from: nameOf(row.from_wallet),
    to: nameOf(row.to_wallet),
    asset: row.asset,
    amount: row.amount,
    batch: row.batch,
    required: row.required,
    confirmed: JSON.parse(row.confirmed) as Confirmed,
    decision: row.decision,
    reason: row.reason,
    state: TRANSFER_STATES[row.state] as TransferState,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export interface ListFilter {
  readonly owner: number;
  readonly before: number | undefined;
  readonly limit: number;
  readonly state: TransferState | undefined;
}

export function createTransferStore(database: Database) {
  async function read(sql: string, parameters: readonly Parameter[]): Promise<Transfer[]> {
    return (await database.query<Row>(sql, parameters)).map(transferOf);
  }

  return {
    /** Writing the same transfer again changes nothing. */
    async add(transfer: NewTransfer): Promise<void> {
      const { id, owner, from, to, asset, amount, batch, required, createdAt } = transfer;
      await database.query(
        `INSERT INTO transfers (id, owner, from_wallet, to_wallet, asset, amount, batch, required, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) ON CONFLICT (id) DO NOTHING`,
        [id, owner, Wallet[from], Wallet[to], asset, amount, batch, required, createdAt],
      );
    },

    async find(owner: number, id: number): Promise<Transfer | undefined> {
      const [transfer] = await read(`SELECT ${columns} FROM transfers WHERE id = $1 AND owner = $2`, [id, owner]);
      return transfer;
    },

    /** Newest first. */
    list: ({ owner, before, limit, state }: ListFilter) =>
      read(
        `SELECT ${columns} FROM transfers
         WHERE owner = $1 AND id < $2 AND ($3::int4 IS NULL OR state = $3)
         ORDER BY id DESC LIMIT $4`,
        [owner, before ?? Number.MAX_SAFE_INTEGER, state === undefined ? null : TRANSFER_STATES.indexOf(state), limit],
      ),

    /** Oldest first. */
    pending: () => read(`SELECT ${columns} FROM transfers WHERE state = 0 ORDER BY id`, []),

    async confirm(id: number, confirmed: Confirmed, now: number): Promise<void> {
      await database.query(
        'UPDATE transfers SET confirmed = confirmed || $2::text::jsonb, updated_at = $3 WHERE id = $1 AND state = 0',
        [id, JSON.stringify(confirmed), now],
      );
    },

    /** The first decision holds. */
    async decide(id: number, decision: 'post' | 'void', reason: Reversal, now: number): Promise<void> {
      await database.query(
        `UPDATE transfers SET decision = $2, reason = $3, updated_at = $4 WHERE id = $1 AND decision = ''`,
        [id, decision, reason, now],
      );
    },

    /** @param tell makes it a part of the statement that tells of it */
    async end(
      id: number,
      state: 'COMPLETED' | 'REVERSED',
      now: number,
      tell: (change: Statement) => Statement = (change) => change,
    ): Promise<void> {
      const { sql, parameters } = tell({
        sql: 'UPDATE transfers SET state = $2, updated_at = $3 WHERE id = $1 AND state = 0 RETURNING id',
        parameters: [id, TRANSFER_STATES.indexOf(state), now],
      });
      await database.query(sql, parameters);
    },
  };
}

/** The books themselves stay, and so does what names their rows. */
export const transferTables: PersonalTables = {
  exported: {
    transfers: `SELECT id, from_wallet, to_wallet, asset, amount::text, state, reason, created_at, updated_at
                FROM transfers WHERE owner = $1 ORDER BY id`,
  },
  erased: [],
};

export type TransferStore = ReturnType<typeof createTransferStore>;
