import { expect, it, test } from 'vitest';
import { costDigits, unrealizedAt } from './cost-basis.ts';
import { toText } from './decimal.ts';

test.each([
  ['0.19980000', '10200.00000000', '52000.0', '189.600000000', '1.8588'],
  ['0.19980000', '10200.00000000', '51000', '-10.20000000', '-0.1000'],
  ['5.00000000', '0.00000000', '7', '35.00000000', undefined],
])('%s coins that cost %s gain at %s', (quantity, cost, price, gain, percent) => {
  const found = unrealizedAt({ quantity, cost }, price);
  expect(found && toText(found.gain)).toBe(gain);
  expect(found?.percent && toText(found.percent)).toBe(percent);
});

it('what is not known to have cost anything gains nothing that could be shown', () => {
  expect(unrealizedAt({ quantity: '5', cost: null }, '7')).toBeUndefined();
});

test.each([
  ['51051.051051051051', 2],
  ['1.000000000000', 2],
  ['0.512345678901', 4],
  ['0.000023456789', 8],
  ['0.000000000001', 12],
])('a price of %s has %i decimals', (price, digits) => {
  expect(costDigits(price)).toBe(digits);
});
