import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createEncryption, readSecretsKey } from './encryption.ts';

const key = Buffer.alloc(32, 7);

it('decrypts what it encrypted, for the same owner, by the same key, unchanged', () => {
  const encryption = createEncryption(key);
  const encrypted = encryption.encrypt('a secret', 'totp:1');
  expect(encrypted).not.toContain('secret');
  expect(encryption.encrypt('a secret', 'totp:1')).not.toBe(encrypted);
  expect(createEncryption(key).decrypt(encrypted, 'totp:1')).toBe('a secret');
  expect(() => encryption.decrypt(encrypted, 'totp:2')).toThrow();
  expect(() => createEncryption(Buffer.alloc(32, 8)).decrypt(encrypted, 'totp:1')).toThrow();
  const bytes = Buffer.from(encrypted, 'base64url');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(() => encryption.decrypt(bytes.toString('base64url'), 'totp:1')).toThrow();
});

it('hashes by key and context', () => {
  const hashes = [createEncryption(key), createEncryption(Buffer.alloc(32, 8))].flatMap((encryption) => [
    encryption.hash('123456', 'a'),
    encryption.hash('123456', 'b'),
  ]);
  expect(new Set(hashes).size).toBe(4);
  expect(createEncryption(key).hash('123456', 'a')).toBe(hashes[0]);
});

it('makes its key once, for the owner’s eyes alone, and takes the one of the settings before it', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cambist-key-'));
  const made = readSecretsKey(undefined, join(directory, 'data'));
  expect(made).toHaveLength(32);
  expect(readSecretsKey(undefined, join(directory, 'data'))).toEqual(made);
  expect(statSync(join(directory, 'data', 'secrets.key')).mode & 0o777).toBe(0o600);
  expect(readSecretsKey('07'.repeat(32), directory)).toEqual(key);
  rmSync(directory, { recursive: true, force: true });
});
