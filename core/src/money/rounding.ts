/** Every division of money names its rounding. Divisors are above zero. */
import { invariant } from '../invariant.ts';

/** The largest integer that is not above `numerator / divisor`. */
export function divFloor(numerator: bigint, divisor: bigint): bigint {
  invariant(divisor > 0n, 'the divisor is above zero', { divisor });
  const quotient = numerator / divisor;
  return numerator % divisor < 0n ? quotient - 1n : quotient;
}

/** The smallest integer that is not below `numerator / divisor`. */
export function divCeil(numerator: bigint, divisor: bigint): bigint {
  invariant(divisor > 0n, 'the divisor is above zero', { divisor });
  const quotient = numerator / divisor;
  return numerator % divisor > 0n ? quotient + 1n : quotient;
}

/** The quotient of a division that is known to leave nothing over; anything else is a broken invariant. */
export function divExact(numerator: bigint, divisor: bigint): bigint {
  invariant(divisor > 0n, 'the divisor is above zero', { divisor });
  invariant(numerator % divisor === 0n, 'the division leaves nothing over', { numerator, divisor });
  return numerator / divisor;
}
