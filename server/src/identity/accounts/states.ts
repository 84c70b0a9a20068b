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

/** Tells listeners what happens. */
function createTelling(clock: StateDeps['clock']) {
  const listeners = new Set<StateListener>();

  function tell(
    clientId: number | undefined,
    kind: StreamAccountState['kind'],
    reason = '',
    until: number | null = null,
  ) {
    const state = { kind, reason, until, ts: String(clock.now()) };
    for (const listener of listeners) listener(clientId, state);
  }

  return {
    tell,
    onState(listener: StateListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

type Tell = ReturnType<typeof createTelling>['tell'];
type InOrder = <Result>(write: () => Promise<Result>) => Promise<Result>;

/** The store sees the acts of operators in the order of memory. */
function createOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  return function inOrder(write) {
    const done = last.then(write);
    last = done.catch(() => undefined);
    return done;
  };
}

const isOver = (until: number | null, now: number) => until !== null && until <= now;

async function createFreezes({ clients, clock }: StateDeps, tell: Tell, inOrder: InOrder) {
  const frozen = new Map(
    (await clients.frozen()).map((row) => [row.id, { reason: row.freeze_reason, until: row.frozen_until }]),
  );

  return {
    freezeOf(clientId: number): Restriction | undefined {
      const entry = frozen.get(clientId);
      return entry === undefined || isOver(entry.until, clock.now()) ? undefined : { ...entry, appeal: APPEAL };
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
      // When it ended: an account that was to be deleted meanwhile can be come back to from then on.
      const change = { status: 'ACTIVE', freeze_reason: '', frozen_until: clock.now() };
      await inOrder(() => clients.change(byExchange(clientId), change));
      // Frozen once more meanwhile: that stays.
      if (frozen.get(clientId) !== lifted) return;
      frozen.delete(clientId);
      tell(clientId, 'unfrozen');
    },
  };
}

async function createMaintenance({ restrictions, clock }: StateDeps, tell: Tell, inOrder: InOrder) {
  let maintenance = await restrictions.readMaintenance();

  function maintained(): Restriction | undefined {
    if (maintenance.since === null || isOver(maintenance.until_at, clock.now())) return undefined;
    return { reason: maintenance.reason, until: maintenance.until_at, appeal: APPEAL };
  }

  return {
    maintained,
    maintenance: (): MaintenanceRow => (maintained() === undefined ? { ...maintenance, since: null } : maintenance),
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
  };
}

export async function createStates(deps: StateDeps) {
  const { tell, onState } = createTelling(deps.clock);
  const inOrder = createOrder();
  const freezes = await createFreezes(deps, tell, inOrder);
  const maintenance = await createMaintenance(deps, tell, inOrder);

  return {
    ...freezes,
    ...maintenance,
    /** What keeps this client out now. */
    blockOf({ clientId, role }: Pick<Identity, 'clientId' | 'role'>): Block | undefined {
      const freeze = freezes.freezeOf(clientId);
      if (freeze !== undefined) return { kind: 'frozen', ...freeze };
      const closed = role === 'operator' ? undefined : maintenance.maintained();
      return closed && { kind: 'maintenance', ...closed };
    },
    tell,
    onState,
  };
}

export type States = Awaited<ReturnType<typeof createStates>>;
