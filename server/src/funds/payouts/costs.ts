/** Brings into the ledger what final transactions have cost: each row is a command that is submitted until it is done. */

import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import type { Sequencer } from '../../exchange/engine/service.ts';
import { NotAccepted, OutcomeUnknown } from '../../exchange/engine/service.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import type { Cost } from './figures-store.ts';
import type { PayoutStore } from './store.ts';

/** The slice's number as the source of commands. */
const SOURCE = 3;

export interface CostsDeps {
  readonly store: Pick<PayoutStore, 'undoneCosts' | 'costDone'>;
  readonly sequencer: Pick<Sequencer, 'submit'>;
}

function legOf({ asset, amount }: Cost) {
  const [from, to] = [SystemOwner.NETWORK_COSTS, SystemOwner.CUSTODY].map((owner) =>
    accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset),
  );
  return { from: from ?? 0, to: to ?? 0, amount };
}

async function isBooked({ sequencer }: CostsDeps, cost: Cost): Promise<boolean> {
  const { sequence, payout: reference } = cost;
  const facts = { kind: 'transfer', reason: 'network-cost', reference, isPending: false, detail: '' } as const;
  try {
    const origin = { source: SOURCE, sequence };
    const { outcome } = await sequencer.submit({ ...facts, legs: [legOf(cost)], origin });
    // The ledger keeps the last sequence of a source: one that it has had is done.
    if (outcome.ok || outcome.reason === 'DUPLICATE_ID') return true;
    if (outcome.reason === 'OUT_OF_SEQUENCE') return false;
    throw new Error(`The ledger does not take the cost of payout ${reference}: ${outcome.reason}`);
  } catch (error) {
    if (error instanceof NotAccepted || error instanceof OutcomeUnknown) return false;
    throw error;
  }
}

/** @returns work for a job: rejects where the database is away or the ledger refuses a cost */
export function createCosts(deps: CostsDeps): () => Promise<void> {
  return oneAtATime(async () => {
    for (const cost of await deps.store.undoneCosts()) {
      if (!(await isBooked(deps, cost))) return;
      await deps.store.costDone(cost);
    }
  });
}
