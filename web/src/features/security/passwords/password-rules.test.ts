import { expect, test } from 'vitest';
import { validation } from './password-rules.ts';

test('an old password, six characters, and the same again, for either password (A-security-40..45)', () => {
  expect([validation.old(''), validation.old('x')]).toEqual(['Field is required', null]);
  expect(validation.next('12345')).toBe('Password must be at least 6 characters');
  expect(validation.next('123456')).toBeNull();
  const values = { old: 'x', next: '123456', again: '' };
  expect(['123457', '123456'].map((again) => validation.again(again, values))).toEqual([
    ...['Password does not match', null],
  ]);
});
