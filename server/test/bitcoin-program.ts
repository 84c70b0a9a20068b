/** The program of a Bitcoin node for tests, without installing anything. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loaderIn, obtainPackages, whyFailed } from './debian-packages.ts';

/** How a program is called, and how its addresses begin. */
export interface BitcoinProgram {
  readonly name: 'bitcoin-knots' | 'litecoind';
  readonly command: string;
  /** Before the arguments of the node. */
  readonly prefix: readonly string[];
  readonly flags: readonly string[];
  /** Of its addresses on a chain of one's own. */
  readonly human: 'bcrt' | 'rltc';
}

const cache = join(import.meta.dirname, '../../node_modules/.cache/bitcoin-node');

const SUITES = { 'bitcoin-knots': 'sid', litecoind: 'bookworm' } as const;
const BINARIES = { 'bitcoin-knots': 'usr/bin/bitcoind', litecoind: 'usr/lib/litecoin/litecoind' } as const;
const FLAGS = {
  'bitcoin-knots': ['-softwareexpiry=0', '-mempooltruc=enforce'],
  // Blocks without what its own extension adds, and replacements as Bitcoin has them.
  litecoind: ['-rpcserialversion=1', '-mempoolreplacement=1', '-vbparams=mweb:4000000000:4000000001'],
} as const;
type Name = keyof typeof SUITES;

function programIn(root: string, name: Name): BitcoinProgram | undefined {
  const found = loaderIn(root);
  const binary = join(root, BINARIES[name]);
  if (found === undefined || !existsSync(binary)) return undefined;
  return {
    ...{ name, command: found.loader, prefix: [...found.prefix, binary], flags: FLAGS[name] },
    human: name === 'litecoind' ? 'rltc' : 'bcrt',
  };
}

const obtain = (name: Name): Promise<BitcoinProgram | undefined> =>
  obtainPackages({ cache, name, packages: [name], suite: SUITES[name] }, (root) => programIn(root, name));

/** Why tests are skipped without it. */
export const withoutBitcoinNode = (): string =>
  `no Bitcoin node can be had from Debian's packages: ${whyFailed(cache, ['bitcoin-knots', 'litecoind']) || 'none is wanted'}`;

/** BITCOIN_TEST_NODE names the one to use; otherwise the second is for where the first cannot be had. */
export async function findBitcoinProgram(): Promise<BitcoinProgram | undefined> {
  const wanted = process.env.BITCOIN_TEST_NODE;
  if (wanted === 'none') return undefined;
  if (wanted === 'litecoind') return obtain('litecoind');
  return (await obtain('bitcoin-knots')) ?? obtain('litecoind');
}
