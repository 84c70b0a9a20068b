/**
 * A run's folder: for each coin `<asset>.nodes`, its tree's levels from the leaves up, and `<asset>.owners`, who has a
 * balance in it. A client's parts are found by reading some fifty places of them. `identities.ts` adds two files for all coins.
 */
import { writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Domain,
  domainOf,
  HASH_BYTES,
  type Identity,
  identityHash,
  identitySalt,
  leafHash,
  NODE_BYTES,
  partsOf,
} from './tree.ts';

/** The owner's number as a double, and the balance. */
export const OWNER_BYTES = 16;
/** Leaves read at once for a file. */
const STRIDE = 1_000;

export const nodesFile = (folder: string, asset: number) => join(folder, `${asset}.nodes`);
export const ownersFile = (folder: string, asset: number) => join(folder, `${asset}.owners`);

export async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
  if (bytesRead < length) throw new Error('A file of a proof is shorter than its tree');
  return buffer;
}

export async function withFile<Result>(path: string, read: (file: FileHandle) => Promise<Result>): Promise<Result> {
  const file = await open(path, 'r');
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}

/** Finds an owner's record in a file that is sorted by owners; each record begins with the owner's number. */
export function recordOf(path: string, bytes: number, owner: number): Promise<Buffer | undefined> {
  return withFile(path, async (file) => {
    let [low, high] = [0, (await file.stat()).size / bytes];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const record = await readAt(file, middle * bytes, bytes);
      const found = record.readDoubleBE(0);
      if (found === owner) return record;
      if (found < owner) low = middle + 1;
      else high = middle;
    }
    return undefined;
  });
}

export function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Leaves are in the order of how their hashes begin; few begin alike. */
async function placeOf(file: FileHandle, leaves: number, wanted: Buffer): Promise<number> {
  const start = (hash: Buffer) => hash.readUIntBE(0, 4);
  let [low, high] = [0, leaves];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (start(await readAt(file, middle * NODE_BYTES, HASH_BYTES)) < start(wanted)) low = middle + 1;
    else high = middle;
  }
  // Places that begin alike for fewer bits than were sorted by stand together, before or after.
  const near = Math.max(0, low - STRIDE);
  const length = Math.min(leaves, low + STRIDE) - near;
  const nodes = await readAt(file, near * NODE_BYTES, length * NODE_BYTES);
  for (let at = 0; at < length; at += 1) {
    if (nodes.subarray(at * NODE_BYTES, at * NODE_BYTES + HASH_BYTES).equals(wanted)) return near + at;
  }
  throw new Error('A leaf is not in its tree');
}

interface PathNode {
  readonly hash: string;
  readonly sum: string;
}

async function pathOf(file: FileHandle, leaves: number, place: number): Promise<PathNode[]> {
  const path: PathNode[] = [];
  let [start, index] = [0, place];
  for (let width = leaves; width > 1; width /= 2) {
    const node = await readAt(file, (start + (index ^ 1)) * NODE_BYTES, NODE_BYTES);
    path.push({
      hash: node.toString('hex', 0, HASH_BYTES),
      sum: String(node.readBigUInt64BE(HASH_BYTES)),
    });
    start += width;
    index >>= 1;
  }
  return path;
}

export interface TreePlace {
  readonly folder: string;
  readonly asset: number;
  readonly leaves: number;
}

/** A client's parts of one coin with what is beside them up to the root; undefined for a client who has none. */
export async function readProof(
  { folder, asset, leaves }: TreePlace,
  of: Domain,
  secret: Buffer,
  { owner, identity }: { readonly owner: number; readonly identity: Identity },
) {
  const balance = (await recordOf(ownersFile(folder, asset), OWNER_BYTES, owner))?.readBigInt64BE(8) ?? 0n;
  if (balance === 0n) return undefined;
  const bound = identityHash(identitySalt(secret, owner), identity);
  const domain = domainOf(of);
  return withFile(nodesFile(folder, asset), async (file) => {
    const parts = [];
    for (const part of partsOf(secret, asset, owner, balance)) {
      const index = await placeOf(file, leaves, leafHash(domain, bound, part));
      const path = await pathOf(file, leaves, index);
      parts.push({ part: part.part, sum: String(part.sum), salt: part.salt.toString('hex'), index, path });
    }
    return { balance, parts };
  });
}

/** Hash and sum of each leaf, a line each, at the pace of who reads them. */
export async function* leafLines({ folder, asset, leaves }: TreePlace): AsyncGenerator<string> {
  const file = await open(nodesFile(folder, asset), 'r');
  try {
    for (let first = 0; first < leaves; first += STRIDE) {
      const count = Math.min(STRIDE, leaves - first);
      const nodes = await readAt(file, first * NODE_BYTES, count * NODE_BYTES);
      const lines = Array.from({ length: count }, (_, at) => {
        const node = nodes.subarray(at * NODE_BYTES, (at + 1) * NODE_BYTES);
        return `${node.toString('hex', 0, HASH_BYTES)} ${node.readBigUInt64BE(HASH_BYTES)}\n`;
      });
      yield lines.join('');
    }
  } finally {
    await file.close();
  }
}
