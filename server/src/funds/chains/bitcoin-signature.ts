/** Signatures of Bitcoin inputs that a key hash pays (P2WPKH), as they are read again from the bytes of a transaction. */
import { createHash } from 'node:crypto';
import { publicKeyOf } from './addresses.ts';
import type { BitcoinTransaction } from './bitcoin-block.ts';

/** Of each input of ours: replaceable (BIP125), and without a lock. */
export const SEQUENCE = 0xfffffffd;
/** All of the transaction. */
export const SIGHASH_ALL = 1;

/** What an input spends. */
export interface Spent {
  readonly keyHash: Buffer;
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

/** What the signature of an input signs (BIP143), from the bytes as they were read again. */
function signedHash(
  { version, lockTime, inputs, outputs }: BitcoinTransaction,
  at: number,
  { keyHash, units }: Spent,
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
  const code = Buffer.concat([Buffer.of(25, 0x76, 0xa9, 20), keyHash, Buffer.of(0x88, 0xac)]);
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

/** Whether an input has the one signature of its key over all of the transaction. */
export function isSigned(read: BitcoinTransaction, at: number, spent: Spent): boolean {
  const [signature, publicKey, ...rest] = read.inputs[at]?.witness ?? [];
  const bytes = signature && compact(signature);
  if (bytes === undefined || publicKey?.length !== 33 || rest.length > 0) return false;
  try {
    const key = publicKeyOf(publicKey);
    const isKey = key.identifier !== undefined && spent.keyHash.equals(key.identifier);
    return isKey && key.verify(signedHash(read, at, spent), bytes);
  } catch {
    // No point of the curve, or no signature.
    return false;
  }
}
