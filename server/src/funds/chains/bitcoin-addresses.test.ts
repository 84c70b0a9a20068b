/** Addresses of Bitcoin against the vectors of BIP173, BIP350 and Bitcoin Core. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalAddress } from './addresses.ts';
import { addressOfScript, dustOf, keyHashAddress, scriptOf } from './bitcoin-addresses.ts';

const hexOf = (address: string, network: Parameters<typeof scriptOf>[1] = 'mainnet') =>
  scriptOf(address, network)?.toString('hex');

describe('Bitcoin addresses', () => {
  it('stand for the scripts that the standards name, of every kind that can be paid (fault 24)', () => {
    const program = '751e76e8199196d454941c45d1b3a323f1433bd6';
    expect(hexOf('1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH')).toBe(`76a914${program}88ac`);
    expect(hexOf('3P14159f73E4gFr7JterCCQh9QjiTjiZrG')).toBe('a914e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a87');
    expect(hexOf('BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4')).toBe(`0014${program}`);
    expect(hexOf('bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3')).toBe(
      '00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
    );
    expect(hexOf('bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0')).toBe(
      '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    );
    expect(hexOf('bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'regtest')).toBe(`0014${program}`);
    expect(hexOf('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'testnet')).toBe(`0014${program}`);
    expect(hexOf('mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'regtest')).toMatch(/^76a914.{40}88ac$/);
    expect(hexOf('2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', 'testnet')).toMatch(/^a914.{40}87$/);
  });

  it('of another network, with a wrong checksum, or of a version that pays whoever comes first, are none', () => {
    for (const address of [
      // Of test networks, of Litecoin, and one that BIP350 calls invalid for its checksum.
      ...['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'],
      ...['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'],
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
      // Version 0 with the checksum of version 1, a wrong size, mixed case, a changed letter.
      ...['bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', 'bc1rw5uspcuh'],
      ...['bc1QW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
      // Versions 2 and 16.
      ...['bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', 'BC1SW50QGDZ25J'],
      ...['1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMh', '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAM', ''],
    ])
      expect(scriptOf(address, 'mainnet'), address).toBeUndefined();
  });

  it('are looked up in one spelling: in small letters where case says nothing, else as they are', () => {
    expect(canonicalAddress('BTC', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4')).toBe(
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    );
    for (const address of ['1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH', '3P14159f73E4gFr7JterCCQh9QjiTjiZrG'])
      expect(canonicalAddress('BTC', address)).toBe(address);
  });

  it('of a key lead to its script and back, on every network', () => {
    const keyHash = fc.uint8Array({ minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(keyHash, fc.constantFrom('mainnet', 'testnet', 'signet', 'regtest'), (hash, network) => {
        const address = keyHashAddress(hash, network);
        const script = scriptOf(address, network);
        expect(script && addressOfScript(script, network)).toBe(address);
        expect(canonicalAddress('BTC', address.toUpperCase())).toBe(address);
      }),
    );
    expect(addressOfScript(Buffer.from(`0020${'11'.repeat(32)}`, 'hex'), 'mainnet')).toBeUndefined();
  });

  it('say what is too little to be relayed, as Bitcoin Core does', () => {
    const dust = (address: string) => dustOf(scriptOf(address, 'mainnet') ?? Buffer.alloc(0));
    expect(dust('1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH')).toBe(546n);
    expect(dust('3P14159f73E4gFr7JterCCQh9QjiTjiZrG')).toBe(540n);
    expect(dust('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')).toBe(294n);
    expect(dust('bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3')).toBe(330n);
  });
});
