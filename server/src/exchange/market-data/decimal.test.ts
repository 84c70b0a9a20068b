import { expect, it } from 'vitest';
import { changePercent } from './decimal.ts';

it('a change has four decimals and its sign, and none where it rounds to zero', () => {
  expect(changePercent(10_000, 10_250)).toBe('2.5000');
  expect(changePercent(10_000, 9_999)).toBe('-0.0100');
  expect([changePercent(9_000_000, 8_999_999), changePercent(0, 5)]).toEqual(['0.0000', '0.0000']);
});
