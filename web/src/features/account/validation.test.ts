import { expect, test } from 'vitest';
import { digitsOf, phoneError, phoneText } from '../../lib/phone.ts';
import {
  codeDigits,
  codeError,
  emailError,
  isWholeCode,
  knownEmailError,
  newPasswordError,
  signInPasswordError,
  transactionPasswordError,
} from './validation.ts';

test.each([
  ['', 'E-mail is required'],
  ['someone', 'E-mail must be valid'],
  ['@host', 'E-mail must be valid'],
  ['a@b.test', null],
])('e-mail %j (A-signin-28, A-signin-29)', (value, error) => {
  expect(emailError(value)).toBe(error);
});

test.each([
  ['a@b', 'E-mail must be valid', null],
  ['\u212Aate@b.test', 'E-mail must be valid', null],
  ['a b@c.test', 'E-mail must be valid', 'E-mail must be valid'],
])('e-mail %j as a new one: %j; of an account that may be older: %j', (value, asNew, asKnown) => {
  expect([emailError(value), knownEmailError(value)]).toEqual([asNew, asKnown]);
});

test.each([
  ['', 'Phone number must have at least 10 characters'],
  ['555', 'Phone number must have at least 10 characters'],
  ['(415) 555-0100', null],
  ['415 555 0100', null],
  ['41555501000', 'Please enter a valid phone number'],
  ['abcdefghij', 'Please enter a valid phone number'],
])('phone %j (A-signup-23..26)', (number, error) => {
  expect(phoneError({ country: 'US', number })).toBe(error);
  expect(digitsOf(number)).not.toMatch(/[ ()-]/);
});

test('a number is sent with the dial code of its country (A-signup-09, A-signup-11)', () => {
  const countries = [
    { code: 'US', name: 'United States', dial_code: '1' },
    { code: 'DE', name: 'Germany', dial_code: '49' },
  ];
  expect(phoneText({ country: 'DE', number: '151 234 5678' }, countries)).toBe('+491512345678');
  expect(phoneText({ country: 'US', number: '(415) 555-0100' }, countries)).toBe('+14155550100');
});

test('passwords and codes (A-signin-31, A-signup-27, A-signup-28)', () => {
  expect(signInPasswordError('12345')).toBe('Password must be at least 6 characters');
  expect(signInPasswordError('123456')).toBeNull();
  expect(newPasswordError('12345678')).toBe('Password must be at least 9 characters');
  expect(newPasswordError('123456789')).toBeNull();
  expect(transactionPasswordError('12345', 'x')).toBe('Transaction password must be at least 6 characters');
  expect(transactionPasswordError('same-secret', 'same-secret')).toBe(
    'The transaction password may not equal the password',
  );
  expect(codeError(' ')).toBe('This field is required');
});

test.each([
  ['12345', '12345', false],
  ['123 456', '123456', true],
  [' 123-456\n', '123456', true],
  ['Your code: 1234567', '123456', true],
])('of a code typed as %j, the digits %j are taken', (text, digits, whole) => {
  expect(codeDigits(text)).toBe(digits);
  expect(isWholeCode(digits)).toBe(whole);
});
