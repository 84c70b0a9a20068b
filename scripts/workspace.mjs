// What start, test and dev share. Plain JavaScript: it runs on whatever Node the machine has (20 or newer), before
// anything is installed; everything after the installation runs on the Node that the lock file pins.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const modules = join(root, 'node_modules');
const binaries = join(modules, '.bin');
const windows = process.platform === 'win32';

/** The pinned Node, once it is installed. */
export const node = join(binaries, windows ? 'node.cmd' : 'node');

export const environment = { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}` };

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

/** Runs a command that goes on until it is stopped, passing signals through. */
export function serve(command, args, extra = {}) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...environment, ...extra },
    shell: windows,
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
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

/** Does the work when what it depends on has changed since it was last done. */
function whenChanged(stamp, paths, isThere, work) {
  const file = join(modules, '.cambist', stamp);
  const print = fingerprint(paths);
  if (isThere && existsSync(file) && readFileSync(file, 'utf8') === print) return;
  work();
  mkdirSync(join(modules, '.cambist'), { recursive: true });
  writeFileSync(file, print);
}

/** Installs what the lock file says, when it is not there yet. */
export function install() {
  const npm = process.env.npm_execpath;
  const isThere = existsSync(node);
  whenChanged('install', ['package-lock.json'], isThere, () => {
    console.error('Installing packages (once) …');
    // Not `npm ci`: it refuses a lock file that lacks other platforms' optional binaries; this installs the same versions.
    const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error'];
    if (npm) run(process.execPath, [npm, ...args], { env: process.env });
    else run('npm', args, { env: process.env });
  });
}

/** Builds the web client, when its sources have changed. */
export function buildWeb() {
  const isThere = existsSync(join(root, 'web/dist/index.html'));
  whenChanged('web', ['web', 'contract/src', 'core/src'], isThere, () => {
    console.error('Building the web client (once) …');
    run(node, [join(modules, 'vite/bin/vite.js'), 'build', 'web', '--logLevel', 'warn']);
  });
}
