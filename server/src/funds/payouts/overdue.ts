/**
 * An alarm for payments that their node, their signer or their fee has held up for long: each of these usually passes by
 * itself; one that lasts, such as two nodes that never name the same terms, would otherwise wait in silence.
 */
import type { PayoutStore } from './store.ts';

/** Longer than a restart, a block that is late, or a fee that is high for a moment. */
export const OVERDUE_MS = 15 * 60_000;

const WORDS = { NODE: 'for its node', SIGNER: 'for the signer', FEE: 'for a lower fee' } as const;
// What else payments wait for has an alarm of its own from its first moment, or is an operator's wish.
const CAUSES = Object.keys(WORDS) as readonly (keyof typeof WORDS)[];

export interface OverdueDeps {
  readonly store: Pick<PayoutStore, 'heldUp'>;
  /** Raises an alarm for an operator. */
  readonly alarm: (kind: string, detail: string) => Promise<void>;
  readonly clock: { now(): number };
}

/** @returns work for a job: rejects where the database is away */
export function createOverdue({ store, alarm, clock }: OverdueDeps): () => Promise<void> {
  /** What operators were told of and still lasts, so that what they have acknowledged is not raised again. */
  let told: ReadonlySet<string> = new Set();

  return async () => {
    const lasting = new Set<string>();
    for (const { network, waits_for: cause } of await store.heldUp(CAUSES, clock.now() - OVERDUE_MS)) {
      const detail = `A payment on ${network} has waited ${WORDS[cause]} for ${OVERDUE_MS / 60_000} minutes`;
      if (!told.has(detail)) await alarm('payout-overdue', detail);
      lasting.add(detail);
    }
    told = lasting;
  };
}
