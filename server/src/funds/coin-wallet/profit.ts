/** What coins that are held have gained over what they have cost, in money units; integers throughout. */
import type { Position } from '../cost-basis/service.ts';

export interface Gain {
  readonly gain: bigint;
  readonly cost: bigint;
}

/** What all of a position would gain at the last price. Undefined where its cost or its price is not known. */
export function gainOf(
  { quantity, cost, isUnpriced }: Position,
  worthOf: (units: bigint) => bigint | undefined,
): Gain | undefined {
  if (quantity === 0n || isUnpriced) return undefined;
  const worth = worthOf(quantity);
  return worth === undefined ? undefined : { gain: worth - cost, cost };
}

/** Hundredths of a percent of the cost, cut towards zero; undefined where that was nothing. */
export const basisPointsOf = ({ gain, cost }: Gain): bigint | undefined =>
  cost > 0n ? (gain * 10_000n) / cost : undefined;
