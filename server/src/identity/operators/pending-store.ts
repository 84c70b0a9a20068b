/** Changes that loosen a protection, at rest. */
import type { ProtectedFigures, Protection } from '@cambist/contract/pending-changes.ts';
import { type Authority, holdAuthority } from '../../platform/authority.ts';
import { ConstraintViolation, type Database } from '../../platform/database.ts';

export type Figures = ProtectedFigures;

export interface NewChange {
  readonly kind: Protection;
  readonly subject: string;
  readonly before: Figures;
  readonly after: Figures;
  /** What carries it out, as JSON. */
  readonly payload: object;
  readonly reason: string;
}

export type ChangeState = 'WAITING' | 'CONFIRMED' | 'APPLIED' | 'REVOKED' | 'FAILED';

export interface Change extends NewChange {
  readonly id: number;
  readonly asked_by: number;
  readonly asked_at: number;
  readonly effective_at: number | null;
  readonly confirmed_by: number | null;
  readonly state: ChangeState;
  readonly ended_at: number | null;
  readonly failure: string;
}

type Row = Omit<Change, 'before' | 'after' | 'payload'> & {
  readonly before: string;
  readonly after: string;
  readonly payload: string;
};

const columns =
  'id, kind, subject, before, after, payload, reason, asked_by, asked_at, effective_at, confirmed_by, state, ended_at, failure';

const changeOf = ({ before, after, payload, ...row }: Row): Change => ({
  ...row,
  before: JSON.parse(before),
  after: JSON.parse(after),
  payload: JSON.parse(payload),
});

/** What waits and what became of it. */
function createRows(database: Database) {
  return {
    /** @returns undefined where a change of the same thing waits already */
    async add(by: Authority, change: NewChange, now: number, effectiveAt: number | null): Promise<Change | undefined> {
      const { kind, subject, before, after, payload, reason } = change;
      const insert = {
        sql: `INSERT INTO pending_changes
                (kind, subject, before, after, payload, reason, asked_by, asked_at, effective_at, state)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'WAITING') RETURNING ${columns}`,
        parameters: [
          ...[kind, subject, JSON.stringify(before), JSON.stringify(after), JSON.stringify(payload), reason],
          ...[by.clientId, now, effectiveAt],
        ],
      };
      try {
        const [, rows = []] = await database.transaction([holdAuthority(by), insert]);
        return changeOf(rows[0] as Row);
      } catch (error) {
        if (error instanceof ConstraintViolation) return undefined;
        throw error;
      }
    },

    async list(before: number, limit: number): Promise<Change[]> {
      const rows = await database.query<Row>(
        `SELECT ${columns} FROM pending_changes WHERE id < $1 ORDER BY id DESC LIMIT $2`,
        [before, limit],
      );
      return rows.map(changeOf);
    },

    async waiting(): Promise<number> {
      const [row] = await database.query<{ count: number }>(
        `SELECT count(*) AS count FROM pending_changes WHERE state = 'WAITING'`,
      );
      return row?.count ?? 0;
    },

    async find(id: number): Promise<Change | undefined> {
      const [row] = await database.query<Row>(`SELECT ${columns} FROM pending_changes WHERE id = $1`, [id]);
      return row && changeOf(row);
    },
  };
}

/** How a change moves on; each step asks for the state that it is from. */
function createSteps(database: Database) {
  return {
    /** In one step with the check. @returns undefined where it waits no longer, or the same operator has asked for it */
    async confirm(by: Authority, id: number): Promise<Change | undefined> {
      const [, rows = []] = await database.transaction([
        holdAuthority(by),
        {
          sql: `UPDATE pending_changes SET state = 'CONFIRMED', confirmed_by = $2
                WHERE id = $1 AND state = 'WAITING' AND asked_by <> $2 RETURNING ${columns}`,
          parameters: [id, by.clientId],
        },
      ]);
      return rows[0] && changeOf(rows[0] as Row);
    },

    /** Takes those whose day is over. */
    async confirmDue(now: number): Promise<void> {
      await database.query(
        `UPDATE pending_changes SET state = 'CONFIRMED' WHERE state = 'WAITING' AND effective_at <= $1`,
        [now],
      );
    },

    /** A second operator is there now: those that waited for a day wait for that operator. */
    async stopClocks(): Promise<void> {
      await database.query(`UPDATE pending_changes SET effective_at = NULL WHERE state = 'WAITING'`);
    },

    async revoke(by: Authority, id: number, now: number): Promise<Change | undefined> {
      const [, rows = []] = await database.transaction([
        holdAuthority(by),
        {
          sql: `UPDATE pending_changes SET state = 'REVOKED', ended_by = $2, ended_at = $3
                WHERE id = $1 AND state = 'WAITING' RETURNING ${columns}`,
          parameters: [id, by.clientId, now],
        },
      ]);
      return rows[0] && changeOf(rows[0] as Row);
    },

    async confirmed(): Promise<Change[]> {
      const rows = await database.query<Row>(
        `SELECT ${columns} FROM pending_changes WHERE state = 'CONFIRMED' ORDER BY id`,
      );
      return rows.map(changeOf);
    },

    async ended(id: number, state: 'APPLIED' | 'FAILED', failure: string, now: number): Promise<void> {
      await database.query(
        `UPDATE pending_changes SET state = $2, failure = $3, ended_at = $4 WHERE id = $1 AND state = 'CONFIRMED'`,
        [id, state, failure, now],
      );
    },
  };
}

export function createPendingStore(database: Database) {
  return { ...createRows(database), ...createSteps(database) };
}

export type PendingStore = ReturnType<typeof createPendingStore>;
