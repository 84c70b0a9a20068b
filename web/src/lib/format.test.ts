import { LOCALES, localeOf } from '@cambist/contract/locales.ts';
import { assert, bigInt, integer, property } from 'fast-check';
import { expect, test, vi } from 'vitest';
import { decimal } from './decimal.ts';
import {
  formatBrief,
  formatCompact,
  formatDateTime,
  formatDay,
  formatDecimal,
  formatDollars,
  formatExact,
  formatPercent,
  formatRowShare,
  formatShare,
  formatSigned,
  formatUnits,
  localizeNumber,
  splitTrailingZeros,
  withPercent,
} from './format.ts';
import { speak } from './i18n.ts';

test('grouping keeps every digit of a large amount', () => {
  expect(formatDecimal('12345678901234567890.12345678', 8)).toBe('12,345,678,901,234,567,890.12345678');
  expect(formatDecimal('0.5', 2)).toBe('0.50');
  expect(formatDecimal('1.5', 8, 0)).toBe('1.5');
});

test('an amount in brief is cut, not rounded, and is never nothing', () => {
  const brief = (text: string) => formatBrief(decimal(text));
  expect(['0.53283713', '40018.53999999', '1234567.9', '3', '0.00000012', '9.999999'].map(brief)).toEqual([
    ...['0.53283', '40,018.5', '1,234,567', '3', '0.00000012', '9.99999'],
  ]);
});

test('a time of another year has its year', () => {
  vi.useFakeTimers({ now: new Date(2026, 0, 2) });
  expect(formatDateTime(new Date(2026, 0, 1, 9, 5).getTime())).toBe('1 Jan, 09:05:00');
  expect(formatDateTime(new Date(2025, 11, 31, 9, 5).getTime())).toBe('31 Dec 2025, 09:05:00');
  vi.useRealTimers();
});

test.each(['America/Los_Angeles', 'Pacific/Kiritimati', 'UTC'])('a day of UTC is the same day in %s', (zone) => {
  vi.stubEnv('TZ', zone);
  expect(new Date(Date.UTC(2026, 10, 28)).getDate()).toBe(zone.startsWith('America') ? 27 : 28);
  expect(formatDay(Date.UTC(2026, 10, 28))).toBe('28 Nov 2026');
  vi.unstubAllEnvs();
});

test('an amount is never shown larger than it is', () => {
  expect(formatDecimal('0.999', 2)).toBe('0.99');
});

test('trailing zeros split off only behind a point', () => {
  expect(splitTrailingZeros('1.2300')).toEqual(['1.23', '00']);
  expect(splitTrailingZeros('1.00')).toEqual(['1', '.00']);
  expect(splitTrailingZeros('100')).toEqual(['100', '']);
});

test('percentages carry a sign, zero none', () => {
  expect(formatPercent('1.2345')).toBe('+1.23%');
  expect(formatPercent('-0.126')).toBe('−0.13%');
  expect(formatPercent('0')).toBe('0.00%');
});

test('gains and losses carry a sign, and none once they round to zero', () => {
  expect([formatSigned('-2.826', 2), formatSigned('1234.5', 2), formatSigned('-0.004', 2)]).toEqual([
    ...['−2.83', '+1,234.50', '0.00'],
  ]);
});

test('below zero there is a minus sign, not a hyphen', () => {
  const below = decimal('-1234.5');
  expect([formatDecimal('-1234.5', 2), formatDollars('-1234.5', 2), formatExact(below)]).toEqual([
    ...['−1,234.50', '−$1,234.50', '−1,234.5'],
  ]);
  expect([formatCompact('-1234567'), formatShare(-4.5, 1), localizeNumber('-0.5')]).toEqual([
    '−1.23M',
    '−4.5%',
    '−0.5',
  ]);
});

