/** What operators have said of the server's clock, and how far the journal is ahead of one. */
import type { Database, Statement } from '../../platform/database.ts';

export interface JournalEnd {
  readonly batch: number;
  /** Ms since 1970. */
  readonly time: number;
}

export function createClockStore(database: Database) {
  return {
    /** How often an operator has accepted a clock that was set forward. */
    async acceptances(): Promise<number> {
      const [row] = await database.query<{ accepted: number }>('SELECT accepted FROM clock');
      return row?.accepted ?? 0;
    },
    async accept(): Promise<void> {
      await database.query('UPDATE clock SET accepted = accepted + 1');
    },
    /** The newest batch, unless a clock that was ahead has written it; undefined where time is bound by none. */
    async journalEnd(): Promise<JournalEnd | undefined> {
      const [row] = await database.query<{ batch: number; time: number }>(
        `SELECT batch, time FROM journal
         WHERE batch > (SELECT set_back_after FROM clock) ORDER BY batch DESC LIMIT 1`,
      );
      return row;
    },
    /** Says that a clock that was ahead has written all batches so far. */
    settingBack: (): Statement => ({
      sql: 'UPDATE clock SET set_back_after = coalesce((SELECT max(batch) FROM journal), 0)',
      parameters: [],
    }),
  };
}

export type ClockStore = ReturnType<typeof createClockStore>;
