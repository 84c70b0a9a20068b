import { divCeil } from '../money/rounding.ts';

/** A fee may take all that is received, never more. */
export const MAXIMUM_FEE_PPM = 1_000_000;

/**
 * amount × ppm ÷ 10^6, rounded up, for amounts from 0 to 2^63 − 1. Split at a million so that no step leaves int64:
 * amount = whole × 10^6 + rest, whole × ppm ≤ amount, and rest × ppm < 10^12.
 * `asIntN(64, …)` changes no value here; it lets V8 compute in machine words instead of allocating.
 */
export function feeOf(amount: bigint, ppm: number): bigint {
  const rate = BigInt(ppm | 0);
  const whole = BigInt.asIntN(64, amount / 1_000_000n);
  const rest = BigInt.asIntN(64, amount - whole * 1_000_000n);
  const roundedUp = BigInt.asIntN(64, BigInt.asIntN(64, rest * rate + 999_999n) / 1_000_000n);
  return BigInt.asIntN(64, whole * rate + roundedUp);
}

/**
 * What is left of a fee in the received asset after `credit` of the `feeQuote` quote units it is worth was paid from
 * fee credit: fee × (feeQuote − credit) ÷ feeQuote, rounded up.
 */
export function feeAfterCredit(fee: bigint, feeQuote: bigint, credit: bigint): bigint {
  return credit === 0n ? fee : divCeil(fee * (feeQuote - credit), feeQuote);
}

export function isFee(ppm: number): boolean {
  return Number.isInteger(ppm) && ppm >= 0 && ppm <= MAXIMUM_FEE_PPM;
}
