import { describe, expect, test } from 'vitest';
import {
  add,
  changePercent,
  compare,
  decimal,
  divide,
  multiply,
  parseDecimal,
  ratio,
  rescale,
  share,
  subtract,
  toShortText,
  toText,
} from './decimal.ts';

describe('reading', () => {
  test.each([
    ['12', 12n, 0],
    ['12.50', 1250n, 2],
    ['.5', 5n, 1],
    ['5.', 5n, 0],
    ['-0.3', -3n, 1],
  ])('%s', (text, units, scale) => {
    expect(parseDecimal(text)).toEqual({ units, scale });
  });

  test.each(['', '.', '1e5', 'NaN', '1,000', '0x10', '--1'])('refuses %s', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });
});

describe('arithmetic', () => {
  test('sums and products are exact where a binary fraction is not', () => {
    expect(toText(add(decimal('0.1'), decimal('0.2')))).toBe('0.3');
    expect(toText(subtract(decimal('1'), decimal('0.00000001')))).toBe('0.99999999');
    expect(toText(multiply(decimal('67123.4'), decimal('0.00001')))).toBe('0.671234');
  });

  test('every rounding goes its way on both signs', () => {
    expect(toText(rescale(decimal('1.005'), 2, 'floor'))).toBe('1.00');
    expect(toText(rescale(decimal('1.005'), 2, 'ceil'))).toBe('1.01');
    expect(toText(rescale(decimal('1.005'), 2, 'nearest'))).toBe('1.01');
    expect(toText(rescale(decimal('-1.001'), 2, 'floor'))).toBe('-1.01');
    expect(toText(rescale(decimal('-1.001'), 2, 'ceil'))).toBe('-1.00');
    expect(toText(rescale(decimal('-1.001'), 2, 'nearest'))).toBe('-1.00');
  });

  test('division', () => {
    expect(divide(decimal('1'), decimal('3'), 5, 'floor')).toEqual({ units: 33333n, scale: 5 });
    expect(divide(decimal('1.23456789'), decimal('1'), 2, 'ceil')).toEqual({ units: 124n, scale: 2 });
    expect(divide(decimal('1'), decimal('0'), 5, 'floor')).toBeUndefined();
  });

  test('a share of a balance never exceeds it', () => {
    expect(toText(share(decimal('0.00000001'), 75, 8))).toBe('0.00000000');
    expect(toText(share(decimal('123.456789'), 100, 2))).toBe('123.45');
  });

  test('comparison ignores the scale', () => {
    expect(compare(decimal('1.0'), decimal('1'))).toBe(0);
    expect(compare(decimal('-1'), decimal('0.5'))).toBe(-1);
    expect(compare(decimal('2'), decimal('0.5'))).toBe(1);
  });

  test('change and ratio', () => {
    expect(toText(changePercent(decimal('200'), decimal('199')) ?? decimal('9'))).toBe('-0.5000');
    expect(changePercent(decimal('0'), decimal('1'))).toBeUndefined();
    expect(ratio(decimal('1'), decimal('4'))).toBe(0.25);
  });
});

test('text keeps or drops trailing zeros', () => {
  expect(toText(decimal('100.00'))).toBe('100.00');
  expect(toShortText(decimal('100.00'))).toBe('100');
  expect(toShortText(decimal('0.0100'))).toBe('0.01');
  expect(toShortText(decimal('100'))).toBe('100');
});
