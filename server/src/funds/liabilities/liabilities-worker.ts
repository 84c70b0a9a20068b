/**
 * Makes one run in a thread of its own: reads a snapshot, adds up what each client has of each coin, and writes the
 * trees. The exchange that trades has no part in it; what is read has the state hash that was written.
 */
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { readSnapshot } from '@cambist/core/exchange/snapshot.ts';
import {
  accountParts,
  HOUSE_MAKER,
  HOUSE_TAKER,
  isClient,
  MAXIMUM_ASSET,
  Wallet,
} from '@cambist/core/ledger/account.ts';
import { makePrivateFolder } from '../../platform/private-files.ts';
import { type Balance, buildTree, HASH_BYTES, NODE_BYTES } from './tree.ts';
import { nodesFile, OWNER_BYTES, ownersFile } from './tree-files.ts';

export interface RunRequest {
  readonly id: number;
  readonly snapshot: string;
  /** The version of the rules that the snapshot must be of. */
  readonly rules: number;
  readonly folder: string;
  readonly secret: Uint8Array;
}

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
  return isClient(owner) && owner !== HOUSE_MAKER && owner !== HOUSE_TAKER && wallet !== Wallet.CREDIT;
}

interface Accounts {
  readonly keys: Float64Array;
  readonly amounts: BigInt64Array;
}

/**
 * What each client has of one coin, in all wallets: available, held by orders and pending; and what all others have of
 * it together. All accounts are looked at again for each coin, since all clients' of all coins would not be held at once.
 */
function owedOf({ keys, amounts }: Accounts, wanted: number) {
  const byOwner = new Map<number, bigint>();
  let others = 0n;
  for (let index = 0; index < keys.length; index += 1) {
    if (keys[index]! % (MAXIMUM_ASSET + 1) !== wanted) continue;
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
    for (const piece of pieces) for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
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

function makeRun({ snapshot, rules, folder, secret }: RunRequest): Omit<RunAnswer, 'id'> {
  const { exchange, batch, stateHash } = readSnapshot(readFileSync(snapshot), rules);
  const accounts = exchange.balances();
  makePrivateFolder(folder);
  const assets = exchange.assets().map(({ id: asset, code: coin, scale }): AssetResult => {
    const { balances, others } = owedOf(accounts, asset);
    const levels = buildTree({ batch, coin, scale }, Buffer.from(secret), asset, balances);
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

parentPort?.on('message', (request: RunRequest) => {
  try {
    parentPort?.postMessage({ id: request.id, ...makeRun(request) } satisfies RunAnswer);
  } catch (error) {
    parentPort?.postMessage({ id: request.id, error: (error as Error).message } satisfies RunAnswer);
  }
});
parentPort?.postMessage({ id: 0 } satisfies RunAnswer);
