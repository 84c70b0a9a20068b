/**
 * One mechanism for every change that loosens a protection. A second operator confirms it; where there is only one operator,
 * it takes effect after a day. An alarm goes out at once. What tightens a protection does not come here.
 */
import type { ProtectedFigure, Protection } from '@cambist/contract/pending-changes.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import type { Authority } from '../../platform/authority.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import type { Change, Figures, NewChange, PendingStore } from './pending-store.ts';

export type { Change, Figures } from './pending-store.ts';

const DAY_MS = 86_400_000;

/** Who does it, and from where. */
export interface Operator {
  readonly by: Authority;
  readonly address: string;
}

export interface ProtectionKind {
  /** The figures of a subject as they are now; undefined where it is gone. */
  readonly current: (subject: string) => Promise<Figures | undefined>;
  /** Carries it out; the same again is no harm. @returns why not */
  readonly apply: (change: Change) => Promise<string | undefined>;
}

export interface PendingDeps {
  readonly store: PendingStore;
  readonly raise: (kind: string, detail: string) => Promise<void>;
  readonly audit: AuditLog;
  /** Client numbers of operators who have set their passwords. */
  readonly operatorIds: () => Promise<readonly number[]>;
  readonly clock: { now(): number };
}

const textOf = (figures: Figures): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${value ?? 'none'}`)
    .join(', ');

const hasFigures = (current: Figures, expected: Figures): boolean =>
  (Object.keys(expected) as ProtectedFigure[]).every((name) => current[name] === expected[name]);

/** Carries out what was confirmed, also by a process that ended before. */
function createCarrying({ store, clock }: PendingDeps, kinds: ReadonlyMap<Protection, ProtectionKind>) {
  async function failureOf(change: Change): Promise<string | undefined> {
    const kind = kinds.get(change.kind);
    if (kind === undefined) return 'This server does not know this kind of change.';
    const current = await kind.current(change.subject);
    if (current === undefined) return 'It is no longer there.';
    if (hasFigures(current, change.after)) return undefined;
    if (!hasFigures(current, change.before)) return 'It has changed since. Ask for it again.';
    return kind.apply(change);
  }

  return oneAtATime(async () => {
    for (const change of await store.confirmed()) {
      const failure = await failureOf(change);
      await store.ended(change.id, failure === undefined ? 'APPLIED' : 'FAILED', failure ?? '', clock.now());
    }
  });
}

export function createPendingChanges(deps: PendingDeps) {
  const { store, raise, audit, operatorIds, clock } = deps;
  const kinds = new Map<Protection, ProtectionKind>();
  const carryOut = createCarrying(deps, kinds);

  return {
    /** Each slice names its own protections before the server answers. */
    define: (kind: Protection, how: ProtectionKind): void => void kinds.set(kind, how),

    /** @returns undefined where a change of the same thing waits already */
    async ask({ by, address }: Operator, change: NewChange): Promise<Change | undefined> {
      const { kind, subject, before, after, reason } = change;
      await audit.record({
        ...{ actorId: by.clientId, act: 'ask-change', address, reason },
        detail: { kind, subject, before, after },
      });
      const now = clock.now();
      const isAlone = (await operatorIds()).length <= 1;
      const added = await store.add(by, change, now, isAlone ? now + DAY_MS : null);
      if (added === undefined) return undefined;
      const of = subject === '' ? kind : `${kind} of ${subject}`;
      const detail =
        `Operator ${by.clientId} wants to loosen the ${of}: from ${textOf(before)} to ${textOf(after)}. ` +
        `Change ${added.id} ${isAlone ? 'takes effect in 24 hours' : 'waits for a second operator'}: ` +
        'revoke it under Operations in the console unless it is wanted';
      await raise('protection-loosened', detail);
      return added;
    },

    list: store.list,
    waiting: store.waiting,
    find: store.find,

    async confirm({ by, address }: Operator, id: number): Promise<Change | undefined> {
      await audit.record({ actorId: by.clientId, act: 'confirm-change', address, detail: { change: id } });
      if ((await store.confirm(by, id)) === undefined) return undefined;
      await carryOut();
      return store.find(id);
    },

    async revoke({ by, address }: Operator, id: number, reason: string): Promise<Change | undefined> {
      await audit.record({ actorId: by.clientId, act: 'revoke-change', address, reason, detail: { change: id } });
      return store.revoke(by, id, clock.now());
    },

    /** A job: what is due takes effect by itself, unless a second operator has come meanwhile. */
    async run(): Promise<void> {
      if ((await operatorIds()).length > 1) await store.stopClocks();
      else await store.confirmDue(clock.now());
      await carryOut();
    },
  };
}

export type PendingChanges = ReturnType<typeof createPendingChanges>;
