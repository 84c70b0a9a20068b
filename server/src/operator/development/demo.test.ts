import { expect, test } from 'vitest';
import { addressToOpen } from './demo.ts';

test.each([
  ['http://127.0.0.1:8080', 'http://localhost:8080'],
  ['http://[::1]:9000', 'http://localhost:9000'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['http://192.0.2.7:8080', 'http://192.0.2.7:8080'],
])('who listens at %s is opened at %s, where a passkey can be made', (listening, address) => {
  expect(addressToOpen(listening)).toBe(address);
});
