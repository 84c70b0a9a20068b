/** Alarms at rest: what the reconciler found, until an operator has acknowledged it. */
import type { Database, Statement } from '../../platform/database.ts';

export type Alarm = {
  readonly id: number;
  readonly kind: string;
  readonly detail: string;
  readonly raised_at: number;
  readonly acknowledged_at: number | null;
};

export type NewAlarm = Pick<Alarm, 'id' | 'kind' | 'detail' | 'raised_at'>;

/** What is told by one mail at most; what is beyond is told by the next. */
const AT_ONCE = 500;

function raising(kind: string, detail: string, now: number) {
  return {
    sql: `INSERT INTO alarms (kind, detail, raised_at) VALUES ($1, $2, $3)
          ON CONFLICT (kind, md5(detail)) WHERE acknowledged_at IS NULL DO NOTHING`,
    parameters: [kind, detail, now],
  } satisfies Statement;
}

export function createAlarmStore(database: Database) {
  return {
    /** For a transaction that writes what the alarm is about. */
    raising,
    /** Answers true when this is news: the same finding raises one alarm until it is acknowledged. */
    async raise(kind: string, detail: string, now: number): Promise<boolean> {
      const { sql, parameters } = raising(kind, detail, now);
      return (await database.query(`${sql} RETURNING id`, parameters)).length > 0;
    },
    alarms(): Promise<Alarm[]> {
      return database.query<Alarm>(
        `SELECT id, kind, detail, raised_at, acknowledged_at FROM alarms
         ORDER BY acknowledged_at IS NOT NULL, id DESC LIMIT 100`,
      );
    },
    async acknowledge(id: number, now: number): Promise<boolean> {
      const rows = await database.query(
        'UPDATE alarms SET acknowledged_at = $2 WHERE id = $1 AND acknowledged_at IS NULL RETURNING id',
        [id, now],
      );
      return rows.length > 0;
    },
    /** Open ones that no mail has told of, oldest first. */
    unmailed(): Promise<NewAlarm[]> {
      return database.query<NewAlarm>(
        `SELECT id, kind, detail, raised_at FROM alarms
         WHERE mailed_at IS NULL AND acknowledged_at IS NULL ORDER BY id LIMIT ${AT_ONCE}`,
      );
    },
    /** Writes the mails that tell of these. */
    async mail(ids: readonly number[], now: number, mails: Statement): Promise<void> {
      const told = { sql: 'UPDATE alarms SET mailed_at = $2 WHERE id = ANY ($1::bigint[])', parameters: [ids, now] };
      await database.transaction([mails, told]);
    },
    async openAlarms(): Promise<number> {
      const [row] = await database.query<{ count: number }>(
        'SELECT count(*) AS count FROM alarms WHERE acknowledged_at IS NULL',
      );
      return row?.count ?? 0;
    },
  };
}

export type AlarmStore = ReturnType<typeof createAlarmStore>;
