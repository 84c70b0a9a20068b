import { expect, it } from 'vitest';
import { changedIn } from './market-form.ts';

it('sends what an operator has changed, and nothing that another one may have changed since', () => {
  const before = { approval_usdt: '10000', four_eyes_usdt: '100000', hourly_count: 10 };
  expect(changedIn(before, { ...before, hourly_count: 5 })).toEqual({ hourly_count: 5 });
  expect(changedIn(before, before)).toEqual({});
});
