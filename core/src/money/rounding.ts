/** Every division of money names its rounding. Divisors are above zero. */
import { InvariantError, invariant } from '../invariant.ts';

/** Apart from the divisions, so that these are small enough to be compiled into their callers. */
function verifyDivisor(divisor: bigint): void {
  if (divisor <= 0n) throw new InvariantError('the divisor is above zero', { divisor });
}

/** The largest integer that is not above `numerator / divisor`. */
export function divFloor(numerator: bigint, divisor: bigint): bigint {
  verifyDivisor(divisor);
  const quotient = numerator / divisor;
  return numerator % divisor < 0n ? quotient - 1n : quotient;
}

/** The smallest integer that is not below `numerator / divisor`. */
export function divCeil(numerator: bigint, divisor: bigint): bigint {
  verifyDivisor(divisor);
  const quotient = numerator / divisor;
  return numerator % divisor > 0n ? quotient + 1n : quotient;
}

/** The nearest integer to `numerator / divisor`; of two that are as near, the larger. */
export function divNearest(numerator: bigint, divisor: bigint): bigint {
  return divFloor(2n * numerator + divisor, 2n * divisor);
}

/** Below these a product, and a division of it, stay in machine words. */
const SMALL_AMOUNT = 2n ** 42n;
const SMALL_PART = 2 ** 20;
const SMALL_WHOLE = 2 ** 31;

const isSmall = (amount: bigint, part: number, whole: number): boolean =>
  part < SMALL_PART && whole < SMALL_WHOLE && amount < SMALL_AMOUNT;

/**
 * Of an int64 that is not below zero, a part of a whole number of parts, rounded down, or up where `up` is 1: a number, as a branch
 * that hangs on a person's side is guessed wrong half of the time. `asIntN` changes no value here.
 */
export function share(amount: bigint, part: number, whole: number, up: 0 | 1): bigint {
  if (!isSmall(amount, part, whole)) return largeShare(amount, part, whole, up);
  const more = BigInt((up * (whole - 1)) | 0);
  return BigInt.asIntN(64, BigInt.asIntN(64, amount * BigInt(part | 0) + more) / BigInt(whole | 0));
}

function largeShare(amount: bigint, part: number, whole: number, up: 0 | 1): bigint {
  const exact = amount * BigInt(part);
  return BigInt.asIntN(64, up === 1 ? divCeil(exact, BigInt(whole)) : divFloor(exact, BigInt(whole)));
}

export const shareFloor = (amount: bigint, part: number, whole: number): bigint => share(amount, part, whole, 0);

/** The quotient of a division that is known to leave nothing over; anything else is a broken invariant. */
export function divExact(numerator: bigint, divisor: bigint): bigint {
  verifyDivisor(divisor);
  invariant(numerator % divisor === 0n, 'the division leaves nothing over', { numerator, divisor });
  return numerator / divisor;
}
