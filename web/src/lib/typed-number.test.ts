import { LOCALES, localeOf } from '@cambist/contract/locales.ts';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { decimalMark, localizeNumber } from './format.ts';
import { speak } from './i18n.ts';
import { entryOf, entryProblem, isBeyondRepair, readNumber, refusedText } from './typed-number.ts';

afterEach(() => speak(localeOf('en')));

const MAX_SCALE = 9;

/** Plain decimals with as many digits as the scale says, and the scale. */
const plain = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.integer({ min: 0, max: MAX_SCALE }))
  .map(([units, scale]) => {
    const digits = units.toString().padStart(scale + 1, '0');
    const value = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
    return { value, scale };
  });

const numberOf = (text: string, mark: '.' | ',', scale: number) => {
  const reading = readNumber(text, mark, scale);
  return reading.kind === 'number' ? reading.value : reading.kind;
};

const withoutZeros = (value: string) => (value.includes('.') ? value.replace(/\.?0+$/, '') : value);

/** The language's own grammar and nothing else: groups by its mark, or none, and decimals by its mark. */
function strictly(text: string, mark: '.' | ','): string | undefined {
  const group = mark === '.' ? ',' : '.';
  const grammar = new RegExp(`^(?:\\d+|[1-9]\\d{0,2}(?:\\${group}\\d{3})+)(?:\\${mark}\\d+)?$`);
  if (!grammar.test(text)) return undefined;
  return text
    .replaceAll(group, '')
    .replace(mark, '.')
    .replace(/^0+(?=\d)/, '');
}

describe.each(LOCALES)('in $label', (locale) => {
  test('what the language writes is read as the same number', async () => {
    await speak(locale);
    fc.assert(
      fc.property(plain, ({ value, scale }) => {
        expect(entryOf(localizeNumber(value), scale)).toBe(value);
      }),
    );
  });

  test('thousands may be grouped by any space or apostrophe, and digits may be full width', async () => {
    await speak(locale);
    const mark = decimalMark();
    const group = mark === '.' ? ',' : '.';
    const separator = fc.constantFrom(' ', '\u00a0', '\u202f', '\u2009', '\u3000', "'", '’');
    const wide = (text: string) =>
      text.replace(/[\d.,]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));
    fc.assert(
      fc.property(plain, separator, ({ value, scale }, space) => {
        const written = localizeNumber(value);
        expect(entryOf(written.replaceAll(group, space), scale)).toBe(value);
        expect(entryOf(wide(written), scale)).toBe(value);
      }),
    );
  });

  test('a text that the language reads is refused or means that number, never another', async () => {
    await speak(locale);
    const mark = decimalMark() as '.' | ',';
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'0123456789..,,', ' ', "'"), maxLength: 14 }),
      fc.stringMatching(/^\d{1,4}([.,]\d{2,4}){0,3}$/),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: MAX_SCALE }), (typed, scale) => {
        const read = strictly(typed.trim(), mark);
        const reading = readNumber(typed, mark, scale);
        if (read === undefined || reading.kind !== 'number') return;
        expect(withoutZeros(reading.value)).toBe(withoutZeros(read));
      }),
      { numRuns: 1_000 },
    );
  });

  test('what another language writes is the same number, refused, or what this language reads', async () => {
    await speak(locale);
    const mark = decimalMark() as '.' | ',';
    fc.assert(
      fc.property(plain, fc.constantFrom('en', 'de', 'es', 'vi', 'fr', 'de-CH'), ({ value, scale }, tag) => {
        const digits = { minimumFractionDigits: scale, maximumFractionDigits: scale };
        const written = new Intl.NumberFormat(tag, digits).format(value as Intl.StringNumericLiteral);
        const reading = readNumber(written, mark, scale);
        if (reading.kind !== 'number' || reading.value === value) return;
        expect(withoutZeros(reading.value)).toBe(withoutZeros(strictly(written, mark) ?? 'nothing'));
      }),
      { numRuns: 1_000 },
    );
  });
});

test('any text gives plain digits with no more decimals than the step, or is refused', () => {
  const anything = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(...'09.,-+e$ ') }));
  fc.assert(
    fc.property(anything, fc.constantFrom('.' as const, ',' as const), fc.nat(MAX_SCALE), (text, mark, scale) => {
      const reading = readNumber(text, mark, scale);
      if (reading.kind === 'number') {
        expect(reading.value).toMatch(new RegExp(scale === 0 ? '^\\d+$' : `^\\d+(\\.\\d{1,${scale}})?$`));
      }
      expect(reading.kind === 'empty').toBe(
        text.replace(/[\s\u200b-\u200f\u2060\u202a\u202c\u202d\u2066\u2068\u2069]/g, '') === '',
      );
    }),
  );
});

