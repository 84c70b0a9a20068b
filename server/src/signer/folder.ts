/** The signer's folder: its seed, its keys, its policy and what it has signed. */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalAddress, FAMILIES, familyOf } from '../funds/chains/addresses.ts';
import type { BitcoinNetwork } from '../funds/chains/bitcoin-addresses.ts';
import { lockDirectory } from '../platform/directory-lock.ts';
import { makePrivateFolder } from '../platform/private-files.ts';
import { type ListenerParts, listen } from './listener.ts';
import { listenAddress, readPrivateKey, readPublicKey } from './messages.ts';
import { type Policy, policySchema } from './policy.ts';
import { fromWrittenDown, newSeed, readPassphrase, readSeed, writeSeed, writtenDown } from './seed-file.ts';
import { SignedFile } from './signed-file.ts';
import { Signer } from './signer.ts';
import type { TokenSettings } from './token.ts';
import { makeTokenKeys, openTokenKeys } from './token-keys.ts';

export interface SignerSettings {
  /** `SIGNER_DIR`. */
  readonly folder: string;
  /** `SIGNER_PASSPHRASE_FILE`. */
  readonly passphraseFile: string;
  /** `SIGNER_LISTEN`: a path, or host:port. */
  readonly listen: string;
  /** `BTC_NETWORK`. */
  readonly bitcoin: BitcoinNetwork;
  /** Of the hot wallets' keys; undefined where they are derived from the seed. */
  readonly token?: TokenSettings | undefined;
}

const SEED = 'seed.json';
const KEY = 'signer-key.pem';
const PUBLIC_KEY = 'signer-key.pub.pem';
const SERVER_KEY = 'server-key.pub.pem';
const POLICY = 'policy.json';
export const SIGNED = 'signed.jsonl';

/** A pair of keys by which one side signs its messages. Never in the place of another. */
export function makeKeys(folder: string, privateName: string, publicName: string): void {
  makePrivateFolder(folder);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(join(folder, privateName), privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
    flag: 'wx',
  });
  writeFileSync(join(folder, publicName), publicKey.export({ type: 'spki', format: 'pem' }), { flag: 'wx' });
}

/** Addresses are compared in one spelling. */
export function readPolicy(path: string): Policy {
  const { networks } = policySchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  for (const [name, network] of Object.entries(networks)) {
    const family = familyOf(name as keyof typeof networks);
    if (network === undefined) continue;
    for (const coin of network.coins) {
      if (coin.contract !== null) coin.contract = canonicalAddress(family, coin.contract);
    }
    for (const which of ['cold_address', 'only_to'] as const) {
      const address = network[which];
      if (address !== undefined) network[which] = canonicalAddress(family, address);
    }
  }
  return { networks };
}

/** @param written the seed as it was written down; absent, a new one is made @returns what is shown once */
export function initialize({ folder, passphraseFile, bitcoin, token }: SignerSettings, written?: string): string {
  makePrivateFolder(folder);
  const seed = written === undefined ? newSeed() : fromWrittenDown(written);
  writeSeed(join(folder, SEED), seed, readPassphrase(passphraseFile));
  if (!existsSync(join(folder, KEY))) makeKeys(folder, KEY, PUBLIC_KEY);
  const signer = new Signer({
    seed,
    signed: new SignedFile(join(folder, SIGNED), 'make'),
    policy: () => ({ networks: {} }),
    clock: Date,
    bitcoin,
  });
  const shown = [
    ...(written === undefined
      ? ['The seed. Write it down now, it is not shown again:', '', `  ${writtenDown(seed)}`, '']
      : []),
    ...FAMILIES.map((family) => `DEPOSIT_XPUB_${family}=${signer.xpub(family)}`),
    ...(token === undefined
      ? (['ERC20', 'BEP20', 'BTC', 'TRC20'] as const).map(
          (network) => `Wallet of ${network}: ${signer.hotAddress(network)}`,
        )
      : ['The wallets are those of the token: npm run signer -- token-keys']),
    '',
    `Copy ${PUBLIC_KEY} to the server, and the server's public key to ${join(folder, SERVER_KEY)}. Write ${join(folder, POLICY)}.`,
  ];
  return shown.join('\n');
}

export interface KeptSigner {
  readonly signer: Signer;
  readonly policy: () => Policy;
}

/** Makes the keys of hot wallets in the token. @param keep takes those that are in it already @returns what is shown */
export async function initializeToken(settings: SignerSettings, keep: boolean): Promise<string> {
  makePrivateFolder(settings.folder);
  const unlock = lockDirectory(settings.folder);
  try {
    return await makeTokenKeys(settings, join(settings.folder, SIGNED), keep);
  } finally {
    unlock();
  }
}

/** The keys and the policy of a folder that its caller has locked. */
export async function openKept(
  { folder, passphraseFile, bitcoin, token }: Omit<SignerSettings, 'listen'>,
  clock: { now(): number },
): Promise<KeptSigner> {
  // Read at each signature: a change holds from the next one on, and a file that cannot be read refuses all.
  const policy = () => readPolicy(join(folder, POLICY));
  policy();
  const seed = readSeed(join(folder, SEED), readPassphrase(passphraseFile));
  const hot = await openTokenKeys({ folder, token, bitcoin });
  const signed = new SignedFile(join(folder, SIGNED), 'refuse');
  return { policy, signer: new Signer({ seed, hot, policy, clock, bitcoin, signed }) };
}

/** @returns how to end it */
export async function openSigner(
  settings: SignerSettings,
  given: Pick<ListenerParts, 'clock' | 'logger'>,
): Promise<() => Promise<void>> {
  const { folder, listen: at } = settings;
  const unlock = lockDirectory(folder);
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const { signer } = await openKept(settings, given.clock);
  const keys = { key: readPrivateKey(read(KEY), KEY), serverKey: readPublicKey(read(SERVER_KEY), SERVER_KEY) };
  const address = listenAddress(at);
  // The lock says that no other signer of this folder listens there.
  if ('path' in address) rmSync(address.path, { force: true });
  const end = await listen({ ...given, ...keys, signer }, at);
  return async () => {
    await end();
    unlock();
  };
}
