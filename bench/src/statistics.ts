/** What a benchmark says of its several runs. */

/** @param share 0 to 1 @returns the value that this share of all is below; 0 of none */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Of an even number of values the upper of the two in the middle. */
export const median = (values: readonly number[]): number => percentile(values, 0.5);
