// Finds a Chromium for the browser tests: one that is set, Debian's without windows, one that is installed, or Playwright's own.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { environment, node, root } from './workspace.mjs';

/** The same engine without the browser around it, which no test sees and which takes half of the processor's time. */
const SHELL = 'chromium-headless-shell';
const places = [
  `/usr/bin/${SHELL}`,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

const playwrights = () => createRequire(`${root}/`)('playwright-core').chromium.executablePath();

const firstOf = (paths) => paths.find((path) => path && existsSync(path));
const installed = () => firstOf([process.env.CHROMIUM_PATH, ...places, playwrights()]);

const attempt = (command, args) => spawnSync(command, args, { cwd: root, stdio: 'inherit', env: environment });

/** As far as this user may; where the system has none for us, what is there serves as well. */
function installShell() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.error(`Installing ${SHELL} for the browser tests …`);
  // A machine without a network says so soon.
  const impatient = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=10', '-o', 'Acquire::https::Timeout=10'];
  attempt('apt-get', [...impatient, 'update', '-qq']);
  // What it recommends is half a desktop; a font is all that pages lack without it.
  attempt('apt-get', ['install', '-y', '-qq', '--no-install-recommends', SHELL, 'fonts-liberation']);
}

/** @returns the path of a Chromium; throws when none can be had, saying what to do */
export function findChromium() {
  const chosen = firstOf([process.env.CHROMIUM_PATH, `/usr/bin/${SHELL}`]);
  if (chosen) return chosen;
  installShell();
  if (!installed()) attempt(node, ['node_modules/playwright-core/cli.js', 'install', 'chromium']);
  const found = installed();
  if (!found) throw new Error('No Chromium could be installed. Install one, and set CHROMIUM_PATH to it.');
  return found;
}
