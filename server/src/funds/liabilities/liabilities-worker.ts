/**
 * Makes one run in a thread of its own: reads a snapshot, adds up what each client has of each coin, and writes the
 * trees. The exchange that trades has no part in it. What is read are the bytes that were written, at 16 bytes an account, and
 * not an exchange again, which would take five times as much.
 */
import { closeSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { readBalances, type SnapshotBalances } from '@cambist/core/exchange/snapshot.ts';
import {
  accountParts,
  HOUSE_MAKER,
  HOUSE_TAKER,
  isClient,
  MAXIMUM_ASSET,
  type Wallet,
} from '@cambist/core/ledger/account.ts';
import { isOwned } from '@cambist/core/ledger/wallet-lists.ts';
import { makePrivateFolder } from '../../platform/private-files.ts';
import { type Account, IdentityWriter } from './identities.ts';
import { type Balance, buildTree, HASH_BYTES, NODE_BYTES } from './tree.ts';
import { nodesFile, OWNER_BYTES, ownersFile, writeAll } from './tree-files.ts';

const ASSETS = MAXIMUM_ASSET + 1;

/**
 * One run is `begin`, then `accounts` for each page of them in the order of their owners, then `build`. The pages come
 * after the snapshot, so each owner in it has an account in them.
 */
export type RunRequest =
  | { readonly id: number; readonly what: 'begin'; readonly folder: string; readonly secret: Uint8Array }
  | { readonly id: number; readonly what: 'accounts'; readonly accounts: readonly Account[] }
  | {
      readonly id: number;
      readonly what: 'build';
      readonly snapshot: string;
      /** The version of the rules that the snapshot must be of. */
      readonly rules: number;
    };

export interface AssetResult {
  readonly asset: number;
  readonly coin: string;
  readonly scale: number;
  readonly sum: bigint;
  readonly leaves: number;
  readonly clients: number;
  readonly root: string;
}

export interface RunAnswer {
  readonly id: number;
  readonly batch?: number;
  readonly stateHash?: string;
  readonly assets?: readonly AssetResult[];
  readonly error?: string;
}

/**
 * Whose money is owed: all clients but the accounts of the exchange's own market maker. Fee credit is not owed: it pays
 * fees and nothing else.
 */
function isOwed(owner: number, wallet: Wallet): boolean {
  return isClient(owner) && owner !== HOUSE_MAKER && owner !== HOUSE_TAKER && isOwned(wallet);
}

/** Which accounts are of a coin, for each: their indexes in the order of the coins. */
function byAsset(keys: Float64Array): (asset: number) => Uint32Array {
  const starts = new Uint32Array(MAXIMUM_ASSET + 2);
  for (const key of keys) starts[(key % ASSETS) + 1]! += 1;
  for (let asset = 1; asset < starts.length; asset += 1) starts[asset]! += starts[asset - 1]!;
  const indexes = new Uint32Array(keys.length);
  const next = starts.slice();
  for (let index = 0; index < keys.length; index += 1) {
    const asset = keys[index]! % ASSETS;
    indexes[next[asset]!] = index;
    next[asset]! += 1;
  }
  return (asset) => indexes.subarray(starts[asset], starts[asset + 1]);
}

/**
 * What each client has of one coin, in all wallets: available, held by orders and pending; and what all others have of
 * it together. One coin at a time: all clients' of all coins would not be held at once.
 */
function owedOf({ keys, balances: amounts }: SnapshotBalances, accounts: Uint32Array) {
  const byOwner = new Map<number, bigint>();
  let others = 0n;
  for (const index of accounts) {
    const { owner, wallet } = accountParts(keys[index]!);
    const amount = amounts[index]!;
    if (isOwed(owner, wallet)) byOwner.set(owner, (byOwner.get(owner) ?? 0n) + amount);
    else others += amount;
  }
  const owners = Float64Array.from(byOwner.keys()).sort();
  const balances = Array.from(owners, (owner): Balance => ({ owner, amount: byOwner.get(owner)! }));
  return { balances: balances.filter(({ amount }) => amount !== 0n), others };
}

function writeFile(path: string, pieces: readonly Uint8Array[]): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    for (const piece of pieces) writeAll(file, piece);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function ownersOf(balances: readonly Balance[]): Buffer {
  const bytes = Buffer.allocUnsafe(balances.length * OWNER_BYTES);
  for (const [index, { owner, amount }] of balances.entries()) {
    bytes.writeDoubleBE(owner, index * OWNER_BYTES);
    bytes.writeBigInt64BE(amount, index * OWNER_BYTES + 8);
  }
  return bytes;
}

interface Begun {
  readonly folder: string;
  readonly secret: Buffer;
  readonly identities: IdentityWriter;
}

let begun: Begun | undefined;

function begin({ folder, secret: bytes }: Extract<RunRequest, { what: 'begin' }>): void {
  makePrivateFolder(folder);
  const secret = Buffer.from(bytes);
  begun = { folder, secret, identities: new IdentityWriter(folder, secret) };
}

function build(
  { snapshot, rules }: Extract<RunRequest, { what: 'build' }>,
  { folder, secret, identities }: Begun,
): Omit<RunAnswer, 'id'> {
  identities.finish();
  const read = readBalances(readFileSync(snapshot), rules);
  const { batch, stateHash } = read;
  const accountsOf = byAsset(read.keys);
  const assets = read.assets.map(({ id: asset, code: coin, scale }): AssetResult => {
    const { balances, others } = owedOf(read, accountsOf(asset));
    const levels = buildTree({ batch, coin, scale }, secret, asset, balances, (owner) => identities.hashOf(owner));
    const root = levels.at(-1)!;
    const sum = root.readBigUInt64BE(HASH_BYTES);
    // Everything in the ledger adds up to nothing, so what others have says the same sum a second time.
    if (sum + others !== 0n) throw new Error(`The tree of ${coin} has another sum than the ledger`);
    writeFile(nodesFile(folder, asset), levels);
    writeFile(ownersFile(folder, asset), [ownersOf(balances)]);
    const leaves = levels[0]!.length / NODE_BYTES;
    return { asset, coin, scale, sum, leaves, clients: balances.length, root: root.toString('hex', 0, HASH_BYTES) };
  });
  return { batch, stateHash, assets };
}

function answerTo(request: RunRequest): Omit<RunAnswer, 'id'> {
  if (request.what === 'begin') {
    begin(request);
    return {};
  }
  if (begun === undefined) throw new Error('No run has begun');
  if (request.what === 'build') return build(request, begun);
  begun.identities.add(request.accounts);
  return {};
}

parentPort?.on('message', (request: RunRequest) => {
  try {
    parentPort?.postMessage({ id: request.id, ...answerTo(request) } satisfies RunAnswer);
  } catch (error) {
    parentPort?.postMessage({ id: request.id, error: (error as Error).message } satisfies RunAnswer);
  }
});
parentPort?.postMessage({ id: 0 } satisfies RunAnswer);
