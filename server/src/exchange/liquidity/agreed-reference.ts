/**
 * The reference, held against the further feeds. Around it the market maker quotes, and it triggers what waits for a mark, so one
 * feed that lies would be taken from for as long as it does.
 */
import type { PriceSource, Reference } from './reference.ts';

/** So far apart two prices contradict each other, as in the index. */
const APART_PPM = 10_000;

const ascending = (one: number, other: number) => one - other;

/**
 * Of three prices or more the median, which one that is wrong does not move. Of two nothing says which is right where they contradict
 * each other.
 * @param all the first one among them, in any order
 * @returns undefined while nothing trustworthy is known
 */
export function agreedPrice(first: number, all: readonly number[]): number | undefined {
  const sorted = all.toSorted(ascending);
  const [lowest = first, highest = first] = [sorted[0], sorted.at(-1)];
  if (sorted.length < 3) return (highest - lowest) * 1_000_000 > lowest * APART_PPM ? undefined : first;
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}

/** While the reference says nothing itself, nothing is known. @param sources the reference among them */
export function createAgreedReference(reference: Reference, sources: readonly Pick<PriceSource, 'price'>[]): Reference {
  return {
    ...reference,
    price(market) {
      const price = reference.price(market);
      if (price === undefined) return undefined;
      return agreedPrice(
        price,
        sources.flatMap((source) => source.price(market) ?? []),
      );
    },
  };
}
