/**
 * Keys that sign: derived from the seed, or in a token that they never leave. What a signature covers is computed in this
 * folder alone, and every signature is verified against its public key before it is used.
 */
import { ECDH } from 'node:crypto';
import type { HDKey } from '@scure/bip32';
import { type Family, publicKeyOf } from '../funds/chains/addresses.ts';
import { publicKeyBehind } from '../platform/secp256k1.ts';

export interface Signature {
  /** r and s, of which s is the lower of the two that are valid (BIP62, EIP-2): 64 bytes. */
  readonly compact: Buffer;
  /** By which the public key is recovered. */
  readonly recovery: 0 | 1;
}

export interface SigningKey {
  /** Without the private one. */
  readonly publicKey: HDKey;
  /** @param digest 32 bytes */
  sign(digest: Uint8Array): Promise<Signature>;
}

/** One for each family of addresses. */
export type HotKeys = (family: Family) => SigningKey;

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const PART_BYTES = 32;

/** As Ethereum and TRON write it: r, s, and 27 or 28. */
export const recoverable = ({ compact, recovery }: Signature): `0x${string}` =>
  `0x${compact.toString('hex')}${(27 + recovery).toString(16)}`;

/** A library and a token may each answer with either s. */
function withLowerS(signature: Uint8Array): Buffer {
  if (signature.length !== 2 * PART_BYTES) throw new Error('A signature is not 64 bytes');
  const [r, s] = [Buffer.from(signature.subarray(0, PART_BYTES)), Buffer.from(signature.subarray(PART_BYTES))];
  const value = BigInt(`0x${s.toString('hex')}`);
  if (value <= ORDER / 2n) return Buffer.concat([r, s]);
  return Buffer.concat([r, Buffer.from((ORDER - value).toString(16).padStart(2 * PART_BYTES, '0'), 'hex')]);
}

/** @throws unless it is a signature of the key */
async function verified(key: HDKey, digest: Uint8Array, signature: Uint8Array): Promise<Signature> {
  const compact = withLowerS(signature);
  const own = ECDH.convertKey(key.publicKey ?? Buffer.of(), 'secp256k1', undefined, 'hex', 'uncompressed');
  if (key.verify(digest, compact)) {
    for (const recovery of [0, 1] as const) {
      const found = { compact, recovery };
      const recovered = await publicKeyBehind({ digest, signature: recoverable(found) });
      if (recovered === `0x${own.toString()}`) return found;
    }
  }
  throw new Error('The signature is not of the key');
}

/** @param key of any kind @param signDigest answers r and s, whichever s it is */
export function signingKey(
  key: HDKey,
  signDigest: (digest: Uint8Array) => Uint8Array | Promise<Uint8Array>,
): SigningKey {
  if (key.publicKey === null) throw new Error('A key without a public key');
  const publicKey = publicKeyOf(key.publicKey);
  return { publicKey, sign: async (digest) => verified(publicKey, digest, await signDigest(digest)) };
}

/** By the private key that was derived from the seed. */
export function derivedKey(key: HDKey): SigningKey {
  if (key.privateKey === null) throw new Error('A key that cannot sign');
  return signingKey(key, (digest) => key.sign(digest));
}
