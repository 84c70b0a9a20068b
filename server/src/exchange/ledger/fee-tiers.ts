/**
 * What a client pays of what it receives, by tier, in parts per million. Tier 0 is every client's until an operator moves
 * a client to another; a new exchange sets it as the default by command.
 */
import { formatAmount } from '@cambist/core/money/amount.ts';

export interface FeeTier {
  readonly makerPpm: number;
  readonly takerPpm: number;
}

export const FEE_TIERS: readonly [FeeTier, ...FeeTier[]] = [
  { makerPpm: 800, takerPpm: 1_000 },
  { makerPpm: 600, takerPpm: 800 },
  { makerPpm: 500, takerPpm: 650 },
  { makerPpm: 400, takerPpm: 500 },
  { makerPpm: 200, takerPpm: 350 },
  { makerPpm: 0, takerPpm: 200 },
];

/** Parts per million as a percentage with four decimals. */
export const feePercent = (ppm: number): string => formatAmount(BigInt(ppm), 4);

/** The tier of rates; 0 for rates that are no tier's. */
export function tierOf({ makerPpm, takerPpm }: FeeTier): number {
  const tier = FEE_TIERS.findIndex((one) => one.makerPpm === makerPpm && one.takerPpm === takerPpm);
  return Math.max(0, tier);
}
