import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stepped, ungrouped } from './number-field.tsx';

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

test.each([
  ['90,000.5', [3, 3], '90,1000.5', 4, '901000.5', 3],
  ['90,000.5', [3, 3], '90000.5', 2, '90000.5', 2],
  ['90,000.5', [8, 8], '90,000.57', 9, '90000.57', 8],
  ['90,000.5', [0, 0], '190,000.5', 1, '190000.5', 1],
  ['90,000.5', [4, 6], '90,0.5', 4, '900.5', 3],
  ['90,000.5', [2, 2], '90000.5', 2, '90000.5', 2],
] as const)('a change inside of %s, where %o was selected, to %s is %s', (before, selected, typed, caret, text, at) => {
  expect(ungrouped(before, selected, typed, caret)).toEqual({ text, caret: at });
});

test('a number in place of the whole one keeps the marks that it came with', () => {
  expect(ungrouped('90,000.5', [0, 8], '91.250,5', 8)).toBeUndefined();
  // Ten times as much without its comma.
  expect(ungrouped('90,000.5', [0, 8], '90,0', 4)).toBeUndefined();
  expect(ungrouped('', [0, 0], '1', 1)).toBeUndefined();
});
