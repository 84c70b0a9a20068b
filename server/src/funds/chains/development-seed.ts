/** The seed of development's keys: made once and kept encrypted below the data folder. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Encryption } from '../../platform/encryption.ts';
import { makePrivateFolder } from '../../platform/private-files.ts';

const FILE = 'development-seed';
const CONTEXT = 'development-seed';
const SEED_BYTES = 32;

/** The seed of the data folder; the first start makes it. */
export function readDevelopmentSeed(dataDirectory: string, encryption: Encryption): Uint8Array {
  const path = join(dataDirectory, FILE);
  makePrivateFolder(dataDirectory);
  try {
    const seed = encryption.encrypt(randomBytes(SEED_BYTES).toString('hex'), CONTEXT);
    writeFileSync(path, seed, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  try {
    return Buffer.from(encryption.decrypt(readFileSync(path, 'utf8'), CONTEXT), 'hex');
  } catch (cause) {
    throw new Error(`${path} was written with another SECRETS_KEY; without it, its addresses are lost`, { cause });
  }
}
