/**
 * Reads a number as it was typed or pasted. What comes out is plain (digits, and a dot before decimals), or a refusal:
 * a text is never cut, rounded or guessed into another number than the one that the reader sees.
 *
 * The reader's language says which mark comes before the decimals, `.` or `,`; the other one groups thousands.
 *
 * 1. Spaces of every width and apostrophes group thousands, in any language. Full-width digits and marks, as input
 *    methods of Chinese and Japanese write them, count as the plain ones.
 * 2. Groups are one to three digits that do not begin with zero, then threes, all with the same mark. What is grouped
 *    otherwise is refused.
 * 3. With both marks the last one comes before the decimals, whatever the language: `92,098.8` and `92.098,8`.
 * 4. A mark that occurs twice or more groups: `1.234.567`.
 * 5. A mark beside groups of spaces or apostrophes comes before decimals: `1 234,5` and `1'234.5`.
 * 6. A single mark is read as the reader's language reads it: with three digits behind it, `10,000` is ten thousand in
 *    English and ten in German. Where the language's own decimal mark has three digits behind it, and the field takes
 *    fewer decimals than that, the text may come from elsewhere and is refused as ambiguous.
 * 7. A single mark of the other kind that cannot group (`12,5`, `0,125`) comes before decimals.
 * 8. Decimals past the field's step are refused, unless they are zeros.
 * 9. A minus, an exponent and any other character are refused, and the refusal names them: a field that dropped the `e`
 *    of `1e9` as it was typed would hold 19.
 */
import { decimalMark, localizeNumber } from './format.ts';
import { t } from './i18n.ts';

type Mark = '.' | ',';
type Refusal = 'unreadable' | 'foreign' | 'negative' | 'ambiguous' | 'too-fine';

export type Reading =
  | { readonly kind: 'empty' }
  | { readonly kind: 'number'; readonly value: string }
  | { readonly kind: 'refused'; readonly why: Refusal };

