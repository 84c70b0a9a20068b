/** Numbers and times as people read them. Decimal text goes to Intl as text, so that no digit is lost. */
import { compare, type Decimal, decimal, rescale, toText } from './decimal.ts';

const numberFormats = new Map<string, Intl.NumberFormat>();

function numberFormat(minimum: number, maximum: number): Intl.NumberFormat {
  const key = `${minimum}/${maximum}`;
  let format = numberFormats.get(key);
  if (!format) {
    format = new Intl.NumberFormat('en', { minimumFractionDigits: minimum, maximumFractionDigits: maximum });
    numberFormats.set(key, format);
  }
  return format;
}

/** Grouped, with exactly `digits` decimals unless `minimum` allows fewer. Cut towards zero by rounding down. */
export function formatDecimal(value: string | Decimal, digits: number, minimum = digits): string {
  const exact = rescale(typeof value === 'string' ? decimal(value) : value, digits, 'floor');
  return numberFormat(minimum, digits).format(toText(exact) as Intl.StringNumericLiteral);
}

/** Splits the zeros that carry no information off the end, so that they can be dimmed. */
export function splitTrailingZeros(text: string): [string, string] {
  if (!text.includes('.')) return [text, ''];
  const zeros = /\.?0+$/.exec(text)?.[0] ?? '';
  return [text.slice(0, text.length - zeros.length), zeros];
}

const ONE: Decimal = { units: 1n, scale: 0 };
const compactFormat = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });

const smallFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

/** 1.23B; for volumes and market values, never for a balance. */
export function formatCompact(value: string): string {
  const exact = decimal(value);
  const format = compare(exact, ONE) < 0 ? smallFormat : compactFormat;
  return format.format(toText(exact) as Intl.StringNumericLiteral);
}

/** A percentage with its sign. Zero has none. */
export function formatPercent(value: string | Decimal, digits = 2): string {
  const exact = rescale(typeof value === 'string' ? decimal(value) : value, digits, 'nearest');
  const sign = exact.units > 0n ? '+' : exact.units < 0n ? '−' : '';
  const magnitude = { units: exact.units < 0n ? -exact.units : exact.units, scale: exact.scale };
  return `${sign}${formatDecimal(magnitude, digits)}%`;
}

const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const dateTimeFormat = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

export function formatTime(timeMs: number): string {
  return timeFormat.format(timeMs);
}

export function formatDateTime(timeMs: number): string {
  return dateTimeFormat.format(timeMs);
}
