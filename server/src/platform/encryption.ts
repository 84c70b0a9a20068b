/** Secrets at rest: encrypted with AES-256-GCM, or hashed with a key, so that the database alone gives nothing away. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from './private-files.ts';

export interface Encryption {
  /** @param context what the secret is and whose; it must be the same to decrypt */
  encrypt(text: string, context: string): string;
  /** @throws when it was encrypted with another key or for another context */
  decrypt(encrypted: string, context: string): string;
  /** Keyed, for short codes that a plain hash would give away. */
  hash(text: string, context: string): string;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function isThere(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST';
}

/** The key of the settings, or one that is made once and kept in the data directory, readable by its owner alone. */
export function readSecretsKey(setting: string | undefined, dataDirectory: string): Buffer {
  if (setting !== undefined) return Buffer.from(setting, 'hex');
  const path = join(dataDirectory, 'secrets.key');
  makePrivateFolder(dataDirectory);
  try {
    writeFileSync(path, randomBytes(KEY_BYTES).toString('hex'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!isThere(error)) throw error;
    chmodSync(path, 0o600);
  }
  return Buffer.from(readFileSync(path, 'utf8').trim(), 'hex');
}

export function createEncryption(key: Buffer): Encryption {
  if (key.length !== KEY_BYTES) throw new Error('The key of encrypted secrets has 32 bytes');
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES));
  const [encryptionKey, hashKey] = [derive('seal'), derive('hash')];
  return {
    encrypt(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce).setAAD(Buffer.from(context));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
    },
    decrypt(encrypted, context) {
      const bytes = Buffer.from(encrypted, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
    hash: (text, context) => createHmac('sha256', hashKey).update(`${context}\n${text}`).digest('base64url'),
  };
}
