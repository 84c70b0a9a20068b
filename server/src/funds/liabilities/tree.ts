/**
 * The summed tree of one coin. `web/public/verify-liabilities.mjs` says what is hashed, and checks it; what is here makes
 * it. Summed Merkle trees are Maxwell's; that a node's hash must have both sums by themselves is from Chalkias, Chatzigiannis
 * and Ji, "Broken Proofs of Solvency in Blockchain Custodial Wallets and Exchanges" (2022).
 */
import { hash } from 'node:crypto';
import { emailKeyOf, visibleText } from '@cambist/contract/email.ts';
import { LIABILITIES_VERSION } from '@cambist/contract/liabilities.ts';

export const HASH_BYTES = 32;
/** A node is its hash and its sum, highest byte first. */
export const NODE_BYTES = HASH_BYTES + 8;
const TITLE = `cambist liabilities ${LIABILITIES_VERSION}`;
const MOST_PARTS = 3;
/** Fewer leaves would tell how few clients have a coin. */
const FEWEST_LEAVES = 16;
/** A leaf's place is found by sorting numbers of 53 bits: the beginning of its hash, and where it was made. */
const PLACE_BITS = 53;
const MOST_LEAVES = 2 ** 23;

/** As text of single bytes it comes from the native side at less than half of what a buffer costs. */
const sha256 = (bytes: Uint8Array): Buffer => Buffer.from(hash('sha256', bytes, 'binary'), 'latin1');
const sha256Into = (bytes: Uint8Array, to: Buffer, at: number): void => {
  to.write(hash('sha256', bytes, 'binary'), at, HASH_BYTES, 'latin1');
};

export interface Domain {
  readonly batch: number;
  readonly coin: string;
  readonly scale: number;
}

export function domainOf({ batch, coin, scale }: Domain): Buffer {
  return sha256(Buffer.from(`${TITLE}\n${batch}\n${coin}\n${scale}`));
}

export interface Total {
  readonly coin: string;
  readonly scale: number;
  readonly sum: bigint;
  /** Hexadecimal. */
  readonly root: string;
}

export function commitmentOf(batch: number, totals: readonly Total[]): string {
  const lines = totals.map(({ coin, scale, sum, root }) => `${coin} ${scale} ${sum} ${root}`);
  return sha256(Buffer.from([TITLE, batch, ...lines].join('\n'))).toString('hex');
}

export interface Part {
  readonly part: number;
  readonly sum: bigint;
  readonly salt: Buffer;
}

/** Of messages of one length under a secret of 32 bytes, so nothing can be appended to them. */
function derive(secret: Buffer, purpose: number, asset: number, owner: number, part: number): Buffer {
  const message = Buffer.allocUnsafe(HASH_BYTES + 14);
  secret.copy(message);
  message[HASH_BYTES] = purpose;
  message.writeUInt32BE(asset, HASH_BYTES + 1);
  message.writeBigUInt64BE(BigInt(owner), HASH_BYTES + 5);
  message[HASH_BYTES + 13] = part;
  return sha256(message);
}

const SPLIT = 1;
const SALT = 2;
const PADDING = 3;
const IDENTITY = 4;
const IDENTITIES_KEY = 5;

/** What a client knows of the own account, as a leaf binds it. */
export interface Identity {
  readonly uid: string;
  /** As the profile shows it, in lower case; empty for an account without one. */
  readonly email: string;
}

/** The profile shows no invisible letters, so a client could not name them to the script. */
export const identityOf = (uid: string, email: string): Identity => ({ uid, email: emailKeyOf(visibleText(email)) });

/** One salt for each client in each run: neither the leaves nor another run's proof tell who is in a leaf. */
export const identitySalt = (secret: Buffer, owner: number): Buffer => derive(secret, IDENTITY, 0, owner, 0);

/** A UID has no new line, so each text belongs to one identity. */
export const identityHash = (salt: Buffer, { uid, email }: Identity): Buffer =>
  sha256(Buffer.from(`${TITLE} identity\n${salt.toString('hex')}\n${uid}\n${email}`));

/** Encrypts the identities in a run's folder: they become unreadable when the run's secret is deleted. */
export const identitiesKey = (secret: Buffer): Buffer => derive(secret, IDENTITIES_KEY, 0, 0, 0);

/** The identity in leaves that fill up the tree; SHA-256 of no known text. */
const NO_IDENTITY = Buffer.alloc(HASH_BYTES);

/** What decides how a balance is split; its first byte says into how many parts. */
const chanceOf = (secret: Buffer, asset: number, owner: number) => derive(secret, SPLIT, asset, owner, 0);
const countOf = (chance: Buffer) => 1 + (chance[0]! % MOST_PARTS);

/** The parts of a balance: one to three, by chance, so that nobody learns from a neighbour what a client has. */
export function partsOf(
  secret: Buffer,
  asset: number,
  owner: number,
  balance: bigint,
  chance: Buffer = chanceOf(secret, asset, owner),
): Part[] {
  const count = countOf(chance);
  const parts: Part[] = [];
  let left = balance;
  for (let part = 0; part < count; part += 1) {
    const isLast = part === count - 1;
    const sum = isLast ? left : (left * BigInt(chance.readUInt32BE(4 + part * 4))) >> 32n;
    left -= sum;
    parts.push({ part, sum, salt: derive(secret, SALT, asset, owner, part) });
  }
  return parts;
}

