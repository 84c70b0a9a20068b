import { expect, test } from 'vitest';
import { messageOf, problemOf } from './api-problem.ts';

test('what is wrong with a field is said without its name in the call', () => {
  const text = 'The number is too large';
  const message = `from_amount: ${text}`;
  const refused = { status: 422, code: 'INVALID_INPUT', detail: message, message };
  const errors = [{ field: 'from_amount', message: text }];
  expect(messageOf(problemOf(422, { ...refused, errors }))).toBe(text);
  expect(messageOf(problemOf(422, refused))).toBe(message);
  expect(messageOf(new Error('a fault'))).toBe('Something went wrong');
});
