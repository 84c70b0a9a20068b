/** What changes a withdrawal. Every change asks for the stage that it is from, in the transaction that makes it. */
import type { WithdrawalStage } from '@cambist/contract/withdrawals.ts';
import { type Authority, holdAuthority } from '../../platform/authority.ts';
import { ConditionFailed, ConstraintViolation, type Database, type Statement } from '../../platform/database.ts';
import type { IntentKey } from '../../platform/intent.ts';
import { type Actor, columns, type Said, type Withdrawal, withdrawalOf } from './store.ts';

export type NewWithdrawal = Omit<
  Withdrawal,
  | ('id' | 'owner' | 'stage' | 'decision' | 'transfer' | 'reason')
  | ('transaction' | 'confirmations' | 'requestedAt' | 'updatedAt')
>;

/** In smallest units of the quote asset; null where there is no such limit. */
export interface Limits {
  readonly day: bigint;
  readonly own: bigint | null;
  /** Without a code. */
  readonly unproven: bigint | null;
  /** Within an hour. */
  readonly count: number;
}

export type LimitName = 'day' | 'own' | 'one-step' | 'hourly';
export type Adding =
  | { readonly kind: 'added'; readonly withdrawal: Withdrawal }
  | { readonly kind: 'limit'; readonly limit: LimitName }
  /** The code was used by another request. */
  | { readonly kind: 'wrong-code' }
  | { readonly kind: 'restricted' }
  | { readonly kind: 'debt' }
  /** The key was used by another request, at the same time. */
  | { readonly kind: 'key-taken' };

export interface Request {
  readonly by: Authority;
  readonly withdrawal: NewWithdrawal;
  readonly limits: Limits;
  readonly intent: IntentKey | undefined;
  /** What else must hold. */
  readonly conditions: readonly Statement[];
  readonly detail: Said;
  readonly now: number;
}

