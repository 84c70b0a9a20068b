/**
 * The keys of development: a seed that is made once and kept encrypted below the data folder. It answers two questions,
 * the extended public key of a family and the address of an index, and signs nothing.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HDKey } from '@scure/bip32';
import type { Encryption } from '../../platform/encryption.ts';
import { makePrivateFolder } from '../../platform/private-files.ts';
import { ACCOUNT_PATHS, addressOfKey, type Family } from './addresses.ts';

export interface DevelopmentSigner {
  xpub(family: Family): string;
  /** Derived from the private keys, by another way than from the extended public key. */
  address(family: Family, index: number): string;
}

const FILE = 'development-seed';
const CONTEXT = 'development-seed';
const SEED_BYTES = 32;

/** The seed of the data folder; the first start makes it. */
function readSeed(dataDirectory: string, encryption: Encryption): Uint8Array {
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

export function createDevelopmentSigner(dataDirectory: string, encryption: Encryption): DevelopmentSigner {
  const root = HDKey.fromMasterSeed(readSeed(dataDirectory, encryption));
  return {
    xpub: (family) => root.derive(ACCOUNT_PATHS[family]).publicExtendedKey,
    address: (family, index) => addressOfKey(family, root.derive(`${ACCOUNT_PATHS[family]}/0/${index}`)),
  };
}
