/** Notifications at rest. */
import type { Notification, NotificationChoices, ReadList } from '@cambist/contract/notifications.ts';
import { type Database, given, type Parameter, type Statement } from '../../platform/database.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';
import type { LocalizedText } from '../../platform/texts.ts';

export type NotificationRow = {
  readonly id: number;
  readonly client_id: number;
  readonly type: Notification['type'];
  readonly title: LocalizedText;
  readonly body: LocalizedText;
  readonly path: string;
  readonly is_read: boolean;
  readonly created_at: number;
};

export type Marks = Readonly<Record<ReadList, number>>;

const columns = 'id, client_id, type, title::text, body::text, path, is_read, created_at';

type StoredRow = Omit<NotificationRow, 'title' | 'body'> & { readonly title: string; readonly body: string };

const rowOf = ({ title, body, ...row }: StoredRow): NotificationRow => ({
  ...row,
  title: JSON.parse(title) as LocalizedText,
  body: JSON.parse(body) as LocalizedText,
});

type NewNotification = Omit<NotificationRow, 'id' | 'is_read'>;

/**
 * Of types that a client has switched off, nothing is written.
 * @param change writes what the notices are about, and returns a row where they are to be written
 */
export function insertStatement(rows: readonly NewNotification[], change?: Statement) {
  const { before, condition, parameters } = given(change, [
    rows.map((row) => row.client_id),
    rows.map((row) => row.type),
    rows.map((row) => JSON.stringify(row.title)),
    rows.map((row) => JSON.stringify(row.body)),
    rows.map((row) => row.path),
    rows.map((row) => row.created_at),
  ]);
  return {
    sql: `${before}INSERT INTO notifications (client_id, type, title, body, path, created_at)
          SELECT client_id, type, title::jsonb, body::jsonb, path, created_at
          FROM unnest($1::int8[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int8[])
            AS row (client_id, type, title, body, path, created_at)
          WHERE ${condition}
            AND NOT EXISTS (SELECT 1 FROM muted_notifications AS muted
                            WHERE muted.client_id = row.client_id AND muted.type = row.type)`,
    parameters,
  };
}

export function createNotificationStore(database: Database) {
  async function read(text: string, parameters: readonly Parameter[]): Promise<NotificationRow[]> {
    return (await database.query<StoredRow>(text, parameters)).map(rowOf);
  }

  return {
    ...createReadingStore(database),
    ...createMarkStore(database),
    ...createChoiceStore(database),

    /** @returns undefined where the client has switched the type off */
    async add(row: NewNotification): Promise<NotificationRow | undefined> {
      const { sql, parameters } = insertStatement([row]);
      const [added] = await read(`${sql} RETURNING ${columns}`, parameters);
      return added;
    },

    /** Newest first, before an id. */
    list: (clientId: number, limit: number, before: number) =>
      read(`SELECT ${columns} FROM notifications WHERE client_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`, [
        clientId,
        before,
        limit,
      ]),

    newestOf: (clientIds: readonly number[]): Promise<Pick<NotificationRow, 'client_id' | 'id' | 'type'>[]> =>
      database.query(
        `SELECT DISTINCT ON (client_id) client_id, id, type FROM notifications WHERE client_id = ANY ($1::int8[])
         ORDER BY client_id, id DESC`,
        [clientIds],
      ),

    /** The newest unread one, or else the newest. */
    async newest(clientId: number): Promise<NotificationRow | undefined> {
      const [row] = await read(
        `SELECT ${columns} FROM notifications WHERE client_id = $1 ORDER BY is_read, id DESC LIMIT 1`,
        [clientId],
      );
      return row;
    },

    async deleteBefore(time: number, fundingTime: number): Promise<void> {
      await database.query(
        "DELETE FROM notifications WHERE created_at < $1 OR (type = 'funding' AND created_at < $2)",
        [time, fundingTime],
      );
    },
  };
}

function createReadingStore(database: Database) {
  return {
    async unread(clientId: number): Promise<number> {
      const [row] = await database.query<{ count: number }>(
        'SELECT count(*)::int4 AS count FROM notifications WHERE client_id = $1 AND NOT is_read',
        [clientId],
      );
      return row?.count ?? 0;
    },

    /** @param id undefined marks the newest unread one */
    async markRead(clientId: number, id: number | undefined): Promise<void> {
      await database.query(
        `UPDATE notifications SET is_read = true WHERE client_id = $1 AND id = coalesce($2::int8,
           (SELECT max(id) FROM notifications WHERE client_id = $1 AND NOT is_read))`,
        [clientId, id ?? null],
      );
    },

    /** @param until the newest that was seen; one that has come since stays unread */
    async markAllRead(clientId: number, until = Number.MAX_SAFE_INTEGER): Promise<void> {
      await database.query(
        'UPDATE notifications SET is_read = true WHERE client_id = $1 AND NOT is_read AND id <= $2',
        [clientId, until],
      );
    },
  };
}

function createMarkStore(database: Database) {
  return {
    /** Of lists that are kept elsewhere; 0 where nothing was read. */
    async marks(clientId: number): Promise<Marks> {
      const rows = await database.query<{ list: ReadList; read_to: number }>(
        'SELECT list, read_to FROM read_marks WHERE client_id = $1',
        [clientId],
      );
      const marks = { fills: 0, alerts: 0 };
      for (const { list, read_to: readTo } of rows) marks[list] = readTo;
      return marks;
    },

    /** Two pages may mark at once: the later entry counts. */
    async markListRead(clientId: number, list: ReadList, id: number): Promise<void> {
      await database.query(
        `INSERT INTO read_marks (client_id, list, read_to) VALUES ($1, $2, $3)
         ON CONFLICT (client_id, list) DO UPDATE SET read_to = greatest(read_marks.read_to, excluded.read_to)`,
        [clientId, list, id],
      );
    },
  };
}

function createChoiceStore(database: Database) {
  return {
    async choices(clientId: number): Promise<NotificationChoices> {
      const rows = await database.query<{ type: string }>('SELECT type FROM muted_notifications WHERE client_id = $1', [
        clientId,
      ]);
      return { funding: rows.every(({ type }) => type !== 'funding') };
    },
    async choose(clientId: number, { funding }: NotificationChoices): Promise<void> {
      await database.query(
        funding
          ? "DELETE FROM muted_notifications WHERE client_id = $1 AND type = 'funding'"
          : "INSERT INTO muted_notifications (client_id, type) VALUES ($1, 'funding') ON CONFLICT DO NOTHING",
        [clientId],
      );
    },
  };
}

export type NotificationStore = ReturnType<typeof createNotificationStore>;

export const notificationTables: PersonalTables = {
  exported: {
    notifications: 'SELECT * FROM notifications WHERE client_id = $1',
    read_marks: 'SELECT * FROM read_marks WHERE client_id = $1',
    muted_notifications: 'SELECT * FROM muted_notifications WHERE client_id = $1',
  },
  erased: [
    'DELETE FROM notifications WHERE client_id = $1',
    'DELETE FROM read_marks WHERE client_id = $1',
    'DELETE FROM muted_notifications WHERE client_id = $1',
  ],
};
