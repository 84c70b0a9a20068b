import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSealing, readSecretsKey } from './sealing.ts';

const key = Buffer.alloc(32, 7);

it('opens what it sealed, for the same owner, by the same key, unchanged', () => {
  const sealing = createSealing(key);
  const sealed = sealing.seal('a secret', 'totp:1');
  expect(sealed).not.toContain('secret');
  expect(sealing.seal('a secret', 'totp:1')).not.toBe(sealed);
  expect(createSealing(key).open(sealed, 'totp:1')).toBe('a secret');
  expect(() => sealing.open(sealed, 'totp:2')).toThrow();
  expect(() => createSealing(Buffer.alloc(32, 8)).open(sealed, 'totp:1')).toThrow();
  const bytes = Buffer.from(sealed, 'base64url');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(() => sealing.open(bytes.toString('base64url'), 'totp:1')).toThrow();
});

it('hashes by key and context', () => {
  const hashes = [createSealing(key), createSealing(Buffer.alloc(32, 8))].flatMap((sealing) => [
    sealing.hash('123456', 'a'),
    sealing.hash('123456', 'b'),
  ]);
  expect(new Set(hashes).size).toBe(4);
  expect(createSealing(key).hash('123456', 'a')).toBe(hashes[0]);
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
