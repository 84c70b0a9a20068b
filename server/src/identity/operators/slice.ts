/** The link of a new operator as a slice, and the carrying out of what the operator command has decided in tables. */
import type { Platform, Slice } from '../../platform/slice.ts';
import { type AccountService, createOperatorStore } from '../accounts/service.ts';
import { createPendingChanges, type PendingChanges } from './pending-changes.ts';
import { servePendingChanges } from './pending-routes.ts';
import { createPendingStore } from './pending-store.ts';
import { serveOperatorLinks } from './routes.ts';
import { createOperatorLinks, type OperatorLinkDeps } from './service.ts';

/** How long what the operator command ended may go on in a running server. */
const REVOKE_MS = 1000;
const PENDING_MS = 10_000;

export interface OperatorsSlice extends Slice {
  /** Client numbers of operators who have set their passwords. */
  readonly operatorIds: () => Promise<number[]>;
  readonly pending: PendingChanges;
}

export interface OperatorParts extends Pick<OperatorLinkDeps, 'audit' | 'passwords' | 'revoke' | 'anonymise'> {
  readonly alarms: { raise(kind: string, detail: string, now: number): Promise<boolean> };
  readonly accounts: Pick<AccountService, 'person'>;
}

export function createOperatorsSlice(platform: Platform, parts: OperatorParts): OperatorsSlice {
  const { database, logger, clock } = platform;
  const { audit, accounts } = parts;
  const links = createOperatorLinks({ ...parts, database, logger, clock });
  const store = createOperatorStore(database);
  const operatorIds = async () => (await store.operators()).flatMap(({ id, is_set_up }) => (is_set_up ? [id] : []));
  async function raise(kind: string, detail: string): Promise<void> {
    if (await parts.alarms.raise(kind, detail, clock.now())) logger.error({ kind }, `ALARM: ${detail}`);
  }
  const pending = createPendingChanges({
    store: createPendingStore(database),
    ...{ raise, audit, operatorIds, clock },
  });
  return {
    operatorIds,
    pending,
    routes(calls) {
      serveOperatorLinks(calls, links);
      servePendingChanges(calls, { pending, person: accounts.person });
    },
    jobs: [
      { name: 'carry out revocations', everyMs: REVOKE_MS, run: links.carryOut },
      { name: 'carry out pending changes', everyMs: PENDING_MS, run: pending.run },
    ],
    prepare: links.carryOut,
  };
}
