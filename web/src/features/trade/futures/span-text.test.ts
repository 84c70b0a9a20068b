import { expect, test } from 'vitest';
import { spanText } from './span-text.ts';

test.each([
  [0, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min 0 s'],
  [3_599_000, '59 min 59 s'],
  [3_600_000, '1 h 0 min'],
  [86_399_000, '23 h 59 min'],
  [90_000_000_000, '1041 d 16 h'],
])('%i ms are %s', (ms, text) => {
  expect(spanText(ms)).toBe(text);
});
