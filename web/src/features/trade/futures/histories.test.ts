import { expect, it } from 'vitest';
import { marginText } from './histories.tsx';

it('the margin of a position is in its history where it has one of its own', () => {
  expect(marginText({ margin: '599.97600000', margin_mode: 'isolated' })).toBe('599.976');
  expect(marginText({ margin: '0.00000000', margin_mode: 'cross' })).toBe('–');
});
