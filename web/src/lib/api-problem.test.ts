import { expect, test } from 'vitest';
import { messageOf, networkProblem, problemOf, titleOf } from './api-problem.ts';

test('what is wrong with a field is said without its name in the call', () => {
  const text = 'The number is too large';
  const message = `from_amount: ${text}`;
  const refused = { status: 422, code: 'INVALID_INPUT', detail: message, message };
  const errors = [{ field: 'from_amount', message: text }];
  expect(messageOf(problemOf(422, { ...refused, errors }))).toBe(text);
  expect(messageOf(problemOf(422, refused))).toBe(message);
  expect(messageOf(new Error('a fault'))).toBe('Something went wrong');
});

test('a request that differs from one without an answer, under its key, means that the one before has arrived', () => {
  const message = 'This Idempotency-Key was used for a different request.';
  const reused = problemOf(422, { status: 422, code: 'IDEMPOTENCY_KEY_REUSED', detail: message, message });
  expect(messageOf(reused)).toMatch(/^What you sent before has arrived after all/);
  expect(reused.undecided).toBe(false);
});

test('a title says that something failed where it was refused, and not where no answer came or the server had a fault', () => {
  const message = 'The order is not open.';
  const refused = { status: 409, code: 'ORDER_NOT_OPEN', detail: message, message };
  expect(titleOf(problemOf(409, refused), 'Cancellation failed')).toBe('Cancellation failed');
  expect(titleOf(networkProblem(true), 'Cancellation failed')).toBe('Not confirmed');
  expect(titleOf(problemOf(502, undefined), 'Cancellation failed')).toBe('Not confirmed');
});
