/** Price alerts at rest, and what has triggered. */
import type { Database, Statement } from '../../platform/database.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';
import type { TimesAhead } from '../../platform/times-ahead.ts';

export type AlertRow = {
  readonly id: number;
  readonly client_id: number;
  readonly market: number;
  readonly above: boolean;
  /** Ticks. */
  readonly price: number;
  /** 0 for an alert that triggers once. */
  readonly pause_minutes: number;
  readonly channels: string;
  readonly note: string;
  readonly locale: string;
  readonly created_at: number;
  readonly after_trade: number;
  readonly done: boolean;
  readonly paused_until: number;
  readonly times_triggered: number;
  readonly triggered_price: number;
  readonly triggered_at: number;
};

export type NewAlert = Pick<
  AlertRow,
  | 'client_id'
  | 'market'
  | 'above'
  | 'price'
  | 'pause_minutes'
  | 'channels'
  | 'note'
  | 'locale'
  | 'created_at'
  | 'after_trade'
>;

export type TriggeringRow = {
  readonly id: number;
  readonly alert_id: number;
  readonly client_id: number;
  readonly market: number;
  readonly above: boolean;
  readonly price: number;
  readonly note: string;
  readonly locale: string;
  readonly triggered_price: number;
  readonly triggered_at: number;
};

/** A trade. A price that was told is like one, with minus its time in place of an id. */
export type TradeRow = { readonly id: number; readonly market: number; readonly price: number; readonly time: number };

/** An alert after it has triggered, and the trade that triggered it. */
export interface Triggering {
  readonly alert: AlertRow;
  readonly trade: TradeRow;
}

const columns = `id, client_id, market::int8, above, price, pause_minutes::int8, channels, note, locale, created_at,
  after_trade, done, paused_until, times_triggered::int8, triggered_price, triggered_at`;
const triggeringColumns =
  'id, alert_id, client_id, market::int8, above, price, note, locale, triggered_price, triggered_at';
const LAST_ID = Number.MAX_SAFE_INTEGER;
/** An alert that was deleted meanwhile leaves no triggering: the select finds it no more. */
export function triggeringStatements({ alert, trade }: Triggering): Statement[] {
  const { id, done, paused_until, times_triggered, triggered_price, triggered_at } = alert;
  return [
    {
      sql: `INSERT INTO triggered_alerts (alert_id, client_id, market, above, price, note, locale, trade_id, triggered_price,
                                       triggered_at)
            SELECT id, client_id, market, above, price, note, locale, $2, $3, $4 FROM price_alerts WHERE id = $1
            ON CONFLICT (alert_id, trade_id) DO NOTHING`,
      parameters: [id, trade.id, trade.price, trade.time],
    },
    {
      sql: `UPDATE price_alerts SET done = $2, paused_until = $3, times_triggered = $4, triggered_price = $5, triggered_at = $6
            WHERE id = $1`,
      parameters: [id, done, paused_until, times_triggered, triggered_price, triggered_at],
    },
  ];
}

/** Returns a row while there is the alert: it goes with its client. */
export const whileThere = (id: number): Statement => ({
  sql: 'SELECT id FROM price_alerts WHERE id = $1',
  parameters: [id],
});

/** Of markets that are delisted. */
const endingStore = (database: Database) => ({
  /** Clients whose alerts of a market may still trigger. */
  async clientsIn(market: number): Promise<number[]> {
    const rows = await database.query<{ client_id: number }>(
      'SELECT DISTINCT client_id FROM price_alerts WHERE market = $1 AND NOT done',
      [market],
    );
    return rows.map(({ client_id }) => client_id);
  },
  /** Ends the alerts of a market, in one transaction with what tells their clients. @returns their ids */
  async endIn(market: number, told: Statement): Promise<number[]> {
    const sql = 'UPDATE price_alerts SET done = true WHERE market = $1 AND NOT done RETURNING id';
    const [ended = []] = await database.transaction([{ sql, parameters: [market] }, told]);
    return ended.map(({ id }) => Number(id));
  },
});

export function createAlertStore(database: Database) {
  return {
    ...endingStore(database),
    async insert(alert: NewAlert): Promise<AlertRow> {
      const [row] = await database.query<AlertRow>(
        `INSERT INTO price_alerts (client_id, market, above, price, pause_minutes, channels, note, locale, created_at,
                                   after_trade)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${columns}`,
        [
          alert.client_id,
          alert.market,
          alert.above,
          alert.price,
          alert.pause_minutes,
          alert.channels,
          alert.note,
          alert.locale,
          alert.created_at,
          alert.after_trade,
        ],
      );
      return row as AlertRow;
    },
    list(clientId: number, market: number | undefined, before: number | undefined, limit: number): Promise<AlertRow[]> {
      return database.query<AlertRow>(
        `SELECT ${columns} FROM price_alerts
         WHERE client_id = $1 AND id < $2 AND ($3::smallint IS NULL OR market = $3) ORDER BY id DESC LIMIT $4`,
        [clientId, before ?? LAST_ID, market ?? null, limit],
      );
    },
    /** Answers false when the client has no such alert. */
    async remove(clientId: number, id: number): Promise<boolean> {
      const rows = await database.query('DELETE FROM price_alerts WHERE id = $1 AND client_id = $2 RETURNING id', [
        id,
        clientId,
      ]);
      return rows.length > 0;
    },
    triggerings(clientId: number, before: number | undefined, limit: number): Promise<TriggeringRow[]> {
      return database.query<TriggeringRow>(
        `SELECT ${triggeringColumns} FROM triggered_alerts WHERE client_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
        [clientId, before ?? LAST_ID, limit],
      );
    },
    /** Alerts that may still trigger, those that pause included. */
    active: (): Promise<AlertRow[]> =>
      database.query<AlertRow>(`SELECT ${columns} FROM price_alerts WHERE NOT done ORDER BY id`),
    tradesAfter(id: number, limit: number): Promise<TradeRow[]> {
      return database.query<TradeRow>(
        'SELECT id, market::int8, price, time FROM trades WHERE id > $1 ORDER BY id LIMIT $2',
        [id, limit],
      );
    },
    async lastTrade(): Promise<number> {
      const [row] = await database.query<{ last: number | null }>('SELECT max(id) AS last FROM trades');
      return row?.last ?? 0;
    },
    /** Forgets triggerings that are older than a time. */
    async forget(before: number): Promise<void> {
      await database.query('DELETE FROM triggered_alerts WHERE triggered_at < $1', [before]);
    },
  };
}

export type AlertStore = ReturnType<typeof createAlertStore>;

export const alertTables: PersonalTables = {
  exported: {
    price_alerts: 'SELECT * FROM price_alerts WHERE client_id = $1',
    triggered_alerts: 'SELECT * FROM triggered_alerts WHERE client_id = $1',
  },
  erased: ['DELETE FROM price_alerts WHERE client_id = $1', 'DELETE FROM triggered_alerts WHERE client_id = $1'],
};

export const alertTimes: readonly TimesAhead[] = [
  {
    name: 'paused price alerts',
    table: 'price_alerts',
    where: 'triggered_at > $1',
    set: 'paused_until = $1::int8 + greatest(0, paused_until - triggered_at), triggered_at = $1',
  },
];
