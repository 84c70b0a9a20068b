import { expect, test } from 'vitest';
import { decimal, toText } from '../../../lib/decimal.ts';
import { closingPrice } from './closing-price.ts';

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
