/**
 * Bitcoin transactions, built from what is to be paid and read again by another reader before they leave. Each input is a
 * key of the signer's own: its script is derived here, and the signature covers it with its amount (BIP143), so that inputs
 * that are not as they were said to be make bytes that no node takes.
 */
import { createHash } from 'node:crypto';
import type { HDKey } from '@scure/bip32';
import { type BitcoinNetwork, dustOf, scriptOf } from '../funds/chains/bitcoin-addresses.ts';
import { type BitcoinTransaction, readTransaction } from '../funds/chains/bitcoin-block.ts';
import { type BitcoinTerms, type ChainPayment, claimsOf } from '../funds/chains/transactions.ts';
import type { Built } from './intent.ts';
import type { SigningKey } from './signing-key.ts';

export interface BitcoinKeys {
  /** That the change goes back to. */
  readonly hot: SigningKey;
  /** Of a client's address. */
  readonly ofIndex: (index: number) => SigningKey;
  readonly network: BitcoinNetwork;
}

/** Replaceable (BIP125), and without a lock. */
const SEQUENCE = 0xfffffffd;
const SIGHASH_ALL = 1;

interface Input {
  readonly transaction: string;
  readonly output: number;
  readonly units: bigint;
  readonly key: SigningKey;
  readonly script: Buffer;
}
interface Output {
  readonly script: Buffer;
  readonly units: bigint;
}

const hash = (...parts: readonly Uint8Array[]): Buffer => {
  const once = createHash('sha256').update(Buffer.concat(parts)).digest();
  return createHash('sha256').update(once).digest();
};
const little = (value: number | bigint, bytes: 4 | 8): Buffer => {
  const buffer = Buffer.alloc(bytes);
  if (bytes === 4) buffer.writeUInt32LE(Number(value));
  else buffer.writeBigUInt64LE(BigInt(value));
  return buffer;
};

function keyHashOf({ identifier }: HDKey): Buffer {
  if (!identifier) throw new Error('A key without a public key');
  return Buffer.from(identifier);
}
const scriptOfKey = ({ publicKey }: SigningKey): Buffer => Buffer.concat([Buffer.of(0, 20), keyHashOf(publicKey)]);
/** What the script of a key hash stands for where it is signed. */
const scriptCodeOf = ({ publicKey }: SigningKey): Buffer =>
  Buffer.concat([Buffer.of(0x76, 0xa9, 20), keyHashOf(publicKey), Buffer.of(0x88, 0xac)]);

/** @throws where it would not be relayed, or is no address */
function outputOf(address: string, units: bigint, network: BitcoinNetwork): Output {
  const script = scriptOf(address, network);
  if (script === undefined || units < dustOf(script)) throw new Error('A payment that no node would pass on');
  return { script, units };
}

/** What is to be spent and paid. @throws where it does not add up */
function plan({ address, units }: ChainPayment, terms: BitcoinTerms, { hot, ofIndex, network }: BitcoinKeys) {
  const inputs = terms.inputs.map(({ transaction, output, units: amount, index }): Input => {
    const key = index === null ? hot : ofIndex(index);
    return { transaction, output, units: amount, key, script: scriptOfKey(key) };
  });
  if (new Set(claimsOf(terms)).size < inputs.length) throw new Error('An input twice');
  const own = scriptOfKey(hot);
  const paid = [{ address, units }, ...terms.others].map((one) => outputOf(one.address, one.units, network));
  if (terms.change > 0n && terms.change < dustOf(own)) throw new Error('Change that no node would pass on');
  const outputs: Output[] = terms.change > 0n ? [...paid, { script: own, units: terms.change }] : paid;
  const left = inputs.reduce((sum, input) => sum + input.units, 0n) - outputs.reduce((sum, one) => sum + one.units, 0n);
  if (left !== terms.fee) throw new Error('Inputs, payments, change and fee do not add up');
  return { inputs, outputs };
}

