/** The audit log as a slice: it has no calls of its own. */
import type { Platform, Slice } from '../../platform/slice.ts';
import { type Audit, createAudit, createAuditStore } from './service.ts';

export interface AuditSlice extends Slice {
  readonly audit: Audit;
}

export const createAuditSlice = ({ database, clock }: Platform): AuditSlice => ({
  audit: createAudit({ store: createAuditStore(database), clock }),
});
