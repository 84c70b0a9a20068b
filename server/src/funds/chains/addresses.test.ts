/** Addresses of extended keys, against vectors that others have published. */
import { HDKey } from '@scure/bip32';
import { describe, expect, it } from 'vitest';
import { addressOfKey, deriveAddress, FAMILIES, isAddressOf, isExtendedPublicKey } from './addresses.ts';

/** The seed of "abandon abandon … about", of which BIP84 gives addresses, and wallets those of the other families. */
const SEED = Buffer.from(
  '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
  'hex',
);
const root = HDKey.fromMasterSeed(SEED);
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

describe('addresses of extended keys', () => {
  it('are those of BIP84 for Bitcoin, from the key as wallets write it or as BIP32 does', () => {
    const addresses = ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'];
    expect([0, 1].map((index) => deriveAddress('BTC', ZPUB, index))).toEqual(addresses);
    const xpub = root.derive("m/84'/0'/0'").publicExtendedKey;
    expect([0, 1].map((index) => deriveAddress('BTC', xpub, index))).toEqual(addresses);
  });

  it('are those of BIP44 for Ethereum', () => {
    const xpub = root.derive("m/44'/60'/0'").publicExtendedKey;
    expect(deriveAddress('EVM', xpub, 0)).toBe('0x9858EfFD232B4033E47d90003D41EC34EcaEda94');
    expect(deriveAddress('EVM', xpub, 1)).toBe('0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0');
  });

  it('are those of BIP44 for TRON', () => {
    const xpub = root.derive("m/44'/195'/0'").publicExtendedKey;
    expect(deriveAddress('TRON', xpub, 0)).toBe('TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH');
  });

  it('are the same from the private key, at every index', () => {
    const accounts = { EVM: "m/44'/60'/0'", BTC: "m/84'/0'/0'", TRON: "m/44'/195'/0'" };
    for (const family of FAMILIES) {
      const account = root.derive(accounts[family]);
      for (const index of [0, 7, 1_000_000, 2 ** 31 - 1]) {
        const key = account.deriveChild(0).deriveChild(index);
        expect(addressOfKey(family, key)).toBe(deriveAddress(family, account.publicExtendedKey, index));
      }
    }
  });

  it('are told from what is none by their checksums', () => {
    const good = {
      EVM: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
      BTC: ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'BC1QCR8TE4KR609GCAWUTMRZA0J4XV80JY8Z306FYU'],
      TRON: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8'],
    };
    const bad = {
      EVM: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', '0x5aaeb6', '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
      BTC: ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyv', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', ''],
      TRON: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'T'],
    };
    for (const family of FAMILIES) {
      for (const address of good[family]) expect(isAddressOf(family, address), address).toBe(true);
      for (const address of bad[family]) expect(isAddressOf(family, address), address).toBe(false);
    }
  });

  it('come from a key that cannot sign alone', () => {
    const account = root.derive("m/84'/0'/0'");
    expect([account.publicExtendedKey, ZPUB].map(isExtendedPublicKey)).toEqual([true, true]);
    expect([account.privateExtendedKey, `${ZPUB.slice(0, -1)}t`, 'xpub'].map(isExtendedPublicKey)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
