/**
 * Who is kept out and why: frozen accounts, and all clients during maintenance. Kept in memory, so that
 * every request is checked at no cost; what happens is told to listeners at once. What shuts is in memory before the
 * store is asked and stays there when the store fails; what opens is in the store first.
 */
import type { StreamAccountState } from '@cambist/contract/stream.ts';
import { byExchange } from '../../platform/authority.ts';
import type { Identity } from '../../platform/calls.ts';
import type { ClientStore } from './client-store.ts';
import type { MaintenanceRow, RestrictionStore } from './restriction-store.ts';

/** Where one objects: the contact form reaches the inbox of support without a sign-in. */
const APPEAL = '/contactus';

export interface Restriction {
  readonly reason: string;
  readonly until: number | null;
  readonly appeal: string;
}

export interface Block extends Restriction {
  readonly kind: 'frozen' | 'maintenance';
}

/** @param clientId undefined: all clients */
export type StateListener = (clientId: number | undefined, state: StreamAccountState) => void;

export interface StateDeps {
  readonly clients: Pick<ClientStore, 'frozen' | 'change'>;
  readonly restrictions: Pick<RestrictionStore, 'readMaintenance' | 'saveMaintenance'>;
  readonly clock: { now(): number };
}

export async function createStates({ clients, restrictions, clock }: StateDeps) {
  const listeners = new Set<StateListener>();
  const frozen = new Map(
    (await clients.frozen()).map((row) => [row.id, { reason: row.freeze_reason, until: row.frozen_until }]),
  );
  let maintenance = await restrictions.readMaintenance();

  let last: Promise<unknown> = Promise.resolve();

  /** The store sees the acts of operators in the order of memory. */
  function inOrder<Result>(write: () => Promise<Result>): Promise<Result> {
    const done = last.then(write);
    last = done.catch(() => undefined);
    return done;
  }

  const isOver = (until: number | null) => until !== null && until <= clock.now();

  function tell(
    clientId: number | undefined,
    kind: StreamAccountState['kind'],
    reason = '',
    until: number | null = null,
  ) {
    const state = { kind, reason, until, ts: String(clock.now()) };
    for (const listener of listeners) listener(clientId, state);
  }

  function freezeOf(clientId: number): Restriction | undefined {
    const entry = frozen.get(clientId);
    return entry === undefined || isOver(entry.until) ? undefined : { ...entry, appeal: APPEAL };
  }

  function maintained(): Restriction | undefined {
    if (maintenance.since === null || isOver(maintenance.until_at)) return undefined;
    return { reason: maintenance.reason, until: maintenance.until_at, appeal: APPEAL };
  }

  return {
    freezeOf,
    maintained,
    maintenance: (): MaintenanceRow => (maintained() === undefined ? { ...maintenance, since: null } : maintenance),
    /** What keeps this client out now. */
    blockOf({ clientId, role }: Pick<Identity, 'clientId' | 'role'>): Block | undefined {
      const freeze = freezeOf(clientId);
      if (freeze !== undefined) return { kind: 'frozen', ...freeze };
      const closed = role === 'operator' ? undefined : maintained();
      return closed && { kind: 'maintenance', ...closed };
    },
    /** Sign-ins that are on their way come to nothing. */
    async freeze(clientId: number, reason: string, until: number | null): Promise<void> {
      frozen.set(clientId, { reason, until });
      tell(clientId, 'frozen', reason, until);
      const change = { status: 'FREEZE_ACCOUNT', freeze_reason: reason, frozen_until: until };
      await inOrder(() => clients.change(byExchange(clientId), change, { movesEpoch: true }));
    },
    async unfreeze(clientId: number): Promise<void> {
      const lifted = frozen.get(clientId);
      const change = { status: 'ACTIVE', freeze_reason: '', frozen_until: null };
      await inOrder(() => clients.change(byExchange(clientId), change));
      // Frozen once more meanwhile: that stays.
      if (frozen.get(clientId) !== lifted) return;
      frozen.delete(clientId);
      tell(clientId, 'unfrozen');
    },
    async maintain(next: MaintenanceRow): Promise<void> {
      const before = maintenance;
      if (next.since !== null) {
        maintenance = next;
        tell(undefined, 'maintenance', next.reason, next.until_at);
      }
      await inOrder(() => restrictions.saveMaintenance(next));
      if (next.since !== null || maintenance !== before) return;
      maintenance = next;
      tell(undefined, 'maintenance-ended');
    },
    tell,
    onState(listener: StateListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type States = Awaited<ReturnType<typeof createStates>>;
