/**
 * Today's profit and loss: what the holdings are worth now, less what they were worth at the start, less what came in
 * from outside (plus what left). All values in quote units; integers throughout, each division cut towards zero.
 */

export interface Holding {
  readonly asset: number;
  /** Smallest units now, held ones included. */
  readonly now: bigint;
  /** Smallest units at the start. */
  readonly before: bigint;
}

export interface FlowIn {
  readonly asset: number;
  readonly amount: bigint;
  readonly time: number;
}

/**
 * Worth in quote units of so many units of an asset by the price that the minute of a time ended with; now when the time is
 * undefined.
 */
export type Worth = (asset: number, units: bigint, time: number | undefined) => bigint;

export interface Profit {
  readonly value: bigint;
  /** Hundredths of a percent of what was there at the start plus what came in; 0 when that is nothing. */
  readonly basisPoints: bigint;
}

/** @param start ms since 1970 */
export function profitSince(
  start: number,
  holdings: readonly Holding[],
  flows: readonly FlowIn[],
  worth: Worth,
): Profit {
  const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);
  const now = sum(holdings.map(({ asset, now: units }) => worth(asset, units, undefined)));
  // The minute before: that of the start has moved the price already.
  const before = sum(holdings.map(({ asset, before: units }) => worth(asset, units, start - 1)));
  const cameIn = sum(flows.map(({ asset, amount, time }) => worth(asset, amount, time)));
  const value = now - before - cameIn;
  const base = before + (cameIn > 0n ? cameIn : 0n);
  return { value, basisPoints: base > 0n ? (value * 10_000n) / base : 0n };
}
