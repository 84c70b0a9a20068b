/**
 * How parameters travel: arrays as PostgreSQL's own array text, so that both drivers send the same bytes and the types
 * come from the casts in the SQL alone.
 */
import type { Parameter } from './database.ts';

export type WireParameter = string | number | boolean | null | Uint8Array;

function element(value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  return `"${String(value).replace(/[\\"]/g, '\\$&')}"`;
}

/** Columns of numbers, by far the most, need no element looked at. */
function arrayText(values: readonly unknown[]): string {
  const isPlain = values.every((value) => typeof value === 'number' || typeof value === 'bigint');
  return `{${isPlain ? values.join(',') : values.map(element).join(',')}}`;
}

/** Bigints and arrays become text; the rest goes as it is. */
export function wireParameter(value: Parameter): WireParameter {
  if (Array.isArray(value)) return arrayText(value);
  if (typeof value === 'bigint') return value.toString();
  return value as WireParameter;
}

/** int8 as a number; one outside the safe range is an error, never a rounded value. */
export function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} is outside the safe integers`);
  return value;
}

/** Type numbers of PostgreSQL (pg_type.dat). */
export const PgType = {
  BYTEA: 17,
  INT8: 20,
  JSON: 114,
  DATE: 1082,
  TIMESTAMP: 1114,
  TIMESTAMPTZ: 1184,
  NUMERIC: 1700,
  JSONB: 3802,
};
