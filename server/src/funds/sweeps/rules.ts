/** What holds for every sweep, whether addresses have balances or outputs. */
import type { CoinNetwork } from '../chains/service.ts';

/** Open at once on a network, at most. */
export const MAXIMUM_OPEN = 50;
/** A coin of an address of which a sweep has failed is tried again after so long. */
export const RETRY_MS = 3_600_000;
/** What cannot be paid any more, or is refused, is given up after so long, and planned anew. */
export const GIVE_UP_MS = 600_000;

/** As deep as what is paid out. */
export const confirmationsOf = (way: CoinNetwork): number => way.withdraw_confirmations ?? way.unlocked_at;
