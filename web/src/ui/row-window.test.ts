import { expect, test } from 'vitest';
import { rowsInView } from './row-window.ts';

const list = { rows: 100, rowPx: 10, spare: 4, scroller: 'list' } as const;

test('the rows in view are drawn, also those that are seen in part, and the spare ones on either side', () => {
  expect(rowsInView(0, 100, list)).toEqual({ first: 0, end: 14 });
  expect(rowsInView(400, 100, list)).toEqual({ first: 36, end: 54 });
  expect(rowsInView(401, 100, list)).toEqual({ first: 36, end: 55 });
});

test('a list that is above, below or shorter than what is seen has no rows beyond its ends', () => {
  expect(rowsInView(900, 300, list)).toEqual({ first: 86, end: 100 });
  expect(rowsInView(-500, 100, list)).toEqual({ first: 0, end: 0 });
  expect(rowsInView(5_000, 100, list)).toEqual({ first: 100, end: 100 });
  expect(rowsInView(0, 100, { ...list, rows: 3 })).toEqual({ first: 0, end: 3 });
});
