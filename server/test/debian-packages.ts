/**
 * Programs for tests, without installing anything: Debian's packages and the libraries that they name are fetched by apt with
 * lists and a cache of their own, unpacked into a folder, and run by the dynamic loader unpacked with them. A suite keeps
 * only its newest packages, so the version is looked up.
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

export interface Wanted {
  /** A folder that stays. */
  readonly cache: string;
  /** Of what is unpacked, in it. */
  readonly name: string;
  readonly packages: readonly string[];
  readonly suite: string;
}

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** What could not be had is not asked for again by the next test file. */
const FAILED_MS = 10 * 60_000;

/** Where this machine has Debian's packages from, or as good: the mirror that apt itself is set to. */
async function mirror(): Promise<string> {
  const format = ['--format', '$(REPO_URI)', 'Created-By: Packages', 'Origin: Debian', 'Component: main'];
  const { stdout } = await run('apt-get', ['indextargets', ...format]);
  const found = stdout.split('\n').find((address) => /\/debian\/?$/.test(address));
  if (found === undefined) throw new Error('apt is set to no mirror of Debian');
  return found;
}

async function fetchInto(folder: string, { packages, suite }: Wanted): Promise<void> {
  const at = (path: string) => join(folder, path);
  for (const path of ['lists/partial', 'cache/archives/partial', 'root']) mkdirSync(at(path), { recursive: true });
  writeFileSync(at('status'), '');
  const source = ['Types: deb', `URIs: ${await mirror()}`, `Suites: ${suite}`, 'Components: main'];
  writeFileSync(at('debian.sources'), `${[...source, `Signed-By: ${KEYRING}`].join('\n')}\n`);
  const settings = [
    ...[`Dir::State::lists=${at('lists')}`, `Dir::Cache=${at('cache')}`, `Dir::State::status=${at('status')}`],
    ...[`Dir::Etc::sourcelist=${at('debian.sources')}`, 'Dir::Etc::sourceparts=-', 'APT::Sandbox::User=root'],
    ...['Acquire::Languages=none', 'Acquire::http::Timeout=20', 'Acquire::Retries=1'],
  ].flatMap((setting) => ['-o', setting]);
  const options = { timeout: 240_000, maxBuffer: 16 * 1024 * 1024 };
  const install = ['-y', '--no-install-recommends', '--download-only', 'install'];
  await run('apt-get', [...settings, 'update'], options);
  await run('apt-get', [...settings, ...install, ...packages], options);
  const archives = readdirSync(at('cache/archives')).filter((file) => file.endsWith('.deb'));
  for (const file of archives) await run('dpkg-deb', ['-x', at(`cache/archives/${file}`), at('root')], options);
  for (const path of ['lists', 'cache']) rmSync(at(path), { recursive: true, force: true });
}

/** The dynamic loader of an unpacked folder, and what goes before a program's path so that it runs with its libraries. */
export function loaderIn(root: string): { readonly loader: string; readonly prefix: readonly string[] } | undefined {
  const libraries = ['usr/lib', 'lib'].flatMap((path) => {
    const folder = join(root, path);
    return existsSync(folder) ? readdirSync(folder).map((inner) => join(folder, inner)) : [];
  });
  const names = ['ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1'];
  const loader = names.flatMap((name) => libraries.map((path) => join(path, name))).find((path) => existsSync(path));
  const paths = libraries.filter((path) => path.endsWith('-linux-gnu')).join(':');
  return loader === undefined ? undefined : { loader, prefix: ['--library-path', paths] };
}

/** Whoever is first puts it in place; what another has fetched meanwhile is used. @param find what is wanted of it, where it is whole */
export async function obtainPackages<T>(wanted: Wanted, find: (root: string) => T | undefined): Promise<T | undefined> {
  const { cache, name } = wanted;
  const root = join(cache, name);
  const failure = join(cache, `${name}.failed`);
  const isFresh = existsSync(failure) && Date.now() - statSync(failure).mtimeMs < FAILED_MS;
  if (!existsSync(root) && !isFresh) {
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, 'fetching-'));
    try {
      await fetchInto(folder, wanted);
      if (find(join(folder, 'root')) !== undefined && !existsSync(root)) renameSync(join(folder, 'root'), root);
    } catch (error) {
      if (!existsSync(root)) writeFileSync(failure, String(error));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return existsSync(root) ? find(root) : undefined;
}

/** The first lines of what has failed. */
export function whyFailed(cache: string, names: readonly string[]): string {
  const failed = names.map((name) => join(cache, `${name}.failed`)).filter((path) => existsSync(path));
  return failed.map((path) => readFileSync(path, 'utf8').split('\n')[0] ?? '').join('; ');
}
