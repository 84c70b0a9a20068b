/** Addresses that belong to no client, one for each number. */
import { createHash } from 'node:crypto';
import { bech32, createBase58check } from '@scure/base';

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
const digits = (number: number) => number.toString(16).padStart(40, 'e');

/** In one case. */
export const evmElsewhere = (number: number): string => `0x${digits(number)}`;

export const tronElsewhere = (number: number): string =>
  createBase58check(sha256).encode(Uint8Array.from([0x41, ...Buffer.from(digits(number), 'hex')]));

/** Of a chain of one's own. */
export const bitcoinElsewhere = (number: number): string =>
  bech32.encode('bcrt', [0, ...bech32.toWords(Buffer.from(digits(number), 'hex'))]);
