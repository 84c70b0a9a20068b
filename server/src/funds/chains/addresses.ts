/**
 * Addresses of extended keys. An extended public key is that of an account (m/purpose'/coin'/0'); the address of an index
 * is its child 0/index, as wallets derive the addresses at which they receive (BIP44, for Bitcoin BIP84).
 */
import { createHash, ECDH } from 'node:crypto';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58 } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { type BitcoinNetwork, canonicalBitcoinAddress, keyHashAddress, scriptOf } from './bitcoin-addresses.ts';

/** Networks of a family share keys and addresses. */
export const FAMILIES = ['EVM', 'BTC', 'TRON'] as const;
export type Family = (typeof FAMILIES)[number];

const families: Readonly<Record<NetworkName, Family>> = { ERC20: 'EVM', BEP20: 'EVM', BTC: 'BTC', TRC20: 'TRON' };

export const familyOf = (network: NetworkName): Family => families[network];

/** The path of an account in the tree of a seed. */
export const ACCOUNT_PATHS: Readonly<Record<Family, string>> = {
  EVM: "m/44'/60'/0'",
  BTC: "m/84'/0'/0'",
  TRON: "m/44'/195'/0'",
};

const TRON_PREFIX = 0x41;
const CHECKSUM_BYTES = 4;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const checksumOf = (bytes: Uint8Array) => sha256(sha256(bytes)).subarray(0, CHECKSUM_BYTES);

/** A public key by itself, which derives no others. @param point compressed or not */
export const publicKeyOf = (point: Uint8Array): HDKey =>
  new HDKey({
    publicKey: ECDH.convertKey(point, 'secp256k1', undefined, undefined, 'compressed') as Buffer,
    chainCode: Buffer.alloc(32),
  });

/** Of the 65 bytes of the public key, as Ethereum and TRON hash them. */
function evmAddress({ publicKey }: HDKey): string {
  if (publicKey === null) throw new Error('An extended key without a public key');
  const whole = ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed') as Buffer;
  return checksummed(
    `0x${Buffer.from(keccak_256(whole.subarray(1)))
      .subarray(-20)
      .toString('hex')}`,
  );
}

/** The case of each letter says a bit of the hash (EIP-55). */
function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const bits = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex');
  return `0x${digits.replace(/[a-f]/g, (letter, at: number) => (Number(`0x${bits[at]}`) >= 8 ? letter.toUpperCase() : letter))}`;
}

/** @param digits of the 20 bytes that the EVM knows an address by, in hex */
export function tronAddress(digits: string): string {
  const bytes = Buffer.concat([Buffer.of(TRON_PREFIX), Buffer.from(digits, 'hex')]);
  return base58.encode(Buffer.concat([bytes, checksumOf(bytes)]));
}

/** The 21 bytes of an address, the first of which says that it is of TRON. */
export const tronBytes = (address: string): Buffer => Buffer.from(base58.decode(address).subarray(0, -CHECKSUM_BYTES));

/** Pay to witness public key hash, version 0. */
function bitcoinAddress({ identifier }: HDKey, network: BitcoinNetwork): string {
  if (!identifier) throw new Error('An extended key without a public key');
  return keyHashAddress(identifier, network);
}

const encoders: Readonly<Record<Family, (key: HDKey, bitcoin: BitcoinNetwork) => string>> = {
  EVM: evmAddress,
  BTC: bitcoinAddress,
  TRON: (key) => tronAddress(evmAddress(key).slice(2)),
};

/** The address of a key as people are shown it. @param bitcoin which of Bitcoin's networks, as in what follows */
export const addressOfKey = (family: Family, key: HDKey, bitcoin: BitcoinNetwork = 'mainnet'): string =>
  encoders[family](key, bitcoin);

/** BIP84 writes extended keys with version bytes of its own, `zpub`. */
const ZPUB = { private: 0x04b2430c, public: 0x04b24746 };

const accountKey = (xpub: string): HDKey =>
  xpub.startsWith('zpub') ? HDKey.fromExtendedKey(xpub, ZPUB) : HDKey.fromExtendedKey(xpub);

/** Whether a text is an extended public key: one that cannot sign. */
export function isExtendedPublicKey(text: string): boolean {
  try {
    return accountKey(text).privateKey === null;
  } catch {
    return false;
  }
}

/** @param xpub the extended public key of an account @param index below 2^31 */
export function deriveAddress(
  family: Family,
  xpub: string,
  index: number,
  bitcoin: BitcoinNetwork = 'mainnet',
): string {
  return addressOfKey(family, accountKey(xpub).deriveChild(0).deriveChild(index), bitcoin);
}

/** The one spelling by which an address is looked up. */
export function canonicalAddress(family: Family, address: string): string {
  if (family === 'TRON') return address;
  return family === 'BTC' ? canonicalBitcoinAddress(address) : address.toLowerCase();
}

/** As people are shown it: of an EVM address with the checksum in its case. */
export const shownAddress = (family: Family, address: string): string =>
  family === 'EVM' ? checksummed(address) : address;

/** In one case it has no checksum. */
function isEvmAddress(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  const digits = text.slice(2);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || checksummed(text) === text;
}

function isTronAddress(text: string): boolean {
  try {
    const bytes = base58.decode(text);
    const [body, checksum] = [bytes.subarray(0, -CHECKSUM_BYTES), bytes.subarray(-CHECKSUM_BYTES)];
    return body.length === 21 && body[0] === TRON_PREFIX && checksumOf(body).equals(checksum);
  } catch {
    return false;
  }
}

/** Whether a text is an address of a family, with the right checksum where it has one. */
export function isAddressOf(family: Family, text: string, bitcoin: BitcoinNetwork = 'mainnet'): boolean {
  if (family === 'TRON') return isTronAddress(text);
  return family === 'BTC' ? scriptOf(text, bitcoin) !== undefined : isEvmAddress(text);
}
