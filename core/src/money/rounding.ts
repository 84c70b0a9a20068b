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

/** Below these a product, and a division of it, stay in machine words. */
const SMALL_AMOUNT = 2n ** 42n;
const SMALL_PART = 2 ** 20;
const SMALL_WHOLE = 2 ** 31;

const isSmall = (amount: bigint, part: number, whole: number): boolean =>
  part < SMALL_PART && whole < SMALL_WHOLE && amount < SMALL_AMOUNT;

/** Of an int64 that is not below zero, a part of a whole number of parts, rounded down. `asIntN` changes no value here. */
export function shareFloor(amount: bigint, part: number, whole: number): bigint {
  if (!isSmall(amount, part, whole)) return BigInt.asIntN(64, divFloor(amount * BigInt(part), BigInt(whole)));
  return BigInt.asIntN(64, BigInt.asIntN(64, amount * BigInt(part | 0)) / BigInt(whole | 0));
}

/** The same rounded up. */
export function shareCeil(amount: bigint, part: number, whole: number): bigint {
  if (!isSmall(amount, part, whole)) return BigInt.asIntN(64, divCeil(amount * BigInt(part), BigInt(whole)));
  const divisor = BigInt(whole | 0);
  return BigInt.asIntN(64, BigInt.asIntN(64, amount * BigInt(part | 0) + divisor - 1n) / divisor);
}

/** The quotient of a division that is known to leave nothing over; anything else is a broken invariant. */
export function divExact(numerator: bigint, divisor: bigint): bigint {
  verifyDivisor(divisor);
  invariant(numerator % divisor === 0n, 'the division leaves nothing over', { numerator, divisor });
  return numerator / divisor;
}
