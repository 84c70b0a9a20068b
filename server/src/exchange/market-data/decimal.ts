/** Integers to decimal text on the hot path of market data, without bigint. */

/** @param units a whole number; turnover beyond 2^53 is a display figure and may have lost its last digits */
export function decimalText(units: number, scale: number): string {
  const digits = Math.abs(units) < 1e21 ? Math.abs(units).toFixed(0) : BigInt(Math.abs(units)).toString();
  const sign = units < 0 ? '-' : '';
  if (scale === 0) return sign + digits;
  const padded = digits.length > scale ? digits : digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** For charts that want numbers. */
export const decimalNumber = (units: number, scale: number): number => units / 10 ** scale;

/** Change from `open` to `last` in percent, signed by its own minus, four decimals. What rounds to zero has no sign. */
export function changePercent(open: number, last: number): string {
  const text = (open === 0 ? 0 : ((last - open) / open) * 100).toFixed(4);
  return text === '-0.0000' ? '0.0000' : text;
}
