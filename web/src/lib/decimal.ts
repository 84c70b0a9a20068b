/**
 * Exact decimals for what people type and what the server sends: an integer of smallest units and a scale. No money
 * ever passes through a binary fraction; every narrowing names its rounding.
 */
import { formatAmount } from '@cambist/core/money/amount.ts';
import { divCeil, divFloor } from '@cambist/core/money/rounding.ts';

export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** `zero` cuts towards zero; `nearest` takes a half away from it, so that a loss is written as a gain of its size is. */
export type Rounding = 'floor' | 'ceil' | 'zero' | 'nearest';

export const ZERO: Decimal = { units: 0n, scale: 0 };

/** Reads `12`, `12.50`, `.5`, `5.` or `-0.3`; anything else is undefined. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = /^([+-]?)(\d*)\.?(\d*)$/.exec(text.trim());
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const units = BigInt(whole + fraction);
  return { units: sign === '-' ? -units : units, scale: fraction.length };
}

/** For server text that the contract has already checked; what cannot be read counts as zero. */
export function decimal(text: string | null | undefined): Decimal {
  return (text && parseDecimal(text)) || ZERO;
}

function divideUnits(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  if (rounding === 'floor') return divFloor(dividend, divisor);
  if (rounding === 'ceil') return divCeil(dividend, divisor);
  if (rounding === 'zero') return dividend / divisor;
  const half = dividend < 0n ? -divisor : divisor;
  return (dividend * 2n + half) / (divisor * 2n);
}

/** The same value at another scale. Digits are only lost, by the named rounding, when the scale shrinks. */
export function rescale(value: Decimal, scale: number, rounding: Rounding): Decimal {
  if (scale >= value.scale) return { units: value.units * 10n ** BigInt(scale - value.scale), scale };
  return { units: divideUnits(value.units, 10n ** BigInt(value.scale - scale), rounding), scale };
}

function aligned(left: Decimal, right: Decimal): [bigint, bigint, number] {
  const scale = Math.max(left.scale, right.scale);
  return [rescale(left, scale, 'floor').units, rescale(right, scale, 'floor').units, scale];
}

export function add(left: Decimal, right: Decimal): Decimal {
  const [a, b, scale] = aligned(left, right);
  return { units: a + b, scale };
}

export function subtract(left: Decimal, right: Decimal): Decimal {
  const [a, b, scale] = aligned(left, right);
  return { units: a - b, scale };
}

/** Exact: the scales add up. */
export function multiply(left: Decimal, right: Decimal): Decimal {
  return { units: left.units * right.units, scale: left.scale + right.scale };
}

/** Undefined when the divisor is zero or below. */
export function divide(left: Decimal, right: Decimal, scale: number, rounding: Rounding): Decimal | undefined {
  if (right.units <= 0n) return undefined;
  const shift = scale + right.scale - left.scale;
  const dividend = shift >= 0 ? left.units * 10n ** BigInt(shift) : left.units;
  const divisor = shift >= 0 ? right.units : right.units * 10n ** BigInt(-shift);
  return { units: divideUnits(dividend, divisor, rounding), scale };
}

/** `percent` in whole percent. */
export function share(value: Decimal, percent: number, scale: number): Decimal {
  return rescale(multiply(value, { units: BigInt(percent), scale: 2 }), scale, 'floor');
}

/** Negative, zero or positive, as a sort function wants it. */
export function compare(left: Decimal, right: Decimal): number {
  const [a, b] = aligned(left, right);
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Plain text with exactly the value's scale. */
export function toText(value: Decimal): string {
  return formatAmount(value.units, value.scale);
}

/** Plain text without trailing zeros; what goes into an input. */
export function toShortText(value: Decimal): string {
  const text = toText(value);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** For drawing only (depth bars, sparklines, charts): a ratio between 0 and 1, never an amount. */
export function ratio(part: Decimal, whole: Decimal): number {
  const result = divide(part, whole, 6, 'nearest');
  return result ? Number(result.units) / 1_000_000 : 0;
}

/** Change from `before` to `after` in percent with four decimals; undefined when `before` is zero. */
export function changePercent(before: Decimal, after: Decimal): Decimal | undefined {
  return divide(multiply(subtract(after, before), { units: 100n, scale: 0 }), before, 4, 'nearest');
}
