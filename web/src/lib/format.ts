/** Numbers and times as people read them. Decimal text goes to Intl as text, so that no digit is lost. */
import { compare, type Decimal, decimal, rescale, toShortText, toText } from './decimal.ts';
import { currentLocale } from './i18n.ts';

const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

/** One formatter for each language and use of it: they are slow to make. */
function cached<Format extends Intl.NumberFormat | Intl.DateTimeFormat>(use: string, make: (tag: string) => Format) {
  const { tag } = currentLocale();
  const key = `${tag} ${use}`;
  const found = (formats.get(key) as Format | undefined) ?? make(tag);
  formats.set(key, found);
  return found;
}

function numberFormat(minimum: number, maximum: number): Intl.NumberFormat {
  const digits = { minimumFractionDigits: minimum, maximumFractionDigits: maximum };
  return cached(`${minimum}/${maximum}`, (tag) => new Intl.NumberFormat(tag, digits));
}

/** `.` or `,`: what stands before the fraction in the person's language. */
export function decimalMark(): '.' | ',' {
  return numberFormat(1, 1).format(0).includes(',') ? ',' : '.';
}

/** How the person's language writes a number, with what was written lately: hundreds of figures change each second. */
interface Writing {
  readonly tag: string;
  readonly mark: string;
  /** What follows a number of percent: `%`, or a space before it. */
  readonly percent: string;
  readonly wholes: Map<string, string>;
  readonly shares: Map<number, string>;
}

const WHOLES_KEPT = 2_000;
let writing: Writing | undefined;

function currentWriting(): Writing {
  const { tag } = currentLocale();
  if (writing?.tag !== tag) {
    const percent = formatShare(1, 0).replace(/^\p{Nd}+/u, '');
    writing = { tag, mark: decimalMark(), percent, wholes: new Map(), shares: new Map() };
  }
  return writing;
}

function groupedWhole({ wholes }: Writing, whole: string): string {
  const known = wholes.get(whole);
  if (known !== undefined) return known;
  const text = numberFormat(0, 0).format(whole as Intl.StringNumericLiteral);
  if (wholes.size >= WHOLES_KEPT) wholes.clear();
  wholes.set(whole, text);
  return text;
}

/** In most languages Intl writes a hyphen before a number below zero. */
const withMinus = (text: string): string => text.replace('-', '−');

/** Digits before and behind the point, cut to `digits` decimals. Intl is asked once for a whole part. */
function writeDigits(whole: string, fraction: string, digits: number): string {
  const now = currentWriting();
  const grouped = groupedWhole(now, whole);
  return digits === 0 ? grouped : `${grouped}${now.mark}${fraction.slice(0, digits).padEnd(digits, '0')}`;
}

const PLAIN = /^(\d+)(?:\.(\d+))?$/;

/** Grouped, with exactly `digits` decimals unless `minimum` allows fewer. Cut towards zero. */
export function formatDecimal(value: string | Decimal, digits: number, minimum = digits): string {
  const plain = typeof value === 'string' && minimum === digits ? PLAIN.exec(value) : null;
  if (plain) return writeDigits(plain[1] ?? '', plain[2] ?? '', digits);
  const exact = rescale(typeof value === 'string' ? decimal(value) : value, digits, 'zero');
  return withMinus(numberFormat(minimum, digits).format(toText(exact) as Intl.StringNumericLiteral));
}

/** A price; a dash for a market that has none. */
export const formatPrice = (value: string | undefined, digits: number): string =>
  value ? formatDecimal(value, digits) : '–';

/** `formatDecimal` for safe integers of a scale, none below zero: the ticks and lots of a book. */
export function formatUnits(units: number, scale: number, digits: number): string {
  const text = String(units).padStart(scale + 1, '0');
  const point = text.length - scale;
  return writeDigits(text.slice(0, point), text.slice(point), digits);
}

/** A share of 0 to 100 percent in a row of figures: one decimal below ten, none from there on. */
export function formatRowShare(percent: number): string {
  // What rounds to ten is written as ten: `10.0%` is wider than any other.
  const digits = percent < 9.95 ? 1 : 0;
  const rounded = Math.round(percent * 10 ** digits);
  const { shares } = currentWriting();
  // Tenths below zero and whole percents above it, so that both can be keys.
  const key = digits === 1 ? -rounded : rounded;
  const text = shares.get(key) ?? formatShare(rounded / 10 ** digits, digits);
  shares.set(key, text);
  return text;
}

/** A price in dollars with exactly `digits` decimals, cut towards zero. */
export function formatDollars(value: string | Decimal, digits: number): string {
  const exact = rescale(typeof value === 'string' ? decimal(value) : value, digits, 'zero');
  const style = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = cached(`dollars/${digits}`, (tag) => new Intl.NumberFormat(tag, { ...style, ...fraction }));
  return withMinus(format.format(toText(exact) as Intl.StringNumericLiteral));
}

