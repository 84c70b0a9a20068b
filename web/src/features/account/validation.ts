/** What the entry forms check before they ask the server, with the exact texts of the specification. */
export function emailError(value: string): string | null {
  const text = value.trim();
  if (text === '') return 'E-mail is required';
  return /^[^\s@]+@[^\s@]+$/.test(text) ? null : 'E-mail must be valid';
}

export function signInPasswordError(value: string): string | null {
  return value.length < 6 ? 'Password must be at least 6 characters' : null;
}

export function newPasswordError(value: string): string | null {
  return value.length < 9 ? 'Password must be at least 9 characters' : null;
}

export function transactionPasswordError(value: string, password: string): string | null {
  if (value.length < 6) return 'Transaction password must be at least 6 characters';
  return value === password ? 'The transaction password may not equal the password' : null;
}

/** May stay empty. Otherwise ten national digits, spaces and a leading dial code aside. */
export function phoneError(value: string): string | null {
  const text = value.replace(/[\s()-]/g, '');
  if (text === '') return null;
  const digits = text.replace(/^\+/, '');
  if (/^\d*$/.test(digits) && digits.length < 10) return 'Phone number must have at least 10 characters';
  return /^(\+\d{11,13}|\d{10})$/.test(text) ? null : 'Please enter a valid phone number';
}

export function codeError(value: string): string | null {
  return value.trim() === '' ? 'This field is required' : null;
}
