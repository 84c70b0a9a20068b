import { widestClampPpm } from '@cambist/core/margin/perpetual.ts';
import { expect, it } from 'vitest';
import { perpetualListings } from './catalogue.ts';

it.each(perpetualListings)('the book alone liquidates no new position in the perpetual of $code', ({ terms }) => {
  expect(terms.markClampPpm).toBeLessThanOrEqual(widestClampPpm(terms));
  // Not so near that the mark is the index.
  expect(terms.markClampPpm).toBeGreaterThan(terms.funding.dampPpb / 1000);
});