/** What the signature of an input signs (BIP143), from the bytes as they were read again. */
function signedHash(
  { version, lockTime, inputs, outputs }: BitcoinTransaction,
  at: number,
  { key, units }: Input,
): Buffer {
  const outpoint = (index: number) => {
    const { transaction = '', output = 0 } = inputs[index] ?? {};
    return Buffer.concat([Buffer.from(transaction, 'hex').reverse(), little(output, 4)]);
  };
  const sequence = (index: number) => little(inputs[index]?.sequence ?? 0, 4);
  const all = inputs.map((_, index) => index);
  const paid = outputs.map(({ units: amount, script }) =>
    Buffer.concat([little(amount, 8), Buffer.of(script.length), script]),
  );
  const code = Buffer.concat([Buffer.of(25), scriptCodeOf(key)]);
  return hash(
    ...[little(version, 4), hash(...all.map(outpoint)), hash(...all.map(sequence)), outpoint(at), code],
    ...[little(units, 8), sequence(at), hash(...paid), little(lockTime, 4), little(SIGHASH_ALL, 4)],
  );
}

/** 64 bytes of a signature in DER with its kind behind it; undefined for any other kind. */
function compact(signature: Buffer): Buffer | undefined {
  if (signature.at(-1) !== SIGHASH_ALL || signature[0] !== 0x30 || signature[2] !== 2) return undefined;
  const size = signature[3] ?? 0;
  const [r, rest] = [signature.subarray(4, 4 + size), signature.subarray(4 + size, -1)];
  const s = rest.subarray(2);
  if (rest[0] !== 2 || rest[1] !== s.length) return undefined;
  return Buffer.concat([r, s].map((part) => Buffer.concat([Buffer.alloc(33), part]).subarray(-32)));
}

function isSigned(read: BitcoinTransaction, at: number, input: Input): boolean {
  const [signature, key, ...rest] = read.inputs[at]?.witness ?? [];
  const bytes = signature && compact(signature);
  const { publicKey } = input.key;
  if (bytes === undefined || key === undefined || rest.length > 0 || publicKey.publicKey === null) return false;
  return key.equals(publicKey.publicKey) && publicKey.verify(signedHash(read, at, input), bytes);
}

/** @throws where the bytes are not exactly what was wanted */
function check(read: BitcoinTransaction, inputs: readonly Input[], outputs: readonly Output[]): void {
  const isInput = (at: number, { transaction, output }: Input) => {
    const found = read.inputs[at];
    return found?.transaction === transaction && found.output === output && found.sequence === SEQUENCE;
  };
  const isOutput = (at: number, { script, units }: Output) =>
    read.outputs[at]?.units === units && read.outputs[at].script.equals(script);
  const isWanted =
    read.version === 2 &&
    read.lockTime === 0 &&
    read.inputs.length === inputs.length &&
    read.outputs.length === outputs.length &&
    inputs.every((input, at) => isInput(at, input) && isSigned(read, at, input)) &&
    outputs.every((output, at) => isOutput(at, output));
  if (!isWanted) throw new Error('The transaction is not what was wanted');
}

/** A number in DER: as short as it can be, and never with the highest bit set. */
function derNumber(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const short = bytes.subarray(first);
  const padded = (short[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), short]) : short;
  return Buffer.concat([Buffer.of(2, padded.length), padded]);
}

/** As a node reads it: DER, and the kind of signature behind it. */
function written(compact: Buffer): Buffer {
  const parts = Buffer.concat([derNumber(compact.subarray(0, 32)), derNumber(compact.subarray(32))]);
  return Buffer.concat([Buffer.of(0x30, parts.length), parts, Buffer.of(SIGHASH_ALL)]);
}

export async function signBitcoin(payment: ChainPayment, terms: BitcoinTerms, keys: BitcoinKeys): Promise<Built> {
  const { Transaction } = await import('@scure/btc-signer');
  const { inputs, outputs } = plan(payment, terms, keys);
  const transaction = new Transaction({ version: 2, lockTime: 0 });
  for (const { transaction: txid, output: index, units, script } of inputs)
    transaction.addInput({ txid, index, sequence: SEQUENCE, witnessUtxo: { script, amount: units } });
  for (const { script, units } of outputs) transaction.addOutput({ script, amount: units });
  for (const [at, { key, units }] of inputs.entries()) {
    const digest = transaction.preimageWitnessV0(at, scriptCodeOf(key), SIGHASH_ALL, units);
    const { compact } = await key.sign(digest);
    const { publicKey } = key.publicKey;
    if (publicKey === null) throw new Error('A key without a public key');
    transaction.updateInput(at, { partialSig: [[publicKey, written(compact)]] }, true);
  }
  transaction.finalize();
  const raw = transaction.hex;
  const read = readTransaction(raw);
  check(read, inputs, outputs);
  return { raw, transaction: read.id };
}
