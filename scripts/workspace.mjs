// What start, test and dev share. Plain JavaScript: it runs on whatever Node the machine has (20 or newer), before
// anything is installed; everything after the installation runs on the Node that the lock file pins.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(fileURLToPath(new URL('.', import.meta.url)), '..');
const modules = join(root, 'node_modules');
const binaries = join(modules, '.bin');
const windows = process.platform === 'win32';

const pinned = join(binaries, windows ? 'node.cmd' : 'node');

/** The pinned Node, once it is installed; this one where the registry has none for the platform. */
export let node = pinned;

export const environment = {
  ...process.env,
  PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`,
  // What a process compiled, the next one reads: a fifth of the CPU of a start.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(modules, '.cambist/compiled'),
};

/**
 * How the server is run. Events live until their run is written, longer than a small young generation lasts; a larger
 * one lets them die there instead of being copied (measured: a tenth less CPU for each order).
 */
export const serverArguments = ['--max-semi-space-size=64'];

/** Runs a command to its end; a failure ends this process with the same code. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: environment,
    shell: windows,
    ...options,
  });
  if (result.error) throw result.error;
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Who ran this. Under npm that is a shell, to which npm passes a signal on, and which ends without telling anybody. */
const parent = process.ppid;
const PARENT_CHECKED_EVERY_MS = 500;

/** Runs a command that goes on until it is stopped, passing signals through. */
export function serve(command, args, extra = {}) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...environment, ...extra },
    shell: windows,
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) {
    const watch = setInterval(() => process.ppid === parent || child.kill('SIGTERM'), PARENT_CHECKED_EVERY_MS);
    child.on('exit', () => clearInterval(watch));
  }
  return child;
}

function fingerprint(paths) {
  const hash = createHash('sha256');
  const visit = (path) => {
    const about = statSync(path);
    if (about.isDirectory()) {
      for (const name of readdirSync(path).sort()) {
        if (name !== 'node_modules' && name !== 'dist') visit(join(path, name));
      }
    } else hash.update(path.slice(root.length)).update(readFileSync(path));
  };
  for (const path of paths) visit(join(root, path));
  return hash.digest('hex');
}

const stampOf = (name) => {
  const file = join(modules, '.cambist', name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

function stamp(name, text) {
  mkdirSync(join(modules, '.cambist'), { recursive: true });
  writeFileSync(join(modules, '.cambist', name), text);
}

function chooseNode() {
  if (existsSync(pinned)) return;
  if (Number.parseInt(process.versions.node, 10) < 26) {
    throw new Error(
      `There is no Node package for ${process.platform} ${process.arch}: run this with Node 26 or newer.`,
    );
  }
  node = process.execPath;
}

/**
 * Installs what the lock file says, when it is not there yet: `serving` is what the server and the web client's build
 * need, `everything` what tests, benchmarks and checks need as well. What is there is never made less.
 */
export function install(wanted) {
  const lock = fingerprint(['package-lock.json']);
  const [had = '', of = ''] = existsSync(join(modules, '.package-lock.json')) ? stampOf('installed').split(' ') : [];
  if (of !== lock || (had !== wanted && had !== 'everything'))
    installPackages(had === 'everything' ? had : wanted, lock);
  chooseNode();
}

function installPackages(what, lock) {
  console.error(`Installing packages (once), for ${what === 'serving' ? 'serving alone' : what} …`);
  // Not `npm ci`: it refuses a lock file that lacks other platforms' optional binaries; this installs the same versions.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error'];
  if (what === 'serving') args.push('--omit=dev');
  else args.push('--include=dev');
  const npm = process.env.npm_execpath;
  if (npm) run(process.execPath, [npm, ...args], { env: process.env });
  else run('npm', args, { env: process.env });
  stamp('installed', `${what} ${lock}`);
}

/** Vite cuts the names of files off at these, wherever in the path they are. @returns what to say; undefined where it can build */
export const unbuildable = (path) =>
  /[#?]/.test(path)
    ? `The web client cannot be built in ${path}: no folder on the way may have # or ? in its name. Move it elsewhere.`
    : undefined;

/** Builds the web client, when its sources have changed. A failure ends this process with the same code. */
export async function buildWeb() {
  const sources = fingerprint(['web', 'contract/src', 'core/src']);
  if (existsSync(join(root, 'web/dist/index.html')) && stampOf('web') === sources) return;
  const problem = unbuildable(root);
  if (problem !== undefined) {
    console.error(problem);
    process.exit(1);
  }
  console.error('Building the web client (once) …');
  const command = [join(modules, 'vite/bin/vite.js'), 'build', 'web', '--logLevel', 'warn'];
  const build = spawn(node, command, { cwd: root, stdio: 'inherit', env: environment, shell: windows });
  const [code] = await once(build, 'exit');
  if (code !== 0) process.exit(code ?? 1);
  stamp('web', sources);
}

/**
 * Reads the server's modules once when they have changed, and before a start makes the embedded database where there is none,
 * beside the client's build, so that the first start finds both. What takes the types out of TypeScript moves a buffer, and V8 then checks
 * before each access to a typed array, for as long as the process lives, that its buffer was not moved away: a twentieth of the
 * engine's time. Where it does not end well, the start itself says why.
 */
async function prepareServer(starts) {
  const sources = fingerprint(['server/src', 'core/src', 'contract/src', 'package-lock.json']);
  if (stampOf('server') === sources) return;
  const child = spawn(node, [...serverArguments, 'server/src/main.ts', 'prepare', ...(starts ? ['database'] : [])], {
    cwd: root,
    stdio: 'ignore',
    env: environment,
    shell: windows,
  });
  const [code] = await once(child, 'exit').catch(() => [1]);
  if (code === 0) stamp('server', sources);
}

/** Installs and builds what serving needs. @param starts whether a start follows at once */
export async function prepare(starts) {
  install('serving');
  await Promise.all([prepareServer(starts), buildWeb()]);
}
