/**
 * Looks after payouts that are final by what is asked of them, until they are so deep that no chain replaces their blocks. One
 * that has left its chain is sent again as the same bytes: the ledger has paid it, so its receiver must have it, and on a chain
 * with nonces all later ones wait for it.
 */
import { type BlockHeader, type Chain, NodeFailure, type Sender } from '../chains/service.ts';
import type { KeptPayout } from './kept-payout.ts';
import type { PayoutStore } from './store.ts';

export interface SettledDeps {
  readonly chain: Pick<Chain, 'network' | 'head'>;
  readonly sender: Pick<Sender, 'status' | 'broadcast'>;
  readonly store: Pick<PayoutStore, 'finalSince'>;
  /** Raises an alarm for an operator. */
  readonly alarm: (kind: string, detail: string) => Promise<void>;
}

/** Two epochs of Ethereum, after which its blocks are final; more than has been replaced on the other chains. */
const BURIED = 64;

/** @returns work for a job: rejects where the database is away */
export function createSettled({ chain, sender, store, alarm }: SettledDeps): () => Promise<void> {
  let looked = '';
  /** Those that operators were told of. */
  const told = new Set<number>();

  async function sendAgain({ id, attempts, transaction }: KeptPayout): Promise<void> {
    const raw = attempts.find((attempt) => attempt.transaction === transaction)?.raw;
    if (raw == null) return;
    const answer = await sender.broadcast(raw);
    if (told.has(id)) return;
    told.add(id);
    const what = answer === 'taken' ? 'it was sent again' : `its node does not take it again (${answer})`;
    await alarm('payout-left-chain', `Payout ${id} was complete, and has left ${chain.network}: ${what}`);
  }

  async function look({ height }: BlockHeader): Promise<void> {
    for (const payout of await store.finalSince(chain.network, height - BURIED)) {
      if (payout.transaction === null) continue;
      const { state } = await sender.status(payout.transaction);
      if (state === 'UNKNOWN') await sendAgain(payout);
      else if (state === 'MINED') told.delete(payout.id);
    }
  }

  return async () => {
    try {
      const head = await chain.head();
      if (head.hash === looked) return;
      await look(head);
      looked = head.hash;
    } catch (error) {
      // It is looked at again once the node is back.
      if (!(error instanceof NodeFailure)) throw error;
    }
  };
}
