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

/** The quotient of a division that is known to leave nothing over; anything else is a broken invariant. */
export function divExact(numerator: bigint, divisor: bigint): bigint {
  verifyDivisor(divisor);
  invariant(numerator % divisor === 0n, 'the division leaves nothing over', { numerator, divisor });
  return numerator / divisor;
}
