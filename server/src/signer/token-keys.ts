/** Which keys of the token are the hot wallets of a signer: their public keys, written down once and compared at each start. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HDKey } from '@scure/bip32';
import { z } from 'zod';
import { addressOfKey, FAMILIES, type Family, publicKeyOf } from '../funds/chains/addresses.ts';
import type { BitcoinNetwork } from '../funds/chains/bitcoin-addresses.ts';
import type { HotKeys } from './signing-key.ts';
import { Token, type TokenSettings } from './token.ts';

const FILE = 'token-keys.json';
const PIN_REFUSED = 'token-pin-refused';

/** Compressed, in hex. */
const publicKey = z.string().regex(/^0[23][0-9a-f]{64}$/);
const file = z.strictObject({
  version: z.literal(1),
  keys: z.strictObject({ EVM: publicKey, BTC: publicKey, TRON: publicKey }),
});

export interface TokenWallet {
  readonly folder: string;
  readonly token?: TokenSettings | undefined;
  readonly bitcoin: BitcoinNetwork;
}

const hexOf = ({ publicKey: bytes }: HDKey) => Buffer.from(bytes ?? []).toString('hex');

const tokenOf = (settings: TokenSettings, folder: string) => new Token(settings, join(folder, PIN_REFUSED));

/** A key in the token, made now where it is not there. */
async function keyIn(token: Token, family: Family): Promise<HDKey> {
  if (!(await token.has(family))) await token.make(family);
  const key = await token.publicKey(family);
  if (key === undefined)
    throw new Error(`The token ${token.name} has no public key of ${family}: delete what is left of it`);
  await token.check(family, key, randomBytes(32));
  return key;
}

/** Makes the keys in the token and writes down which they are. @param keep takes those that are in it already @returns what is shown */
export async function makeTokenKeys(
  { folder, token: settings, bitcoin }: TokenWallet,
  signedPath: string,
  keep: boolean,
): Promise<string> {
  const path = join(folder, FILE);
  if (settings === undefined)
    throw new Error('Set SIGNER_PKCS11_MODULE, SIGNER_PKCS11_TOKEN and SIGNER_PKCS11_PIN_FILE');
  if (existsSync(path)) throw new Error(`${path} names the keys of this signer already`);
  if (existsSync(signedPath) && statSync(signedPath).size > 0)
    throw new Error(
      'This signer has signed already, and its hot wallets stay as they are: make a signer in another folder',
    );
  const token = tokenOf(settings, folder);
  // What is in the way is found before anything is made.
  for (const family of keep ? [] : FAMILIES) {
    if (await token.has(family))
      throw new Error(
        `The token ${token.name} has a key of ${family} already, and it stays as it is. Where it is this signer's, run: npm run signer -- token-keys keep`,
      );
  }
  const found: [Family, HDKey][] = [];
  for (const family of FAMILIES) found.push([family, await keyIn(token, family)]);
  const keys = Object.fromEntries(found.map(([family, key]) => [family, hexOf(key)]));
  writeFileSync(path, `${JSON.stringify(file.parse({ version: 1, keys }))}\n`, { mode: 0o600, flag: 'wx' });
  return [
    `The hot wallets are in the token ${token.name}, and ${path} says which they are.`,
    ...found.map(([family, key]) => `Wallet of ${family}: ${addressOfKey(family, key, bitcoin)}`),
  ].join('\n');
}

/**
 * The keys of the hot wallets in the token; undefined where they are derived from the seed.
 * @throws where the token is not there, or has other keys than those that were written down: money would be lost
 */
export async function openTokenKeys({ folder, token: settings, bitcoin }: TokenWallet): Promise<HotKeys | undefined> {
  const path = join(folder, FILE);
  if (settings === undefined) {
    if (!existsSync(path)) return undefined;
    throw new Error(`The hot wallets of this signer are in a token (${path}): set SIGNER_PKCS11_MODULE`);
  }
  if (!existsSync(path))
    throw new Error(`${path} is not there. Make the keys in the token first: npm run signer -- token-keys`);
  const { keys } = file.parse(JSON.parse(readFileSync(path, 'utf8')));
  const token = tokenOf(settings, folder);
  const knownOf = (family: Family) => publicKeyOf(Buffer.from(keys[family], 'hex'));
  for (const family of FAMILIES) {
    const known = knownOf(family);
    const found = await token.publicKey(family);
    if (found === undefined || hexOf(found) !== keys[family])
      throw new Error(
        `The token ${token.name} has ${found === undefined ? 'no key' : `the key of ${addressOfKey(family, found, bitcoin)}`} where this signer's wallet is ${addressOfKey(family, known, bitcoin)}: what is paid there could not be spent. It is not the token of this signer, or not as it was`,
      );
    await token.check(family, known, randomBytes(32));
  }
  return (family) => token.key(family, knownOf(family));
}
