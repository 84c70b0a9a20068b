/**
 * Blocks and transactions of Bitcoin from their bytes. A node is believed in nothing that the bytes can say: the hash of a
 * block is computed from its header, and its transactions must lead to the root in it.
 */
import { createHash } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';

export interface BitcoinInput {
  /** The output that it spends. */
  readonly transaction: string;
  readonly output: number;
  readonly sequence: number;
  /** What proves that it may be spent; empty where it has no witness. */
  readonly witness: readonly Buffer[];
}

export interface BitcoinOutput {
  readonly units: bigint;
  readonly script: Buffer;
}

export interface BitcoinTransaction {
  readonly id: string;
  readonly version: number;
  readonly lockTime: number;
  readonly inputs: readonly BitcoinInput[];
  readonly outputs: readonly BitcoinOutput[];
  /** It spends nothing: the block's new coins. */
  readonly isCoinbase: boolean;
  /** As fees are counted, rounded up. */
  readonly virtualBytes: number;
}

export interface BitcoinBlock {
  readonly hash: string;
  readonly parent: string;
  readonly transactions: readonly BitcoinTransaction[];
}

const HEADER_BYTES = 80;
/** Transactions that are read in a row: nothing else happens meanwhile. */
const WITHOUT_PAUSE = 200;
const NOTHING = '0'.repeat(64);

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const hashOf = (...parts: readonly Uint8Array[]): Buffer => sha256(sha256(Buffer.concat(parts)));
/** Hashes are written backwards. */
const written = (hash: Uint8Array): string => Buffer.from(hash).reverse().toString('hex');

class Reader {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  take(length: number): Buffer {
    if (this.at + length > this.bytes.length) throw new Error('The bytes end too soon');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  uint32(): number {
    return this.take(4).readUInt32LE();
  }

  /** A count, as Bitcoin writes it in one to nine bytes; never more than the bytes that are there. */
  count(): number {
    const first = this.take(1)[0] ?? 0;
    let value = first;
    if (first === 0xfd) value = this.take(2).readUInt16LE();
    else if (first === 0xfe) value = this.uint32();
    else if (first === 0xff) value = Number(this.take(8).readBigUInt64LE());
    if (value > this.bytes.length) throw new Error('A count is too large');
    return value;
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.count() }, read);
  }
}

function inputOf(reader: Reader): Omit<BitcoinInput, 'witness'> {
  const transaction = written(reader.take(32));
  const output = reader.uint32();
  reader.take(reader.count());
  return { transaction, output, sequence: reader.uint32() };
}

const outputOf = (reader: Reader): BitcoinOutput => ({
  units: reader.take(8).readBigInt64LE(),
  script: reader.take(reader.count()),
});

function transactionOf(reader: Reader): BitcoinTransaction {
  const start = reader.at;
  const version = reader.take(4);
  // A transaction without inputs cannot be: here it is the mark of one with witnesses (BIP144).
  const hasWitness = reader.bytes[reader.at] === 0;
  if (hasWitness && reader.take(2)[1] !== 1) throw new Error('A transaction of an unknown kind');
  const core = reader.at;
  const inputs = reader.list(() => inputOf(reader));
  const outputs = reader.list(() => outputOf(reader));
  const coreEnd = reader.at;
  const witnesses = hasWitness ? inputs.map(() => reader.list(() => reader.take(reader.count()))) : [];
  const lockTime = reader.take(4);
  const body = reader.bytes.subarray(core, coreEnd);
  const plain = version.length + body.length + lockTime.length;
  return {
    id: written(hashOf(version, body, lockTime)),
    version: version.readInt32LE(),
    lockTime: lockTime.readUInt32LE(),
    inputs: inputs.map((input, index) => ({ ...input, witness: witnesses[index] ?? [] })),
    outputs,
    isCoinbase: inputs.length === 1 && inputs[0]?.transaction === NOTHING,
    virtualBytes: Math.ceil((plain * 3 + (reader.at - start)) / 4),
  };
}

/** @throws where there is anything but one transaction */
export function readTransaction(raw: string): BitcoinTransaction {
  const reader = new Reader(Buffer.from(raw, 'hex'));
  const transaction = transactionOf(reader);
  if (reader.at !== reader.bytes.length) throw new Error('Bytes after a transaction');
  return transaction;
}

function merkleRoot(ids: readonly Buffer[]): Buffer {
  let level = ids;
  while (level.length > 1) {
    const pairs: Buffer[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const [left, right] = [level[index], level[index + 1] ?? level[index]];
      if (left !== undefined && right !== undefined) pairs.push(hashOf(left, right));
    }
    level = pairs;
  }
  return level[0] ?? Buffer.alloc(32);
}

/** @throws where the bytes are not one whole block whose header vouches for its transactions */
export async function readBlock(raw: string): Promise<BitcoinBlock> {
  const reader = new Reader(Buffer.from(raw, 'hex'));
  const header = reader.take(HEADER_BYTES);
  const transactions: BitcoinTransaction[] = [];
  for (let left = reader.count(); left > 0; left -= 1) {
    transactions.push(transactionOf(reader));
    if (transactions.length % WITHOUT_PAUSE === 0) await pause();
  }
  const root = merkleRoot(transactions.map(({ id }) => Buffer.from(id, 'hex').reverse()));
  if (reader.at !== reader.bytes.length || !root.equals(header.subarray(36, 68)))
    throw new Error('The transactions are not those of the block');
  return { hash: written(hashOf(header)), parent: written(header.subarray(4, 36)), transactions };
}