/** More is no amount of anything. */
const LONGEST = 48;
/** Also what is copied along with a text of left-to-right direction. Marks that turn the order of what is seen are refused. */
const NEVER_SEEN = /[\u200b-\u200f\u2060\u202a\u202c\u202d\u2066\u2068\u2069]/g;
const DOTS = /[．。｡]/g;
const COMMAS = /[，、､]/g;
const APOSTROPHES = /[’‘ʼ′`＇]/g;
const MINUSES = /[−–—﹣－]/g;
const FULL_WIDTH_DIGIT = /[０-９]/g;
const FULL_WIDTH_ZERO = '０'.charCodeAt(0);

const GROUPED = /^[1-9]\d{0,2}([.,' ])\d{3}(?:\1\d{3})*$/;
const ONE_GROUP = /^[1-9]\d{0,2}[.,]\d{3}$/;
const GROUP_DIGITS = 3;
/** One or more characters that no number contains. */
const FOREIGN = /[^\d.,' ]+/;
/** A sentence about a field quotes no more than this. */
const LONGEST_QUOTE = 12;
const EXPONENT = /^(\d+)(?:[.,](\d+))?e([+-]?\d{1,2})$/i;

const refused = (why: Refusal): Reading => ({ kind: 'refused', why });

function plainCharacters(text: string): string {
  return text
    .replace(NEVER_SEEN, '')
    .replace(DOTS, '.')
    .replace(COMMAS, ',')
    .replace(APOSTROPHES, "'")
    .replace(MINUSES, '-')
    .replace(FULL_WIDTH_DIGIT, (digit) => String(digit.charCodeAt(0) - FULL_WIDTH_ZERO))
    .replace(/\s/g, ' ')
    .trim();
}

/** Where the decimal mark is; the text's end when it has none. */
function decimalIndex(text: string, mark: Mark, scale: number): number | 'ambiguous' {
  const marks = text.match(/[.,]/g) ?? [];
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  if (marks.length === 0) return text.length;
  if (new Set(marks).size === 2) return last;
  if (marks.length > 1) return text.length;
  if (!ONE_GROUP.test(text)) return last;
  if (marks[0] !== mark) return text.length;
  return scale < GROUP_DIGITS ? 'ambiguous' : last;
}

/** `mark` comes before decimals in the reader's language; the number may have `scale` decimals. */
export function readNumber(typed: string, mark: Mark, scale: number): Reading {
  const text = plainCharacters(typed);
  if (text === '') return { kind: 'empty' };
  if (FOREIGN.test(text)) return refused(/^-[\d.,' ]*$/.test(text) ? 'negative' : 'foreign');
  if (text.length > LONGEST || !/\d/.test(text)) return refused('unreadable');
  const index = decimalIndex(text, mark, scale);
  if (index === 'ambiguous') return refused('ambiguous');
  const whole = text.slice(0, index);
  const decimals = text.slice(index + 1);
  const isGrouped = GROUPED.test(whole);
  if (!/^\d*$/.test(decimals) || !(isGrouped || /^\d*$/.test(whole))) return refused('unreadable');
  // Two decimal marks cannot be: a group's mark is another one.
  if (isGrouped && whole.includes(text.charAt(index) || '?')) return refused('unreadable');
  if (/[1-9]/.test(decimals.slice(scale))) return refused('too-fine');
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '') || '0';
  const kept = decimals.slice(0, scale);
  return { kind: 'number', value: kept === '' ? digits : `${digits}.${kept}` };
}

/** Before a text that was refused, so that no reader of decimals takes it for a number or for nothing. */
const REFUSED = '?';

/** What a form keeps of a field: a plain decimal, nothing, or the refused text behind a question mark. */
export function entryOf(typed: string, scale: number): string {
  const reading = readNumber(typed, decimalMark(), scale);
  if (reading.kind === 'number') return reading.value;
  return reading.kind === 'empty' ? '' : REFUSED + typed;
}

/** The text of an entry that was refused. */
export const refusedText = (entry: string): string | undefined =>
  entry.startsWith(REFUSED) ? entry.slice(REFUSED.length) : undefined;

/** The smallest step of so many decimals, plain. */
export const stepOf = (scale: number): string => (scale === 0 ? '1' : `0.${'1'.padStart(scale, '0')}`);

/** The number that an exponent stands for, in digits; undefined where the field cannot hold it. */
function writtenOut(text: string, scale: number): string | undefined {
  const [, whole = '', decimals = '', exponent = ''] = EXPONENT.exec(text) ?? [];
  if (whole === '') return undefined;
  const point = whole.length + Number(exponent);
  const digits = `${'0'.repeat(Math.max(0, -point))}${whole}${decimals}`;
  const at = Math.max(0, point);
  const plain = `${digits.slice(0, at).padEnd(at, '0') || '0'}.${digits.slice(at)}`;
  const reading = readNumber(plain, '.', scale);
  return reading.kind === 'number' ? reading.value : undefined;
}

function foreignProblem(text: string, scale: number): string {
  const number = writtenOut(text, scale);
  if (number !== undefined) return t('Write it out: {{number}}', { number: localizeNumber(number) });
  const characters = (FOREIGN.exec(text)?.[0] ?? '').slice(0, LONGEST_QUOTE);
  return t('Enter digits only, without “{{characters}}”', { characters });
}

function ambiguousProblem(digits: string): string {
  const large = localizeNumber(digits.replace(/\D/g, ''));
  const small = localizeNumber(digits.replace(/\D/, '.').replace(/\.?0+$/, ''));
  return t('{{large}} or {{small}}? Enter it without separators.', { large, small });
}

/** What to change about an entry that was refused; undefined for one that was not. */
export function entryProblem(entry: string, scale: number): string | undefined {
  const text = refusedText(entry);
  if (text === undefined) return undefined;
  const reading = readNumber(text, decimalMark(), scale);
  if (reading.kind !== 'refused') return undefined;
  switch (reading.why) {
    case 'negative':
      return t('Enter a number without a minus');
    case 'foreign':
      return foreignProblem(plainCharacters(text), scale);
    case 'too-fine':
      return t('Enter a multiple of {{step}}', { step: localizeNumber(stepOf(scale)) });
    case 'ambiguous':
      return ambiguousProblem(plainCharacters(text));
    case 'unreadable':
      return t('Enter a number such as {{example}}', { example: localizeNumber(scale === 0 ? '1200' : '1200.5') });
  }
}

/** Whether no further digit makes a number of the entry; any other text may be on its way to one while it is typed. */
export function isBeyondRepair(entry: string, scale: number): boolean {
  const reading = readNumber(refusedText(entry) ?? '', decimalMark(), scale);
  return reading.kind === 'refused' && reading.why !== 'unreadable' && reading.why !== 'ambiguous';
}
