/**
 * The program of a Bitcoin node for tests, without installing anything: Debian's package and the libraries that it names are
 * fetched by apt with lists and a cache of their own, unpacked into a folder, and run by the dynamic loader unpacked with
 * them. The suite keeps only its newest package, so the version is looked up.
 */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

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
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** What could not be had is not asked for again by the next test file. */
const FAILED_MS = 10 * 60_000;

type Name = keyof typeof SUITES;

/** Where this machine has Debian's packages from, or as good: the mirror that apt itself is set to. */
async function mirror(): Promise<string> {
  const format = ['--format', '$(REPO_URI)', 'Created-By: Packages', 'Origin: Debian', 'Component: main'];
  const { stdout } = await run('apt-get', ['indextargets', ...format]);
  const found = stdout.split('\n').find((address) => /\/debian\/?$/.test(address));
  if (found === undefined) throw new Error('apt is set to no mirror of Debian');
  return found;
}

async function fetchInto(folder: string, name: Name): Promise<void> {
  const at = (path: string) => join(folder, path);
  for (const path of ['lists/partial', 'cache/archives/partial', 'root']) mkdirSync(at(path), { recursive: true });
  writeFileSync(at('status'), '');
  const source = ['Types: deb', `URIs: ${await mirror()}`, `Suites: ${SUITES[name]}`, 'Components: main'];
  writeFileSync(at('debian.sources'), `${[...source, `Signed-By: ${KEYRING}`].join('\n')}\n`);
  const settings = [
    ...[`Dir::State::lists=${at('lists')}`, `Dir::Cache=${at('cache')}`, `Dir::State::status=${at('status')}`],
    ...[`Dir::Etc::sourcelist=${at('debian.sources')}`, 'Dir::Etc::sourceparts=-', 'APT::Sandbox::User=root'],
    ...['Acquire::Languages=none', 'Acquire::http::Timeout=20', 'Acquire::Retries=1'],
  ].flatMap((setting) => ['-o', setting]);
  const options = { timeout: 240_000, maxBuffer: 16 * 1024 * 1024 };
  await run('apt-get', [...settings, 'update'], options);
  await run('apt-get', [...settings, '-y', '--no-install-recommends', '--download-only', 'install', name], options);
  const archives = readdirSync(at('cache/archives')).filter((file) => file.endsWith('.deb'));
  for (const file of archives) await run('dpkg-deb', ['-x', at(`cache/archives/${file}`), at('root')], options);
  for (const path of ['lists', 'cache']) rmSync(at(path), { recursive: true, force: true });
}

function programIn(root: string, name: Name): BitcoinProgram | undefined {
  const binary = join(root, BINARIES[name]);
  const libraries = ['usr/lib', 'lib'].flatMap((path) => {
    const folder = join(root, path);
    return existsSync(folder) ? readdirSync(folder).map((inner) => join(folder, inner)) : [];
  });
  const loader = libraries.map((path) => join(path, 'ld-linux-x86-64.so.2')).find((path) => existsSync(path));
  const arm = libraries.map((path) => join(path, 'ld-linux-aarch64.so.1')).find((path) => existsSync(path));
  const command = loader ?? arm;
  if (command === undefined || !existsSync(binary)) return undefined;
  const paths = libraries.filter((path) => path.endsWith('-linux-gnu')).join(':');
  return {
    ...{ name, command, prefix: ['--library-path', paths, binary], flags: FLAGS[name] },
    human: name === 'litecoind' ? 'rltc' : 'bcrt',
  };
}

/** Whoever is first puts it in place; what another has fetched meanwhile is used. */
async function obtain(name: Name): Promise<BitcoinProgram | undefined> {
  const root = join(cache, name);
  const failure = join(cache, `${name}.failed`);
  const isFresh = existsSync(failure) && Date.now() - statSync(failure).mtimeMs < FAILED_MS;
  if (!existsSync(root) && !isFresh) {
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, 'fetching-'));
    try {
      await fetchInto(folder, name);
      if (programIn(join(folder, 'root'), name) !== undefined && !existsSync(root))
        renameSync(join(folder, 'root'), root);
    } catch (error) {
      if (!existsSync(root)) writeFileSync(failure, String(error));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return existsSync(root) ? programIn(root, name) : undefined;
}

/** Why tests are skipped without it. */
export function withoutBitcoinNode(): string {
  const failed = (['bitcoin-knots', 'litecoind'] as const).flatMap((name) => {
    const path = join(cache, `${name}.failed`);
    return existsSync(path) ? [readFileSync(path, 'utf8').split('\n')[0] ?? ''] : [];
  });
  return `no Bitcoin node can be had from Debian's packages: ${failed.join('; ') || 'none is wanted'}`;
}

/** BITCOIN_TEST_NODE names the one to use; otherwise the second is for where the first cannot be had. */
export async function findBitcoinProgram(): Promise<BitcoinProgram | undefined> {
  const wanted = process.env.BITCOIN_TEST_NODE;
  if (wanted === 'none') return undefined;
  if (wanted === 'litecoind') return obtain('litecoind');
  return (await obtain('bitcoin-knots')) ?? obtain('litecoind');
}
