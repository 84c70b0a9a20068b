/** The operator's first calls: alarms of the reconciler, and the halt of a pair. */
import { acknowledgeAlarm, alarms, haltMarket, setFeeTier } from '@cambist/contract/operations.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import type { AlarmInbox } from '../../exchange/ledger/service.ts';
import { FEE_TIERS } from '../../exchange/ledger/service.ts';
import { feePercent, type MarketLookup } from '../../exchange/orders/service.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';

export interface AdminDeps {
  readonly alarms: AlarmInbox;
  readonly engine: Pick<Engine, 'sequencer'>;
  readonly markets: MarketLookup;
  readonly clock: { now(): number };
}

export function serveAdmin(calls: CallServer, deps: AdminDeps): void {
  calls.serve(alarms, async () => ({ alarms: await deps.alarms.alarms() }));

  calls.serve(acknowledgeAlarm, async ({ params }) => {
    const done = await deps.alarms.acknowledge(params.id, deps.clock.now());
    if (!done) return new Refusal(404, 'ALARM_NOT_FOUND', 'There is no such open alarm.');
    return { message: 'success' as const };
  });

  calls.serve(setFeeTier, async ({ body }) => {
    const tier = FEE_TIERS[body.tier];
    if (tier === undefined)
      return new Refusal(422, 'UNKNOWN_TIER', say('Tiers go from 0 to {{last}}.', { last: FEE_TIERS.length - 1 }));
    const { outcome } = await deps.engine.sequencer.submit({ kind: 'set-fees', owner: body.client_id, ...tier });
    if (!outcome.ok) return new Refusal(422, outcome.reason, 'The fees of this client could not be set.');
    return {
      message: 'success' as const,
      maker_fee_percent: feePercent(tier.makerPpm),
      taker_fee_percent: feePercent(tier.takerPpm),
    };
  });

  calls.serve(haltMarket, async ({ body }) => {
    const market = deps.markets.resolve(body.symbol);
    if (market === undefined)
      return new Refusal(404, 'UNKNOWN_PAIR', say('There is no pair called {{name}}.', { name: body.symbol }));
    const { outcome } = await deps.engine.sequencer.submit({
      kind: 'halt-market',
      market: market.id,
      halted: body.halted,
    });
    if (!outcome.ok) return new Refusal(422, outcome.reason, 'The pair could not be halted.');
    return { message: 'success' as const, symbol: market.symbol, halted: body.halted };
  });
}
