import type { Statement } from '../../platform/database.ts';
import { Columns } from './columns.ts';
import type { CommittedBatch } from './feed.ts';
import type { KeyRecord, PartRun, ProjectionPart } from './projection.ts';

class KeyRun implements PartRun {
  readonly #keys = new Columns(7);

  add(_batch: CommittedBatch, keys: readonly KeyRecord[]): void {
    for (const { owner, key, fingerprint, id, batch, reason, time } of keys) {
      this.#keys.add(owner, key, fingerprint, id, batch, reason, time);
    }
  }

  statements(): Statement[] {
    if (this.#keys.size === 0) return [];
    return [
      {
        sql: `INSERT INTO idempotency_keys (owner, key, fingerprint, order_id, batch, reason, time)
              SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[],
                                   $7::bigint[])
              ON CONFLICT (owner, key) DO UPDATE
              SET fingerprint = excluded.fingerprint, order_id = excluded.order_id, batch = excluded.batch,
                  reason = excluded.reason, time = excluded.time`,
        parameters: this.#keys.parameters(),
      },
    ];
  }
}

/** Idempotency keys of committed commands. A key that was forgotten for its age may come again. */
export const keyProjection: ProjectionPart = {
  name: 'idempotency keys',
  tables: ['idempotency_keys'],
  start: () => new KeyRun(),
};
