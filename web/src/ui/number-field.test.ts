import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stepped } from './number-field.tsx';

test.each([
  ['90000', 1, 1, '90000.1'],
  ['90000.1', 1, -1, '90000.0'],
  ['', 5, 1, '0.00001'],
  ['0.00003', 5, -10, '0.00000'],
  ['9', 0, 100, '109'],
])('%s with %i decimals, %i steps on, is %s', (value, scale, steps, next) => {
  expect(stepped(value, scale, steps)).toBe(next);
});

test('as many steps back lead to where it began', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 18n), fc.nat(9), fc.integer({ min: 1, max: 1000 }), (units, scale, steps) => {
      const there = stepped(String(units), scale, steps);
      expect(stepped(there, scale, -steps)).toBe(stepped(String(units), scale, 0));
    }),
  );
});
