import { PROTECTED_FIGURES } from '@cambist/contract/pending-changes.ts';
import { expect, test } from 'vitest';
import { figureName, figureText } from './protected-figures.ts';

test('every protected figure has words of its own in place of its name in the API', () => {
  const names = PROTECTED_FIGURES.map(figureName);
  expect(names.filter((name) => name.includes('_') || name === name.toLowerCase())).toEqual([]);
  expect(new Set(names).size).toBe(PROTECTED_FIGURES.length);
});

test.each([
  ['price_band_percent', '10.0000', 'SOL-USDT', '10%'],
  ['maximum_quantity', '100000.00', 'SOL-USDT', '100,000 SOL'],
  ['approval_usdt', '25000', '', '25,000 USDT'],
  ['high', '2.5000', 'BTC', '2.5 BTC'],
  ['high', null, 'BTC', '–'],
  ['credited_at', '12', 'USDT', '12'],
  ['refused', 'yes', '7', 'Yes'],
  ['refused', null, '7', 'No'],
  ['tiers', '100000 USDT x20 1%', 'BTC-USDT-SWAP', '100000 USDT x20 1%'],
] as const)('%s of %s is shown with its unit', (figure, value, coin, text) => {
  expect(figureText(figure, value, coin)).toBe(text);
});