/** Splits the zeros that carry no information off the end, so that they can be dimmed. */
export function splitTrailingZeros(text: string): [string, string] {
  const mark = text.lastIndexOf(decimalMark());
  if (mark < 0) return [text, ''];
  const zeros = /[.,]?0+$/.exec(text.slice(mark))?.[0] ?? '';
  return [text.slice(0, text.length - zeros.length), zeros];
}

const ONE: Decimal = { units: 1n, scale: 0 };

const compactFormat = () =>
  cached('compact', (tag) => new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 2 }));
const smallFormat = () => cached('small', (tag) => new Intl.NumberFormat(tag, { maximumSignificantDigits: 4 }));

/** 1.23B; for volumes and market values, never for a balance. */
export function formatCompact(value: string): string {
  const exact = decimal(value);
  const magnitude = { ...exact, units: exact.units < 0n ? -exact.units : exact.units };
  const format = compare(magnitude, ONE) < 0 ? smallFormat() : compactFormat();
  return withMinus(format.format(toText(exact) as Intl.StringNumericLiteral));
}

/** A share or a distance in percent, for the eye: `4.5%`, or `4,5 %`. */
export function formatShare(percent: number, digits: number): string {
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  // What rounds to zero has no sign.
  const style = { style: 'percent', signDisplay: 'negative', ...fraction } as const;
  const format = cached(`share/${digits}`, (tag) => new Intl.NumberFormat(tag, style));
  return withMinus(format.format(percent / 100));
}

/** A number that is written with a dot, as the person's language writes it: grouped, with the decimals that it has. */
export function localizeNumber(text: string): string {
  const digits = text.split('.')[1]?.length ?? 0;
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  return withMinus(numberFormat(digits, digits).format(text as Intl.StringNumericLiteral));
}

/** All its digits and no trailing zeros, grouped: for sums in a sentence, where a limit may not be rounded. */
export const formatExact = (value: Decimal): string => localizeNumber(toShortText(value));

/** Digits that are read at a glance. */
const BRIEF_DIGITS = 6;

/** An amount where there is no room for all of it and another place has it: cut to six digits, never to nothing. */
export function formatBrief(value: Decimal): string {
  const whole = toText(rescale(value, 0, 'floor')).length;
  const brief = rescale(value, Math.min(value.scale, Math.max(0, BRIEF_DIGITS - whole)), 'floor');
  return formatExact(brief.units > 0n ? brief : value);
}

/** A gain or a loss with its sign, rounded to the nearest. What rounds to zero has none. */
export function formatSigned(value: string | Decimal, digits: number): string {
  const exact = rescale(typeof value === 'string' ? decimal(value) : value, digits, 'nearest');
  const sign = exact.units > 0n ? '+' : exact.units < 0n ? '−' : '';
  const magnitude = { units: exact.units < 0n ? -exact.units : exact.units, scale: exact.scale };
  return `${sign}${formatDecimal(magnitude, digits)}`;
}

/** Of what waits or is unread: more than these are not counted out. */
const MOST_COUNTED = 99;

export const formatCount = (count: number): string => (count > MOST_COUNTED ? `${MOST_COUNTED}+` : String(count));

/** A number that is written already, with the sign of percent as the person's language sets it. */
export const withPercent = (text: string | number): string => `${text}${currentWriting().percent}`;

/** A percentage with its sign. Zero has none. */
export const formatPercent = (value: string | Decimal, digits = 2): string => withPercent(formatSigned(value, digits));

/** British English writes times on a 24-hour clock, as exchanges do. */
const timeTag = (tag: string) => (tag === 'en' ? 'en-GB' : tag);

export function formatTime(timeMs: number): string {
  const parts = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  return cached('time', (tag) => new Intl.DateTimeFormat(timeTag(tag), parts)).format(timeMs);
}

/** With its year where that is another one than now. */
export function formatDateTime(timeMs: number): string {
  const year = new Date(timeMs).getFullYear() === new Date().getFullYear() ? undefined : 'numeric';
  const day = { day: 'numeric', month: 'short', year } as const;
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  const make = (tag: string) => new Intl.DateTimeFormat(timeTag(tag), { ...day, ...time });
  return cached(`dateTime ${year}`, make).format(timeMs);
}

const DATE_PARTS = { day: 'numeric', month: 'short', year: 'numeric' } as const;

export function formatDate(timeMs: number): string {
  return cached('date', (tag) => new Intl.DateTimeFormat(timeTag(tag), DATE_PARTS)).format(timeMs);
}

/** Of a day of UTC, or a date without a time, by its beginning: west of Greenwich, that is the evening before. */
export function formatDay(beginMs: number): string {
  return cached('day', (tag) => new Intl.DateTimeFormat(timeTag(tag), { ...DATE_PARTS, timeZone: 'UTC' })).format(
    beginMs,
  );
}
