/** All coins of all wallets together, and which part of the whole each of them is. */
import { add, compare, type Decimal, decimal, ratio, ZERO } from '../../../lib/decimal.ts';
import type { WalletCoin } from '../wallets.ts';

export interface Holding {
  readonly code: string;
  readonly name: string;
  readonly amount: Decimal;
  /** USDT; nothing is said by it where there is no price. */
  readonly worth: Decimal;
  readonly price: string | null;
}

/** Of what there is anything, largest value first. */
export function holdingsOf(wallets: readonly (readonly WalletCoin[])[]): Holding[] {
  const byCode = new Map<string, Holding>();
  for (const { code, name, total, worth, price } of wallets.flat()) {
    const before = byCode.get(code) ?? { code, name, amount: ZERO, worth: ZERO, price };
    byCode.set(code, { ...before, amount: add(before.amount, total), worth: add(before.worth, decimal(worth)) });
  }
  return [...byCode.values()]
    .filter(({ amount }) => amount.units > 0n)
    .sort((left, right) => compare(right.worth, left.worth) || left.code.localeCompare(right.code));
}

export interface Slice {
  /** Undefined for all that is not named. */
  readonly code: string | undefined;
  readonly worth: Decimal;
  /** Of the whole, 0 to 1; for the eye. */
  readonly part: number;
  /** Where it begins on the circle, 0 to 1. */
  readonly from: number;
}

const sum = (holdings: readonly Holding[]) => holdings.reduce((all, { worth }) => add(all, worth), ZERO);

/** The coins that are worth most, each a slice, and one for the rest. @param holdings largest value first */
export function slicesOf(holdings: readonly Holding[], named: number): Slice[] {
  const priced = holdings.filter(({ worth }) => worth.units > 0n);
  const whole = sum(priced);
  // One coin more needs no slice for the rest.
  const count = priced.length === named + 1 ? named + 1 : named;
  const rest = priced.slice(count);
  const parts: { code: string | undefined; worth: Decimal }[] = priced
    .slice(0, count)
    .map(({ code, worth }) => ({ code, worth }));
  if (rest.length > 0) parts.push({ code: undefined, worth: sum(rest) });
  let from = 0;
  return parts.map((slice) => {
    const part = ratio(slice.worth, whole);
    const begins = from;
    from += part;
    return { ...slice, part, from: begins };
  });
}
