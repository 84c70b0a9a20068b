import type { Statement } from '../../platform/database.ts';
import { Columns } from './columns.ts';
import type { CommittedBatch } from './feed.ts';
import type { KeyRecord, PartRun, ProjectionPart } from './projection.ts';

class KeyRun implements PartRun {
  readonly #keys = new Columns(7);
  /** A key that was forgotten may come again in the same run; the newest command is what it stands for. */
  readonly #rows = new Map<string, number>();

  add(_batch: CommittedBatch, keys: readonly KeyRecord[]): void {
    for (const { owner, key, fingerprint, id, batch, reason, time } of keys) {
      const values = [owner, key, fingerprint, id, batch, reason, time] as const;
      const name = `${owner}:${key}`;
      const row = this.#rows.get(name);
      if (row === undefined) this.#rows.set(name, this.#keys.add(...values));
      else this.#keys.set(row, ...values);
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
