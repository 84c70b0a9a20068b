import { expect, test } from 'vitest';
import { codeError, emailError, newPasswordError, phoneError, transactionPasswordError } from './validation.ts';

test.each([
  ['', 'E-mail is required'],
  ['someone', 'E-mail must be valid'],
  ['@host', 'E-mail must be valid'],
  ['a@b', null],
])('e-mail %j', (value, error) => {
  expect(emailError(value)).toBe(error);
});

test.each([
  ['', null],
  ['555', 'Phone number must have at least 10 characters'],
  ['(415) 555-0100', null],
  ['+1 415 555 0100', null],
  ['41555501000', 'Please enter a valid phone number'],
  ['abcdefghij', 'Please enter a valid phone number'],
])('phone %j', (value, error) => {
  expect(phoneError(value)).toBe(error);
});

test('passwords', () => {
  expect(newPasswordError('12345678')).toBe('Password must be at least 9 characters');
  expect(newPasswordError('123456789')).toBeNull();
  expect(transactionPasswordError('12345', 'x')).toBe('Transaction password must be at least 6 characters');
  expect(transactionPasswordError('same-secret', 'same-secret')).toBe(
    'The transaction password may not equal the password',
  );
  expect(codeError(' ')).toBe('This field is required');
});