test('what is below zero is written as what is above it, with a minus sign, and zero has none', async () => {
  const amounts = bigInt({ min: 1n, max: 10n ** 14n });
  const minus = (text: string) => (/[1-9]/.test(text) ? `−${text}` : text);
  try {
    for (const locale of LOCALES) {
      await speak(locale);
      assert(
        property(amounts, integer({ min: 0, max: 12 }), integer({ min: 0, max: 4 }), (units, scale, digits) => {
          const [above, below] = [
            { units, scale },
            { units: -units, scale },
          ];
          expect(formatDecimal(below, digits)).toBe(minus(formatDecimal(above, digits)));
          expect(formatDollars(below, digits).replace('−', '')).toBe(formatDollars(above, digits));
          expect(formatSigned(below, digits)).toBe(formatSigned(above, digits).replace('+', '−'));
          const share = Number(units) / 10 ** scale;
          expect(formatShare(-share, digits)).toBe(minus(formatShare(share, digits)));
        }),
        { numRuns: 300 },
      );
    }
  } finally {
    await speak(localeOf('en'));
  }
  expect([formatSigned('0.005', 2), formatSigned('-0.005', 2)]).toEqual(['+0.01', '−0.01']);
  expect([formatDecimal('-0.00000001', 4, 2), formatShare(-0.04, 1)]).toEqual(['0.00', '0.0%']);
});

test('compact', () => {
  expect(formatCompact('1234567890')).toBe('1.23B');
  expect(formatCompact('0.000012345')).toBe('0.00001235');
});

test('all digits, as the language writes them: a dot may not turn into thousands', async () => {
  const exact = { units: 1_000_129_999n, scale: 6 };
  expect(formatExact(exact)).toBe('1,000.129999');
  expect(formatExact({ units: 1_500n, scale: 3 })).toBe('1.5');
  await speak(localeOf('german'));
  expect(formatExact(exact)).toBe('1.000,129999');
  expect(formatExact({ units: 1n, scale: 1 })).toBe('0,1');
  await speak(localeOf('en'));
});

test('every percentage has its sign as its language sets it', async () => {
  try {
    for (const locale of LOCALES) {
      await speak(locale);
      const sign = new Intl.NumberFormat(locale.tag, { style: 'percent' }).format(0).slice(1);
      for (const text of [formatPercent('1.5'), formatPercent('-12', 0), formatShare(4.5, 1), withPercent('0.02')]) {
        expect(text.replace(/^.*\d/, ''), locale.tag).toBe(sign);
      }
    }
    await speak(localeOf('german'));
    expect(formatPercent('-0.126')).toBe('−0,13\u00a0%');
  } finally {
    await speak(localeOf('en'));
  }
});

test('what is written quickly is what Intl writes, in every language', async () => {
  const units = [0, 5, 10, 99_999, 1_234, 12_345, 123_456, 1_000_000, 123_456_789, 9_007_199_254_740_991];
  try {
    for (const locale of LOCALES) {
      await speak(locale);
      const format = (digits: number) =>
        new Intl.NumberFormat(locale.tag, { minimumFractionDigits: digits, maximumFractionDigits: digits });
      for (const scale of [0, 1, 5, 8]) {
        for (const value of units) {
          const digits = Math.min(scale, 5);
          const text = (BigInt(value) / 10n ** BigInt(scale - digits)).toString().padStart(digits + 1, '0');
          const cut = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
          const expected = format(digits).format(cut as Intl.StringNumericLiteral);
          expect(formatUnits(value, scale, digits)).toBe(expected);
          expect(formatDecimal(cut, digits)).toBe(expected);
        }
      }
      for (const share of [0, 0.04, 0.05, 3.25, 9.94, 9.96, 10, 10.4, 55.5, 99.6, 100]) {
        expect(formatRowShare(share), `${share} in ${locale.tag}`).toBe(formatShare(share, share < 9.95 ? 1 : 0));
      }
    }
  } finally {
    await speak(localeOf('en'));
  }
});
