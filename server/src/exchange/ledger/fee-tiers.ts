/**
 * What a client pays of what it receives, by tier, in parts per million. Tier 0 is everybody's; an operator moves a
 * client to another.
 */
import { DEFAULT_MAKER_PPM, DEFAULT_TAKER_PPM } from '@cambist/core/ledger/fee.ts';

export interface FeeTier {
  readonly makerPpm: number;
  readonly takerPpm: number;
}

export const FEE_TIERS: readonly FeeTier[] = [
  { makerPpm: DEFAULT_MAKER_PPM, takerPpm: DEFAULT_TAKER_PPM },
  { makerPpm: 600, takerPpm: 800 },
  { makerPpm: 500, takerPpm: 650 },
  { makerPpm: 400, takerPpm: 500 },
  { makerPpm: 200, takerPpm: 350 },
  { makerPpm: 0, takerPpm: 200 },
];
