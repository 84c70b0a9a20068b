/** The audit log as a slice: it has no calls of its own. */
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { type Audit, createAudit, createAuditStore } from './service.ts';
import { auditTables } from './store.ts';

export interface AuditSlice extends Slice {
  readonly audit: Audit;
}

export const createAuditSlice = ({ database, clock }: Platform): AuditSlice => ({
  audit: createAudit({ store: createAuditStore(database), clock }),
  personalData: personalDataOf(database, auditTables),
});
