import { expect, test } from 'vitest';
import { returnPath, signInPath } from './return-path.ts';

test('sign-in keeps where the person was', () => {
  expect(signInPath('/trades/spot/ETH?x=1')).toBe('/signin?return=%2Ftrades%2Fspot%2FETH%3Fx%3D1');
  expect(signInPath('/')).toBe('/signin');
  expect(signInPath('/signup')).toBe('/signin');
});

test.each([
  ['/trades/spot/ETH', '/trades/spot/ETH'],
  ['https://evil.example', '/wallet'],
  ['//evil.example', '/wallet'],
  ['/\\evil.example', '/wallet'],
  ['', '/wallet'],
])('%s leads to %s', (wanted, path) => {
  expect(returnPath(new URLSearchParams({ return: wanted }))).toBe(path);
});

test('who has no wallet is led home instead', () => {
  expect(returnPath(new URLSearchParams(), '/admin')).toBe('/admin');
  expect(returnPath(new URLSearchParams({ return: '/markets' }), '/admin')).toBe('/markets');
});
