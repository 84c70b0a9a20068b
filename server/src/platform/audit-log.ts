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

export interface AuditLog {
  /** Rejects when it could not be written: what must be on record is not done without. */
  record(entry: AuditEntry): Promise<void>;
}