export interface Change {
  readonly id: number;
  readonly from: readonly WithdrawalStage[];
  readonly to: WithdrawalStage;
  /** That of before; '' for all but those that a decision brings about. */
  readonly decided?: Withdrawal['decision'];
  readonly decision?: 'post' | 'void';
  readonly transfer?: number;
  readonly reason?: Said;
  readonly transaction?: string | null;
  readonly confirmations?: number;
  /** Nothing was taken: the client's key may be used for another attempt. */
  readonly freesKey?: boolean;
  readonly actor: Actor;
  readonly actorId?: number;
  /** Absent: nothing that is worth an entry has happened. */
  readonly detail?: Said;
  readonly now: number;
  /** Before it: what must hold. */
  readonly conditions?: readonly Statement[];
  /** After it: what is done with it. */
  readonly effects?: readonly Statement[];
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const LIMITS: readonly string[] = ['day', 'own', 'one-step', 'hourly'] satisfies LimitName[];

function addStatement({ by, withdrawal, intent, detail, now }: Request): Statement {
  return {
    sql: `WITH added AS (
            INSERT INTO withdrawals (owner, coin, asset, network, address, amount, fee, worth, receiver, stage, reasons,
              approvals_required, confirmations_required, intent_key, intent, requested_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'REQUESTED', $10::text[], $11, $12, $13, $14, $15, $15)
            RETURNING *
          ), noted AS (
            INSERT INTO withdrawal_events (withdrawal, stage, at, actor, actor_id, detail)
            SELECT id, stage, $15, 'CLIENT', owner, $16::text::jsonb FROM added
          )
          SELECT ${columns} FROM added`,
    parameters: [
      ...[by.clientId, withdrawal.coin, withdrawal.asset, withdrawal.network, withdrawal.address, withdrawal.amount],
      ...[withdrawal.fee, withdrawal.worth, withdrawal.receiver, withdrawal.reasons, withdrawal.approvalsRequired],
      ...[withdrawal.confirmationsRequired, intent?.key ?? null, intent?.fingerprint ?? null, now],
      JSON.stringify(detail),
    ],
  };
}

function limitStatement({ by, withdrawal, limits, now }: Request): Statement {
  return {
    sql: 'SELECT hold_withdrawal_limits($1, $2, $3, $4, $5, $6, $7, $8)',
    parameters: [
      ...[by.clientId, withdrawal.worth, now - DAY_MS, now - HOUR_MS],
      ...[limits.day, limits.own, limits.unproven, limits.count],
    ],
  };
}

const eventStatement = (change: Change): Statement => ({
  sql: `INSERT INTO withdrawal_events (withdrawal, stage, at, actor, actor_id, detail)
        VALUES ($1, $2, $3, $4, $5, $6::text::jsonb)`,
  parameters: [
    ...[change.id, change.to, change.now, change.actor, change.actorId ?? null],
    JSON.stringify(change.detail ?? {}),
  ],
});

const changeStatement = (change: Change): Statement => ({
  sql: `UPDATE withdrawals SET stage = $2, decision = coalesce($3, decision), transfer = coalesce($4, transfer),
          reason = coalesce($5::text::jsonb, reason), transaction = coalesce($6, transaction),
          confirmations = coalesce($7, confirmations), updated_at = $8,
          intent_key = CASE WHEN $9 THEN NULL ELSE intent_key END
        WHERE id = $1 RETURNING ${columns}`,
  parameters: [
    ...[change.id, change.to, change.decision ?? null, change.transfer ?? null],
    change.reason === undefined ? null : JSON.stringify(change.reason),
    ...[change.transaction ?? null, change.confirmations ?? null, change.now, change.freesKey ?? false],
  ],
});

/** The client's row, where it is kept, comes before the withdrawal's in every transaction, so that none wait for each other. */
const holdStatement = ({ id, from, decided = '' }: Change): Statement => ({
  sql: 'SELECT hold_withdrawal($1, $2::text[], $3)',
  parameters: [id, from, decided],
});

export function createStageStore(database: Database) {
  return {
    /** Writes a withdrawal down if nothing stands in the way: of many at once, none exceeds a limit. */
    async add(request: Request): Promise<Adding> {
      try {
        const rows = await database.transaction([
          holdAuthority(request.by),
          ...request.conditions,
          limitStatement(request),
          addStatement(request),
        ]);
        const row = rows.at(-1)?.[0];
        if (row === undefined) throw new Error('A withdrawal was added without a row');
        return { kind: 'added', withdrawal: withdrawalOf(row as Parameters<typeof withdrawalOf>[0]) };
      } catch (error) {
        if (error instanceof ConstraintViolation && error.constraint === 'withdrawals_by_intent') {
          return { kind: 'key-taken' };
        }
        if (!(error instanceof ConditionFailed)) throw error;
        const { condition } = error;
        if (LIMITS.includes(condition)) return { kind: 'limit', limit: condition as LimitName };
        if (condition === 'code') return { kind: 'wrong-code' };
        if (condition === 'restricted' || condition === 'debt') return { kind: condition };
        throw error;
      }
    },

    /** @returns the withdrawal as it is now, or the condition that did not hold: `stage` where something else was first */
    async move(change: Change): Promise<Withdrawal | string> {
      const held = [...(change.conditions ?? []), holdStatement(change)];
      const effects = [...(change.detail === undefined ? [] : [eventStatement(change)]), ...(change.effects ?? [])];
      try {
        const rows = await database.transaction([...held, changeStatement(change), ...effects]);
        const row = rows[held.length]?.[0];
        if (row === undefined) throw new Error(`Withdrawal ${change.id} is held and not there`);
        return withdrawalOf(row as Parameters<typeof withdrawalOf>[0]);
      } catch (error) {
        if (error instanceof ConditionFailed) return error.condition;
        throw error;
      }
    },

    /** Of how many operators approve; the last one that is needed lets it go on. */
    async approve(id: number, by: Authority, detail: Said, now: number): Promise<Withdrawal | 'stage' | 'twice'> {
      const facts = { id, from: ['APPROVAL'], to: 'APPROVAL', actor: 'OPERATOR', actorId: by.clientId } as const;
      try {
        const rows = await database.transaction([
          holdAuthority(by),
          holdStatement({ ...facts, now }),
          {
            sql: 'INSERT INTO withdrawal_approvals (withdrawal, operator, at) VALUES ($1, $2, $3)',
            parameters: [id, by.clientId, now],
          },
          eventStatement({ ...facts, detail, now }),
          {
            sql: `UPDATE withdrawals SET updated_at = $2, stage = CASE WHEN approvals_required <=
                    (SELECT count(*) FROM withdrawal_approvals WHERE withdrawal = $1) THEN 'APPROVED' ELSE stage END
                  WHERE id = $1 RETURNING ${columns}`,
            parameters: [id, now],
          },
        ]);
        return withdrawalOf(rows.at(-1)?.[0] as Parameters<typeof withdrawalOf>[0]);
      } catch (error) {
        if (error instanceof ConditionFailed && error.condition === 'stage') return 'stage';
        if (error instanceof ConstraintViolation) return 'twice';
        throw error;
      }
    },
  };
}

export type StageStore = ReturnType<typeof createStageStore>;
