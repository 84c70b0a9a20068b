/** Addresses from which no key can ever spend, by what they are: what is sent there is lost. */
import { type Family, tronBytes } from './addresses.ts';
import { type BitcoinNetwork, payloadOf, scriptOf } from './bitcoin-addresses.ts';

/** Names of no key that people have burned coins at: their letters were chosen, and a hash is not. */
const BURNED = new Set(['1BitcoinEaterAddressDontSendf59kuE', '1CounterpartyXXXXXXXXXXXXXXXUWLpVr']);

/** The zero address, precompiled contracts and those of a chain's own, `…dEaD`: no hash of a key ends up so low. */
const LOWEST = 2n ** 16n;
/** Of the 20 bytes of an address. */
const isUnspendableHash = (digits: string): boolean =>
  BigInt(`0x${digits}`) < LOWEST || /^(ee|ff)\1+$/.test(digits) || /^dead0{8}/.test(digits);

/** @param address a good one of the family */
export function isUnspendable(family: Family, address: string, bitcoin: BitcoinNetwork = 'mainnet'): boolean {
  if (family === 'EVM') return isUnspendableHash(address.slice(2).toLowerCase());
  if (family === 'TRON') return isUnspendableHash(tronBytes(address).subarray(1).toString('hex'));
  return BURNED.has(address) || isUnspendableHash(payloadOf(scriptOf(address, bitcoin)!).toString('hex'));
}
