/** What holds for every sweep, whether addresses have balances or outputs. */
import type { CoinNetwork } from '../chains/service.ts';
import type { OwnPayouts } from '../payouts/service.ts';
import type { Sweep } from './service.ts';
import type { SweepStore } from './store.ts';

/** Open at once on a network, at most. */
export const MAXIMUM_OPEN = 50;
/** A coin of an address of which a sweep has failed is tried again after so long. */
export const RETRY_MS = 3_600_000;
/** What cannot be paid any more, or is refused, is given up after so long, and planned anew. */
const GIVE_UP_MS = 600_000;

interface FollowDeps {
  readonly store: SweepStore;
  readonly payouts: Pick<OwnPayouts, 'giveUp'>;
  readonly clock: { now(): number };
}
type Payout = Awaited<ReturnType<OwnPayouts['of']>>[number];

/** Ends a sweep as its payment has ended. @param hopeless why a payment that is only planned is given up after a while */
export async function follow(
  { store, payouts, clock }: FollowDeps,
  sweep: Sweep,
  payout: Payout | undefined,
  hopeless: readonly Payout['waitsFor'][],
): Promise<void> {
  if (payout?.state === 'FINAL') await store.ended(sweep, 'FINAL', '', clock.now());
  else if (payout?.state === 'FAILED') await store.ended(sweep, 'FAILED', 'PAYMENT', clock.now());
  else if (payout?.state === 'PLANNED' && hopeless.includes(payout.waitsFor)) {
    if (clock.now() - payout.updatedAt >= GIVE_UP_MS) await payouts.giveUp('sweep', sweep.id);
  }
}

/** As deep as what is paid out. */
export const confirmationsOf = (way: CoinNetwork): number => way.withdraw_confirmations ?? way.unlocked_at;
