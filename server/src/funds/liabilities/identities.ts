/**
 * The identities that a run binds its leaves to. A run's folder has `identities`, each client's UID and email as they were
 * when the run was made, and `identities.index`, which says where a client's begin. They are encrypted under the run's
 * secret, so they become unreadable when the run is closed.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createEncryption, type Encryption } from '../../platform/encryption.ts';
import { HASH_BYTES, type Identity, identitiesKey, identityHash, identityOf, identitySalt } from './tree.ts';
import { readAt, recordOf, withFile, writeAll } from './tree-files.ts';

/** The owner's number, and where the encrypted identity begins, as doubles; then its length. */
const INDEX_BYTES = 20;
const FIRST_CAPACITY = 1024;

const identitiesFile = (folder: string) => join(folder, 'identities');
const indexFile = (folder: string) => join(folder, 'identities.index');
const contextOf = (owner: number) => `identity ${owner}`;

/** An account as its owner sees it. */
export interface Account {
  readonly owner: number;
  readonly uid: string;
  /** As it is shown; empty without one. */
  readonly email: string;
}

/** Writes the identities of a run page by page. In memory stay 40 bytes for each client: the hashes that the trees need. */
export class IdentityWriter {
  readonly #secret: Buffer;
  readonly #encryption: Encryption;
  readonly #files: readonly [identities: number, index: number];
  #owners = new Float64Array(FIRST_CAPACITY);
  #hashes = Buffer.allocUnsafe(FIRST_CAPACITY * HASH_BYTES);
  #count = 0;
  #written = 0;

  constructor(folder: string, secret: Buffer) {
    this.#secret = secret;
    this.#encryption = createEncryption(identitiesKey(secret));
    this.#files = [openSync(identitiesFile(folder), 'wx', 0o600), openSync(indexFile(folder), 'wx', 0o600)];
  }

  /** @param accounts in the order of their owners, after those of all pages before */
  add(accounts: readonly Account[]): void {
    const index = Buffer.allocUnsafe(accounts.length * INDEX_BYTES);
    const texts: string[] = [];
    for (const [at, { owner, uid, email }] of accounts.entries()) {
      const identity = identityOf(uid, email);
      const text = this.#encryption.encrypt(JSON.stringify(identity), contextOf(owner));
      index.writeDoubleBE(owner, at * INDEX_BYTES);
      index.writeDoubleBE(this.#written, at * INDEX_BYTES + 8);
      index.writeUInt32BE(text.length, at * INDEX_BYTES + 16);
      this.#written += text.length;
      texts.push(text);
      this.#keep(owner, identityHash(identitySalt(this.#secret, owner), identity));
    }
    writeAll(this.#files[0], Buffer.from(texts.join(''), 'latin1'));
    writeAll(this.#files[1], index);
  }

  /** @throws for an owner of whom there is no account */
  hashOf(owner: number): Buffer {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#owners[middle]! < owner) low = middle + 1;
      else high = middle;
    }
    if (low === this.#count || this.#owners[low] !== owner) throw new Error(`Owner ${owner} has no account`);
    return this.#hashes.subarray(low * HASH_BYTES, (low + 1) * HASH_BYTES);
  }

  /** Makes the files durable. The hashes stay in memory. */
  finish(): void {
    for (const file of this.#files) {
      fsyncSync(file);
      closeSync(file);
    }
  }

  #keep(owner: number, hash: Buffer): void {
    if (this.#count > 0 && owner <= this.#owners[this.#count - 1]!) throw new Error('Accounts come in another order');
    if (this.#count === this.#owners.length) {
      const owners = new Float64Array(this.#count * 2);
      owners.set(this.#owners);
      const hashes = Buffer.allocUnsafe(this.#hashes.length * 2);
      this.#hashes.copy(hashes);
      [this.#owners, this.#hashes] = [owners, hashes];
    }
    this.#owners[this.#count] = owner;
    hash.copy(this.#hashes, this.#count * HASH_BYTES);
    this.#count += 1;
  }
}

/** @returns undefined for an account that is newer than the run */
export async function readIdentity(folder: string, secret: Buffer, owner: number): Promise<Identity | undefined> {
  const record = await recordOf(indexFile(folder), INDEX_BYTES, owner);
  if (record === undefined) return undefined;
  const text = await withFile(identitiesFile(folder), (file) =>
    readAt(file, record.readDoubleBE(8), record.readUInt32BE(16)),
  );
  const encryption = createEncryption(identitiesKey(secret));
  return JSON.parse(encryption.decrypt(text.toString('latin1'), contextOf(owner))) as Identity;
}
