import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditAct } from '@cambist/contract/audit-acts.ts';

/** What a slice may write into the audit log, which the operators' quarter keeps. */
export interface AuditEntry {
  /** Undefined: the exchange itself. */
  readonly actorId?: number | undefined;
  readonly act: AuditAct;
  readonly clientId?: number | undefined;
  readonly reason?: string;
  /** Never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly address?: string;
}

const acts = new AsyncLocalStorage<Set<AuditAct>>();

/** For tests: what a call has recorded. @returns its answer, and the acts */
export async function recordingActs<Answer>(
  call: () => Answer | Promise<Answer>,
): Promise<readonly [Answer, ReadonlySet<AuditAct>]> {
  const recorded = new Set<AuditAct>();
  return [await acts.run(recorded, async () => call()), recorded];
}

/** Called by the log with each row. */
export const noteAct = (act: AuditAct): void => void acts.getStore()?.add(act);

export interface AuditLog {
  /** Rejects when it could not be written: what must be on record is not done without. */
  record(entry: AuditEntry): Promise<void>;
}
