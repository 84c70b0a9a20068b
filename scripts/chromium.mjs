// Finds a Chromium for the browser tests: one that is set, one that is installed, Playwright's own, or Debian's.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { environment, node, root } from './workspace.mjs';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

function installed() {
  const { chromium } = createRequire(`${root}/`)('playwright-core');
  return [process.env.CHROMIUM_PATH, ...places, chromium.executablePath()].find((path) => path && existsSync(path));
}

const attempt = (command, args) => spawnSync(command, args, { cwd: root, stdio: 'inherit', env: environment });

/** @returns the path of a Chromium; throws when none can be had, saying what to do */
export function findChromium() {
  const there = installed();
  if (there) return there;
  console.error('No Chromium found; installing one …');
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    attempt('apt-get', ['update', '-qq']);
    // What it recommends is half a desktop; a font is all that pages lack without it.
    attempt('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation']);
  }
  if (!installed()) attempt(node, ['node_modules/playwright-core/cli.js', 'install', 'chromium']);
  const found = installed();
  if (!found) throw new Error('No Chromium could be installed. Install one, and set CHROMIUM_PATH to it.');
  return found;
}
