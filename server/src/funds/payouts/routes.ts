/** The calls about chains and payouts: each act of an operator is on record before it is done. */
import {
  adminChains,
  failPayout,
  pausePayouts,
  replacePayout,
  resumePayouts,
} from '@cambist/contract/admin-withdrawals.ts';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { FastifyRequest } from 'fastify';
import type { AuditLog } from '../../platform/audit-log.ts';
import { type CallServer, type Identity, Refusal } from '../../platform/calls.ts';
import type { KeptPayout } from './kept-payout.ts';
import type { PayoutStore } from './store.ts';
import { describeChains, describePayout, type ViewDeps } from './view.ts';

export interface PayoutRouteDeps extends ViewDeps {
  readonly store: PayoutStore;
  readonly audit: AuditLog;
  /** Of deposits. @returns false where nothing was to change */
  readonly pauseDeposits: (network: NetworkName, isPaused: boolean) => Promise<boolean>;
  /** Sends a payout again with a higher fee, and waits until that was tried. */
  readonly replace: (payout: KeptPayout) => Promise<void>;
  readonly wake: () => void;
}

const success = { message: 'success' as const };
const noChain = new Refusal(404, 'UNKNOWN_NETWORK', 'There is no chain behind this network.');
const noPayout = new Refusal(404, 'PAYOUT_NOT_FOUND', 'There is no such payout.');
const nothingToReplace = new Refusal(
  409,
  'NOT_SENT',
  'Only a payment that was sent and is in no block can be replaced.',
);
const alreadySigned = new Refusal(
  409,
  'ALREADY_SIGNED',
  'This payout was signed or is being signed. From then on the chain alone decides.',
);
const unchanged = new Refusal(409, 'UNCHANGED', 'Deposits of this network are not in a state that this would change.');

export function servePayouts(calls: CallServer, deps: PayoutRouteDeps): void {
  const { store, audit, networks, clock } = deps;
  const describe = async (payout: KeptPayout) => ({ payout: describePayout(payout, await networks.all()) });

  async function pause(
    identity: Identity,
    { ip }: FastifyRequest,
    network: NetworkName,
    { what, reason }: { what: 'DEPOSITS' | 'PAYOUTS'; reason: string },
    isPaused: boolean,
  ) {
    if (!deps.chains.has(network)) return noChain;
    const act = `${isPaused ? 'pause' : 'resume'}-${what === 'DEPOSITS' ? 'deposits' : 'payouts'}` as const;
    const { clientId: actorId } = identity;
    await audit.record({ actorId, act, reason, detail: { network }, address: ip });
    if (what === 'DEPOSITS' && !(await deps.pauseDeposits(network, isPaused))) return unchanged;
    if (what === 'PAYOUTS') await store.pause(network, isPaused);
    deps.wake();
    return success;
  }

  calls.serve(adminChains, () => describeChains(deps));
  calls.serve(pausePayouts, ({ identity, http, params, body }) => pause(identity, http, params.network, body, true));
  calls.serve(resumePayouts, ({ identity, http, params, body }) => pause(identity, http, params.network, body, false));

  calls.serve(replacePayout, async ({ identity, http, params }) => {
    const payout = await store.find(Number(params.id));
    if (payout === undefined) return noPayout;
    if (payout.state !== 'SIGNED' && payout.state !== 'BROADCAST') return nothingToReplace;
    const { clientId: actorId } = identity;
    await audit.record({ actorId, act: 'replace-payout', detail: { payout: payout.id }, address: http.ip });
    await deps.replace(payout);
    return describe((await store.find(payout.id)) ?? payout);
  });

  calls.serve(failPayout, async ({ identity, http, params, body }) => {
    const payout = await store.find(Number(params.id));
    if (payout === undefined) return noPayout;
    const { clientId: actorId } = identity;
    const detail = { payout: payout.id };
    await audit.record({ actorId, act: 'fail-payout', reason: body.reason, detail, address: http.ip });
    if (!(await store.giveUp(payout, clock.now()))) return alreadySigned;
    deps.wake();
    return describe((await store.find(payout.id)) ?? payout);
  });
}
