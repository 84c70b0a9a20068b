/** Idempotency keys at rest. The projector writes them; this reads and forgets. */
import type { RejectReason } from '@cambist/core/terms/outcome.ts';
import type { Database } from '../../platform/database.ts';
import type { TimesAhead } from '../../platform/times-ahead.ts';

export interface StoredKey {
  readonly fingerprint: string;
  /** Of the order or transfer. */
  readonly id: number;
  readonly batch: number;
  readonly reason: RejectReason | '';
  /** Ms. */
  readonly time: number;
}

export interface IdempotencyStore {
  find(owner: number, key: string): Promise<StoredKey | undefined>;
  hasAny(): Promise<boolean>;
  forgetBefore(time: number): Promise<void>;
}

export function createIdempotencyStore(database: Database): IdempotencyStore {
  return {
    async find(owner, key) {
      const [row] = await database.query<{
        fingerprint: string;
        order_id: number;
        batch: number;
        reason: string;
        time: number;
      }>('SELECT fingerprint, order_id, batch, reason, time FROM idempotency_keys WHERE owner = $1 AND key = $2', [
        owner,
        key,
      ]);
      if (row === undefined) return undefined;
      return {
        fingerprint: row.fingerprint,
        id: row.order_id,
        batch: row.batch,
        reason: row.reason as RejectReason | '',
        time: row.time,
      };
    },
    async hasAny() {
      return (await database.query('SELECT 1 AS one FROM idempotency_keys LIMIT 1')).length > 0;
    },
    async forgetBefore(time) {
      await database.query('DELETE FROM idempotency_keys WHERE time < $1', [time]);
    },
  };
}

export const keyTimes: readonly TimesAhead[] = [
  { name: 'idempotency keys', table: 'idempotency_keys', where: 'time > $1', set: 'time = $1' },
];
