/** What a client had of each coin at the end of each day, from steps one after another. */
import type { Amount, Step } from '../cost-basis/feed.ts';

/** Days since 1970 (UTC), smallest units. */
export interface DayBalance {
  readonly owner: number;
  readonly asset: number;
  readonly day: number;
  readonly balance: bigint;
}

const DAY_MS = 86_400_000;

export const dayOf = (time: number): number => Math.floor(time / DAY_MS);

export const holdingKey = (owner: number, asset: number): string => `${owner}:${asset}`;

/** The pairs of owner and asset that steps change, each once. */
export function touchedBy(steps: readonly Step[]): [owner: number, asset: number][] {
  const touched = new Map<string, [number, number]>();
  for (const { owner, given, received } of steps) {
    for (const amount of [given, received]) {
      if (amount !== undefined) touched.set(holdingKey(owner, amount.asset), [owner, amount.asset]);
    }
  }
  return [...touched.values()];
}

/**
 * The rows that steps make or change. A step counts on the day of its time, or on the last day that is known where the
 * clock went back, so that rows of past days never change.
 * @param last of each pair that the steps change, its newest row
 */
export function daysAfter(last: readonly DayBalance[], steps: readonly Step[]): DayBalance[] {
  const newest = new Map(last.map((row) => [holdingKey(row.owner, row.asset), row]));
  const changed = new Map<string, DayBalance>();
  const add = (owner: number, { asset, units }: Amount, time: number) => {
    const key = holdingKey(owner, asset);
    const before = newest.get(key);
    const day = Math.max(dayOf(time), before?.day ?? 0);
    const row = { owner, asset, day, balance: (before?.balance ?? 0n) + units };
    newest.set(key, row);
    changed.set(`${key}:${day}`, row);
  };
  for (const { owner, given, received, time } of steps) {
    if (given !== undefined) add(owner, { asset: given.asset, units: -given.units }, time);
    if (received !== undefined) add(owner, received, time);
  }
  return [...changed.values()];
}

/** The balances at the end of some days in a row, from rows in any order: days without a row keep the one before. */
export function closingBalances(
  rows: readonly Pick<DayBalance, 'day' | 'balance'>[],
  first: number,
  count: number,
): bigint[] {
  const ascending = [...rows].sort((left, right) => left.day - right.day);
  let at = 0;
  let balance = 0n;
  return Array.from({ length: count }, (_, index) => {
    for (; at < ascending.length && ascending[at]!.day <= first + index; at += 1) balance = ascending[at]!.balance;
    return balance;
  });
}
