/** Who did what to whom, why, when and from where. Append only. */
import { type AuditEntry, noteAct } from '../../platform/audit-log.ts';
import type { AuditFilter, AuditRow, AuditStore } from './store.ts';

export { createAuditStore } from './store.ts';

export function createAudit({ store, clock }: { store: AuditStore; clock: { now(): number } }) {
  return {
    /** Rejects when it could not be written: what must be on record is not done without. */
    record({ actorId, act, clientId, reason = '', detail = {}, address = '' }: AuditEntry): Promise<void> {
      noteAct(act);
      return store.insert({
        at: clock.now(),
        actor_id: actorId ?? null,
        act,
        client_id: clientId ?? null,
        reason,
        detail: JSON.stringify(detail),
        address,
      });
    },
    async list(filter: AuditFilter): Promise<(Omit<AuditRow, 'detail'> & { detail: Record<string, unknown> })[]> {
      const rows = await store.list(filter);
      return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as Record<string, unknown> }));
    },
  };
}

export type Audit = ReturnType<typeof createAudit>;
