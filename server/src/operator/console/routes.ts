/** The operator's calls about alarms of the reconciler, and fee tiers. */
import { acknowledgeAlarm, alarms, setFeeTier } from '@cambist/contract/operations.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import type { AlarmInbox } from '../../exchange/ledger/service.ts';
import { FEE_TIERS, feePercent } from '../../exchange/ledger/service.ts';
import type { AccountService } from '../../identity/accounts/service.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';
import { notOneself, unknownClient } from './client-routes.ts';

export interface AdminDeps {
  readonly accounts: Pick<AccountService, 'person'>;
  readonly alarms: AlarmInbox;
  readonly engine: Pick<Engine, 'sequencer' | 'exchange'>;
  readonly audit: AuditLog;
  readonly clock: { now(): number };
}

export function serveAdmin(calls: CallServer, deps: AdminDeps): void {
  calls.serve(alarms, async () => ({ alarms: await deps.alarms.alarms() }));

  calls.serve(acknowledgeAlarm, async ({ identity, params, http }) => {
    const detail = { alarm: params.id };
    await deps.audit.record({ actorId: identity.clientId, act: 'acknowledge-alarm', detail, address: http.ip });
    const done = await deps.alarms.acknowledge(params.id, deps.clock.now());
    if (!done) return new Refusal(404, 'ALARM_NOT_FOUND', 'There is no such open alarm.');
    return { message: 'success' as const };
  });

  calls.serve(setFeeTier, async ({ identity, body, http }) => {
    const { sequencer, exchange } = deps.engine;
    // Tier 0 is what clients pay who were never moved, which an operator may have changed.
    const tier = body.tier === 0 ? exchange.defaults().fees : FEE_TIERS[body.tier];
    if (tier === undefined)
      return new Refusal(422, 'UNKNOWN_TIER', say('Tiers go from 0 to {{last}}.', { last: FEE_TIERS.length - 1 }));
    // The fees of a number that no client has yet would be those of whoever gets it.
    const person = await deps.accounts.person(body.client_id);
    if (person === undefined) return unknownClient;
    if (person.role === 'operator') return notOneself;
    await deps.audit.record({
      actorId: identity.clientId,
      act: 'set-fee-tier',
      clientId: body.client_id,
      detail: { tier: body.tier },
      address: http.ip,
    });
    const { outcome } = await sequencer.submit({ kind: 'set-fees', owner: body.client_id, ...tier });
    if (!outcome.ok) return new Refusal(422, outcome.reason, 'The fees of this client could not be set.');
    return {
      message: 'success' as const,
      maker_fee_percent: feePercent(tier.makerPpm),
      taker_fee_percent: feePercent(tier.takerPpm),
    };
  });
}
