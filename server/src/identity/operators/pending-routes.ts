/** The calls about changes that loosen a protection. */
import {
  confirmPendingChange,
  type PendingChange,
  pendingChanges,
  revokePendingChange,
} from '@cambist/contract/pending-changes.ts';
import { bySession } from '../../platform/authority.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import type { PendingChanges } from './pending-changes.ts';
import type { Change } from './pending-store.ts';

const notWaiting = new Refusal(409, 'NOT_WAITING', 'This change no longer waits, or you have asked for it yourself.');
/** Of `ask`, where a change of the same thing waits already. */
export const alreadyPending = new Refusal(
  409,
  'CHANGE_PENDING',
  'A change of this waits already. Confirm or revoke it first.',
);

export interface PendingRouteDeps {
  readonly pending: PendingChanges;
  readonly person: (clientId: number) => Promise<{ readonly email: string } | undefined>;
}

export type DescribeChange = (change: Change, operatorId: number) => Promise<PendingChange>;

export function describeChanges({ person }: Pick<PendingRouteDeps, 'person'>): DescribeChange {
  const emailOf = async (id: number) => (await person(id))?.email ?? String(id);
  return async ({ id, payload: _, asked_by, confirmed_by, ...change }, operatorId) => ({
    ...change,
    id: String(id),
    asked_by: await emailOf(asked_by),
    confirmed_by: confirmed_by === null ? null : await emailOf(confirmed_by),
    can_confirm: change.state === 'WAITING' && asked_by !== operatorId,
  });
}

export function servePendingChanges(calls: CallServer, { pending, person }: PendingRouteDeps): void {
  const describe = describeChanges({ person });

  calls.serve(pendingChanges, async ({ identity, query }) => {
    const { clientId } = identity;
    const before = query.before === undefined ? Number.MAX_SAFE_INTEGER : Number(query.before);
    const [changes, waiting] = await Promise.all([pending.list(before, query.limit), pending.waiting()]);
    return { changes: await Promise.all(changes.map((change) => describe(change, clientId))), waiting };
  });

  calls.serve(confirmPendingChange, async ({ authority: by, params, http }) => {
    const confirmed = await pending.confirm({ by, address: http.ip }, Number(params.id));
    return confirmed === undefined ? notWaiting : { change: await describe(confirmed, by.clientId) };
  });

  calls.serve(revokePendingChange, async ({ identity, params, body, http }) => {
    const by = bySession(identity);
    const revoked = await pending.revoke({ by, address: http.ip }, Number(params.id), body.reason);
    return revoked === undefined ? notWaiting : { change: await describe(revoked, by.clientId) };
  });
}
