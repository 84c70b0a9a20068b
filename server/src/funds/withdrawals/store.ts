/** Withdrawals as they are read: by clients, by operators, and by what brings them on. */
import type { ReviewReason } from '@cambist/contract/admin-withdrawals.ts';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { WithdrawalStage } from '@cambist/contract/withdrawals.ts';
import type { Database, Parameter } from '../../platform/database.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';
import type { LocalizedText } from '../../platform/texts.ts';
import type { TimesAhead } from '../../platform/times-ahead.ts';

/** A text of ours, or an operator's own words. */
export type Said = LocalizedText | { readonly words: string };

export interface Withdrawal {
  readonly id: number;
  readonly owner: number;
  readonly coin: string;
  readonly asset: number;
  readonly network: NetworkName;
  /** Canonical. */
  readonly address: string;
  /** Smallest units of the ledger, as is the fee that is part of it. */
  readonly amount: bigint;
  readonly fee: bigint;
  /** Smallest units of the quote asset. */
  readonly worth: bigint;
  /** The client whose deposit address it is. */
  readonly receiver: number | null;
  readonly stage: WithdrawalStage;
  readonly decision: '' | 'post' | 'void';
  readonly transfer: number | null;
  readonly reasons: readonly ReviewReason[];
  readonly approvalsRequired: number;
  readonly reason: Said | null;
  readonly transaction: string | null;
  readonly confirmations: number;
  readonly confirmationsRequired: number;
  readonly requestedAt: number;
  readonly updatedAt: number;
}

export type Actor = 'CLIENT' | 'EXCHANGE' | 'OPERATOR' | 'CHAIN';

export interface WithdrawalEvent {
  readonly stage: WithdrawalStage;
  readonly at: number;
  readonly actor: Actor;
  readonly detail: Said;
}

/** Those that may still change. */
export const OPEN_STAGES = ['REQUESTED', 'APPROVAL', 'APPROVED', 'SIGNING', 'BROADCAST', 'CONFIRMED'] as const;
/** Those in which nothing has left yet. */
export const CANCELLABLE = ['APPROVAL', 'APPROVED'] as const;
/** Those in which a payout is followed. */
export const LEAVING = ['SIGNING', 'BROADCAST', 'CONFIRMED'] as const;

const inList = (stages: readonly string[]) => stages.map((stage) => `'${stage}'`).join(', ');

export const columns = `id, owner, coin, asset, network, address, amount::numeric, fee::numeric, worth::numeric, receiver,
  stage, decision, transfer, array_to_string(reasons, ',') AS reasons, approvals_required, reason::text, transaction,
  confirmations, confirmations_required, requested_at, updated_at`;

type Row = Omit<
  Withdrawal,
  'reasons' | 'reason' | 'approvalsRequired' | 'confirmationsRequired' | 'requestedAt' | 'updatedAt'
> & {
  readonly reasons: string;
  readonly reason: string | null;
  readonly approvals_required: number;
  readonly confirmations_required: number;
  readonly requested_at: number;
  readonly updated_at: number;
};

export function withdrawalOf(row: Row): Withdrawal {
  const { reasons, reason, approvals_required, confirmations_required, requested_at, updated_at, ...facts } = row;
  return {
    ...facts,
    reasons: reasons === '' ? [] : (reasons.split(',') as ReviewReason[]),
    reason: reason === null ? null : (JSON.parse(reason) as Said),
    approvalsRequired: approvals_required,
    confirmationsRequired: confirmations_required,
    requestedAt: requested_at,
    updatedAt: updated_at,
  };
}

export interface ListFilter {
  readonly owner: number;
  readonly before: number | undefined;
  readonly limit: number;
  readonly coin: string | undefined;
}

/** An address that coins were sent to. */
export type PaidAddress = {
  readonly coin: string;
  readonly network: NetworkName;
  readonly address: string;
  readonly used_at: number;
};

/** Looked at in one round at most; the next round goes on with those that are left. */
const ROUND = 1000;
const ADDRESSES = 100;

function createLists(database: Database) {
  async function read(sql: string, parameters: readonly Parameter[] = []): Promise<Withdrawal[]> {
    return (await database.query<Row>(sql, parameters)).map(withdrawalOf);
  }

  return {
    async find(id: number): Promise<Withdrawal | undefined> {
      const [found] = await read(`SELECT ${columns} FROM withdrawals WHERE id = $1`, [id]);
      return found;
    },
    /** What a client's key has led to, with what was asked under it. */
    async byIntent(owner: number, key: string): Promise<{ withdrawal: Withdrawal; fingerprint: string } | undefined> {
      const [row] = await database.query<Row & { intent: string }>(
        `SELECT ${columns}, intent FROM withdrawals WHERE owner = $1 AND intent_key = $2`,
        [owner, key],
      );
      if (row === undefined) return undefined;
      const { intent, ...facts } = row;
      return { withdrawal: withdrawalOf(facts as Row), fingerprint: intent };
    },
    byIds: (ids: readonly number[]) => read(`SELECT ${columns} FROM withdrawals WHERE id = ANY ($1::int8[])`, [ids]),
    /** Newest first. */
    list: ({ owner, before, limit, coin }: ListFilter) =>
      read(
        `SELECT ${columns} FROM withdrawals WHERE owner = $1 AND id < $2 AND ($3::text IS NULL OR coin = $3)
         ORDER BY id DESC LIMIT $4`,
        [owner, before ?? Number.MAX_SAFE_INTEGER, coin ?? null, limit],
      ),
    /** Of all clients, newest first. */
    listAll: (before: number | undefined, limit: number, stage: WithdrawalStage | undefined) =>
      read(
        `SELECT ${columns} FROM withdrawals WHERE id < $1 AND ($2::text IS NULL OR stage = $2)
         ORDER BY id DESC LIMIT $3`,
        [before ?? Number.MAX_SAFE_INTEGER, stage ?? null, limit],
      ),
    /** Above an id, oldest first. */
    openAfter: (id: number) =>
      read(
        `SELECT ${columns} FROM withdrawals
         WHERE id > $1 AND stage IN (${inList(OPEN_STAGES)}) AND stage <> 'APPROVAL' ORDER BY id LIMIT ${ROUND}`,
        [id],
      ),
    /** Those of a client that wait. */
    waitingOf: (owner: number) =>
      read(`SELECT ${columns} FROM withdrawals WHERE owner = $1 AND stage IN (${inList(CANCELLABLE)})`, [owner]),
  };
}