test.each([
  ['10,000', '.', 1, '10000'],
  ['92,098.8', '.', 1, '92098.8'],
  ['92.098,8', '.', 1, '92098.8'],
  ['92,098.8', ',', 1, '92098.8'],
  ['90.000', ',', 1, '90000'],
  ['1 234,5', '.', 1, '1234.5'],
  ["1'234.5", ',', 1, '1234.5'],
  ['12,5', '.', 2, '12.5'],
  ['0,125', '.', 5, '0.125'],
  ['1.125', '.', 5, '1.125'],
  ['1,125', ',', 5, '1.125'],
  ['1.234.567', '.', 1, '1234567'],
  ['１２，３４５．６', '.', 1, '12345.6'],
  ['1。5', '.', 1, '1.5'],
  ['\u202a0.5\u202c', '.', 1, '0.5'],
  ['\u20661,250.5\u2069', '.', 1, '1250.5'],
  // Seen as 0.5.
  ['\u202e5.0', '.', 1, 'refused'],
  ['.5', '.', 1, '0.5'],
  ['5.', '.', 1, '5'],
  ['007', '.', 0, '7'],
  ['92098.80', '.', 1, '92098.8'],
  // From a language of the other mark, where this field has no such decimals.
  ['90.000', '.', 1, 'refused'],
  ['10,000', ',', 2, 'refused'],
  ['0.1234567', '.', 5, 'refused'],
  ['1.2.3', '.', 5, 'refused'],
  ['12,34,567', '.', 5, 'refused'],
  ['1,234 567', '.', 5, 'refused'],
  ['1,234.567,8', '.', 5, 'refused'],
  ['1e5', '.', 5, 'refused'],
  ['-5', '.', 5, 'refused'],
  ['12a', '.', 5, 'refused'],
  ['−5', '.', 5, 'refused'],
  ['1,000.5 USDT', '.', 5, 'refused'],
  ['.', '.', 5, 'refused'],
  ['  ', '.', 5, 'empty'],
] as const)('%s where the decimal mark is %s, with %i decimals: %s', (text, mark, scale, read) => {
  expect(numberOf(text, mark, scale)).toBe(read);
});

test('a refusal keeps the text and says what to write instead', async () => {
  const entry = entryOf('90.000', 1);
  expect(refusedText(entry)).toBe('90.000');
  expect(entryProblem(entry, 1)).toBe('90,000 or 90? Enter it without separators.');
  expect(entryProblem(entryOf('1.123456', 5), 5)).toBe('Enter a multiple of 0.00001');
  expect(entryProblem(entryOf('1.2.3', 5), 5)).toBe('Enter a number such as 1,200.5');
  expect(entryProblem(entryOf('10,000', 1), 1)).toBeUndefined();
  await speak(localeOf('german'));
  expect(entryProblem(entryOf('1,55', 1), 1)).toMatch(/0,1$/);
});

test.each([
  ['1e9', 5, 'Write it out: 1,000,000,000'],
  ['1.5E3', 5, 'Write it out: 1,500'],
  ['25e-4', 5, 'Write it out: 0.0025'],
  // Digits that the field cannot hold are no advice.
  ['1e-9', 5, 'Enter digits only, without “e-”'],
  ['1e99', 5, 'Enter digits only, without “e”'],
  ['1e', 5, 'Enter digits only, without “e”'],
  ['-1', 5, 'Enter a number without a minus'],
  ['−1,000.5', 5, 'Enter a number without a minus'],
  ['-', 5, 'Enter a number without a minus'],
  ['5 USDT', 2, 'Enter digits only, without “USDT”'],
  ['$5', 2, 'Enter digits only, without “$”'],
  ['not a number at all', 2, 'Enter digits only, without “not”'],
  ['.', 2, 'Enter a number such as 1,200.5'],
])('%s with %i decimals: %s', (typed, scale, problem) => {
  expect(refusedText(entryOf(typed, scale))).toBe(typed);
  expect(entryProblem(entryOf(typed, scale), scale)).toBe(problem);
});

test('a refusal is final while typing where no further digit makes a number of the text', () => {
  for (const typed of ['1e', '-', '5 U', '0.1234567']) expect(isBeyondRepair(entryOf(typed, 5), 5)).toBe(true);
  for (const typed of ['', '.', '1,2', '1.2.3', '90000']) expect(isBeyondRepair(entryOf(typed, 5), 5)).toBe(false);
});