const LEAF_BYTES = 1 + 3 * HASH_BYTES + 1 + 8;

/** @param identity what `identityHash` makes of the client */
export function leafHash(domain: Buffer, identity: Buffer, { salt, part, sum }: Part): Buffer {
  const bytes = Buffer.allocUnsafe(LEAF_BYTES);
  bytes[0] = 0;
  domain.copy(bytes, 1);
  identity.copy(bytes, 1 + HASH_BYTES);
  salt.copy(bytes, 1 + 2 * HASH_BYTES);
  bytes[1 + 3 * HASH_BYTES] = part;
  bytes.writeBigUInt64BE(sum, 2 + 3 * HASH_BYTES);
  return sha256(bytes);
}

export interface Balance {
  readonly owner: number;
  readonly amount: bigint;
}

/** The hash of an owner's identity. @throws for an owner without one */
type IdentityHashOf = (owner: number) => Buffer;

const isPowerOfTwo = (count: number) => 2 ** Math.round(Math.log2(count)) === count;

/** Leaves in the order of their hashes, which is chance, up to a power of two; the ones that fill it up are of nobody. */
function leavesOf(
  domain: Buffer,
  secret: Buffer,
  asset: number,
  balances: readonly Balance[],
  identityHashOf: IdentityHashOf,
): Buffer {
  // Each is needed twice: to know how many leaves there are, and to split.
  const chances = Buffer.allocUnsafe(balances.length * HASH_BYTES);
  const chanceAt = (at: number) => chances.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
  for (const [at, { owner }] of balances.entries()) chanceOf(secret, asset, owner).copy(chances, at * HASH_BYTES);
  const parts = balances.reduce((sum, _, at) => sum + countOf(chanceAt(at)), 0);
  const count = Math.max(FEWEST_LEAVES, 2 ** Math.ceil(Math.log2(Math.max(1, parts))));
  if (count > MOST_LEAVES) throw new RangeError(`A tree has at most ${MOST_LEAVES} leaves, and not ${count}`);
  const made = Buffer.alloc(count * NODE_BYTES);
  let index = 0;
  const add = (identity: Buffer, part: Part) => {
    leafHash(domain, identity, part).copy(made, index * NODE_BYTES);
    made.writeBigUInt64BE(part.sum, index * NODE_BYTES + HASH_BYTES);
    index += 1;
  };
  for (const [at, { owner, amount }] of balances.entries()) {
    const identity = identityHashOf(owner);
    for (const part of partsOf(secret, asset, owner, amount, chanceAt(at))) add(identity, part);
  }
  while (index < count) add(NO_IDENTITY, { part: 0, sum: 0n, salt: derive(secret, PADDING, asset, index, 0) });
  return sorted(made, count);
}

function sorted(made: Buffer, count: number): Buffer {
  const startBits = PLACE_BITS - Math.ceil(Math.log2(count));
  const shift = 2 ** Math.max(0, 48 - startBits);
  const keys = Float64Array.from({ length: count }, (_, index) => {
    const start = Math.floor(made.readUIntBE(index * NODE_BYTES, 6) / shift);
    return start * count + index;
  }).sort();
  const leaves = Buffer.allocUnsafe(made.length);
  for (const [place, key] of keys.entries()) {
    const from = (key % count) * NODE_BYTES;
    made.copy(leaves, place * NODE_BYTES, from, from + NODE_BYTES);
  }
  return leaves;
}

/** All levels of a tree, the leaves first, the root last. */
export function levelsOf(domain: Buffer, leaves: Buffer): Buffer[] {
  if (!isPowerOfTwo(leaves.length / NODE_BYTES)) throw new RangeError('The leaves of a tree are a power of two');
  const levels = [leaves];
  const message = Buffer.allocUnsafe(2 + HASH_BYTES + 2 * NODE_BYTES);
  message[0] = 1;
  domain.copy(message, 1);
  for (let below = leaves; below.length > NODE_BYTES; below = levels.at(-1)!) {
    const level = Buffer.allocUnsafe(below.length / 2);
    message[1 + HASH_BYTES] = levels.length - 1;
    for (let at = 0; at < level.length; at += NODE_BYTES) {
      below.copy(message, 2 + HASH_BYTES, at * 2, at * 2 + 2 * NODE_BYTES);
      sha256Into(message, level, at);
      const sum = below.readBigUInt64BE(at * 2 + HASH_BYTES) + below.readBigUInt64BE(at * 2 + NODE_BYTES + HASH_BYTES);
      // Refused beyond what the ledger itself can hold.
      level.writeBigInt64BE(sum, at + HASH_BYTES);
    }
    levels.push(level);
  }
  return levels;
}

/** @param balances each owner once, none negative */
export function buildTree(
  of: Domain,
  secret: Buffer,
  asset: number,
  balances: readonly Balance[],
  identityHashOf: IdentityHashOf,
): Buffer[] {
  const domain = domainOf(of);
  return levelsOf(domain, leavesOf(domain, secret, asset, balances, identityHashOf));
}