function createSums(database: Database) {
  return {
    /** Worth of what a client has asked to withdraw since a moment, without what came back. */
    async usedSince(owner: number, since: number): Promise<bigint> {
      const [row] = await database.query<{ used: bigint }>(
        `SELECT coalesce(sum(worth), 0)::numeric AS used FROM withdrawals
         WHERE owner = $1 AND requested_at > $2 AND stage NOT IN ('REFUSED', 'CANCELLED', 'FAILED')`,
        [owner, since],
      );
      return row?.used ?? 0n;
    },
    /** When the oldest of what counts since a moment was requested; null where nothing does. */
    async oldestSince(owner: number, since: number): Promise<number | null> {
      const [row] = await database.query<{ oldest: number | null }>(
        `SELECT min(requested_at) AS oldest FROM withdrawals
         WHERE owner = $1 AND requested_at > $2 AND worth > 0 AND stage NOT IN ('REFUSED', 'CANCELLED', 'FAILED')`,
        [owner, since],
      );
      return row?.oldest ?? null;
    },
    async countSince(owner: number, since: number): Promise<number> {
      const [row] = await database.query<{ count: number }>(
        'SELECT count(*) AS count FROM withdrawals WHERE owner = $1 AND requested_at > $2',
        [owner, since],
      );
      return row?.count ?? 0;
    },
    /** Worth of the settled ones, newest first. */
    async settledWorths(owner: number, limit: number): Promise<bigint[]> {
      const rows = await database.query<{ worth: bigint }>(
        `SELECT worth::numeric FROM withdrawals WHERE owner = $1 AND stage = 'SETTLED' ORDER BY id DESC LIMIT $2`,
        [owner, limit],
      );
      return rows.map(({ worth }) => worth);
    },
    /** Whether anything of the client has arrived there. */
    async isPaid(owner: number, network: NetworkName, address: string): Promise<boolean> {
      const rows = await database.query(
        `SELECT id FROM withdrawals WHERE owner = $1 AND network = $2 AND address = $3 AND stage = 'SETTLED' LIMIT 1`,
        [owner, network, address],
      );
      return rows.length > 0;
    },
    /** Those that coins were sent to, last used first. */
    paidAddresses: (owner: number): Promise<PaidAddress[]> =>
      database.query<PaidAddress>(
        `SELECT coin, network, address, max(requested_at) AS used_at FROM withdrawals
         WHERE owner = $1 AND stage NOT IN ('REFUSED', 'CANCELLED', 'FAILED')
         GROUP BY coin, network, address ORDER BY used_at DESC LIMIT ${ADDRESSES}`,
        [owner],
      ),
    /** Open ones by stage, and when the oldest was requested. */
    openCounts: (): Promise<{ stage: WithdrawalStage; count: number; oldest: number }[]> =>
      database.query(
        `SELECT stage, count(*) AS count, min(requested_at) AS oldest FROM withdrawals
         WHERE stage IN (${inList(OPEN_STAGES)}) GROUP BY stage`,
      ),
  };
}

export function createWithdrawalStore(database: Database) {
  return {
    ...createLists(database),
    ...createSums(database),

    /** Oldest first, of several withdrawals. */
    async events(ids: readonly number[]): Promise<(WithdrawalEvent & { readonly withdrawal: number })[]> {
      const rows = await database.query<Omit<WithdrawalEvent, 'detail'> & { withdrawal: number; detail: string }>(
        `SELECT withdrawal, stage, at, actor, detail::text FROM withdrawal_events
         WHERE withdrawal = ANY ($1::int8[]) ORDER BY id`,
        [ids],
      );
      return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as Said }));
    },
    approvals: (ids: readonly number[]): Promise<{ withdrawal: number; operator: number; at: number }[]> =>
      database.query(
        'SELECT withdrawal, operator, at FROM withdrawal_approvals WHERE withdrawal = ANY ($1::int8[]) ORDER BY at, operator',
        [ids],
      ),
  };
}

export type WithdrawalStore = ReturnType<typeof createWithdrawalStore>;

/** The books stay, and what names their rows: law on money laundering asks where coins went. */
export const withdrawalTables: PersonalTables = {
  exported: {
    withdrawals: `SELECT id, coin, network, address, amount::text, fee::text, stage, transaction, requested_at, updated_at
                  FROM withdrawals WHERE owner = $1 ORDER BY id`,
    withdrawal_events: `SELECT withdrawal, withdrawal_events.stage, at, actor FROM withdrawal_events
                        JOIN withdrawals ON withdrawals.id = withdrawal WHERE owner = $1 ORDER BY withdrawal_events.id`,
  },
  erased: [],
};

/** They count for the limits of a day. */
export const withdrawalTimes: readonly TimesAhead[] = [
  {
    name: 'withdrawals',
    table: 'withdrawals',
    where: 'greatest(requested_at, updated_at) > $1',
    set: 'requested_at = least(requested_at, $1), updated_at = $1',
  },
];
