import { expect, test } from 'vitest';
import { decimal, toText } from '../decimal.ts';
import { closingPrice, closingPriceText, realisedAt } from './closing-price.ts';

const book = {
  bids: [
    [9_900, 30],
    [9_800, 70],
  ],
  asks: [
    [10_100, 30],
    [10_205, 70],
  ],
} as const;

const position = { mark_price: '1000.0', quantity: '0.060' };

test.each([
  ['a long position meets the bids', 'long', '0.030', '990.0', 'book'],
  ['a large one meets worse bids, rounded down', 'long', '0.060', '985.0', 'book'],
  ['a short position meets the asks, rounded up', 'short', '0.060', '1015.3', 'book'],
  ['a book that is too thin is estimated by what it has', 'long', '0.200', '983.0', 'book'],
] as const)('%s', (_, side, quantity, price, from) => {
  const found = closingPrice({ ...position, side }, decimal(quantity), book);
  expect([toText(found.price), found.from]).toEqual([price, from]);
});

test.each([undefined, { bids: [], asks: [] }])('without a book the estimate is at the mark, and says so', (known) => {
  const found = closingPrice({ ...position, side: 'long' }, decimal('0.060'), known);
  expect([toText(found.price), found.from]).toEqual(['1000.0', 'mark']);
});

test.each([
  ['a long position loses what the bids are below its cost', 'long', '0.060', '985.0', '-0.900000'],
  ['a short position loses what the asks are above it', 'short', '0.060', '1015.3', '-0.918000'],
  ['a part of a position carries its part of the cost', 'long', '0.020', '990.0', '-0.200000'],
] as const)('%s', (_, side, quantity, price, gain) => {
  const open = { side, quantity: '0.060', cost: '60.000000' };
  expect(toText(realisedAt(open, decimal(quantity), decimal(price)))).toBe(gain);
});

test('a price follows the name of its source', () => {
  const names = { book: 'Best available', mark: 'Mark price' };
  const text = (known: typeof book | undefined) =>
    closingPriceText(closingPrice({ ...position, side: 'long' }, decimal('0.060'), known), names);
  expect([text(book), text(undefined)]).toEqual(['Best available ≈ 985.0', 'Mark price ≈ 1,000.0']);
});
