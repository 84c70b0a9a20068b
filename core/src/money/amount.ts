/** Decimal text ↔ smallest units. The only places where a person's number becomes money and back. */

import { InvariantError } from '../invariant.ts';

/** The largest amount that the ledger, the journal and the tables can hold. */
export const MAXIMUM_AMOUNT = 2n ** 63n - 1n;

/**
 * The same amount, of which it is known that it is within int64. Where V8 knows it too, it computes in machine words and makes no
 * object; what is beyond is no amount of this exchange, and never wraps.
 */
export function int64(amount: bigint): bigint {
  const word = BigInt.asIntN(64, amount);
  if (word !== amount) refuseBeyond(amount);
  return word;
}

/** Adds one of an array's amounts to another, by place: an int64 that travels through a call may become an object. */
export function addInt64(units: BigInt64Array, to: number, from: number): void {
  units[to] = int64(units[to]! + units[from]!);
}

/** Apart, so that the check itself is small enough to be compiled into its callers. */
function refuseBeyond(amount: bigint): never {
  throw new InvariantError('an amount is within int64', { amount });
}

export type ParseError = 'EMPTY' | 'MALFORMED' | 'TOO_MANY_DECIMALS' | 'OVERFLOW';
export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ParseError };

/** Digits, then perhaps a point and digits. No sign, exponent, space, grouping, bare point or padding with zeros. */
const DECIMAL = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** Enough for 19 digits before and 18 after the point; longer text is never read. */
const MAXIMUM_TEXT_LENGTH = 48;

/**
 * Reads decimal text as smallest units, 10^-scale each, from 0 to 2^63 − 1.
 * Never rounds: a decimal place too many is an error, even when it is a zero.
 */
export function parseAmount(text: string, scale: number): Parsed<bigint> {
  if (text.length === 0) return { ok: false, error: 'EMPTY' };
  if (text.length > MAXIMUM_TEXT_LENGTH) return { ok: false, error: 'MALFORMED' };
  const match = DECIMAL.exec(text);
  if (match === null) return { ok: false, error: 'MALFORMED' };
  const whole = match[1] ?? '';
  const decimals = match[2] ?? '';
  if (decimals.length > scale) return { ok: false, error: 'TOO_MANY_DECIMALS' };
  const value = BigInt(whole + decimals.padEnd(scale, '0'));
  if (value > MAXIMUM_AMOUNT) return { ok: false, error: 'OVERFLOW' };
  return { ok: true, value };
}

/** Writes smallest units as decimal text with exactly `scale` decimals; below zero with a leading minus. */
export function formatAmount(units: bigint, scale: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The same as people are told it: without zeros at the end. */
export const formatBriefly = (units: bigint, scale: number): string =>
  scale === 0 ? formatAmount(units, scale) : formatAmount(units, scale).replace(/\.?0+$/, '');
