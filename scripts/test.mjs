// npm test: everything, from a fresh clone. Types, lint, dead code, then every test; a Chromium is found or installed.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from './chromium.mjs';
import { buildWeb, environment, install, node, root, run } from './workspace.mjs';

install('everything');
const bin = (name) => join(root, 'node_modules', name);
const step = (name, args) => {
  console.error(`\n— ${name}`);
  run(node, args);
};
step('types', [bin('typescript/bin/tsc'), '-p', '.']);
step('types of the web client', [bin('typescript/bin/tsc'), '-p', 'web']);
step('types of the browser tests', [bin('typescript/bin/tsc'), '-p', 'e2e']);
step('format and lint', [bin('@biomejs/biome/bin/biome'), 'check', '.']);
step('dead code', [bin('knip/bin/knip.js'), '--no-progress']);
buildWeb();

/** Runs tests, counts them, and names the files that a process had when it ended by itself. */
function runTests(args) {
  const report = join(root, 'node_modules/.cambist/tests.json');
  const lostFiles = `${report}.lost`;
  for (const path of [report, lostFiles]) rmSync(path, { force: true });
  const { status } = spawnSync(node, [bin('vitest/vitest.mjs'), 'run', ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...environment, CHROMIUM_PATH: findChromium(), TEST_REPORT: report },
  });
  // It was interrupted.
  if (!existsSync(report) || !existsSync(lostFiles)) process.exit(status ?? 1);
  const counts = JSON.parse(readFileSync(report, 'utf8'));
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = counts;
  const lost = readFileSync(lostFiles, 'utf8').split('\n').filter(Boolean);
  return { status: status ?? 1, passed, failed, skipped, lost };
}

console.error('\n— tests');
const first = runTests(process.argv.slice(2));
console.log(`\n${first.passed} passed, ${first.failed} failed, ${first.skipped} skipped`);
if (first.lost.length === 0 || first.failed > 0) process.exit(first.status);

console.error(
  `\n!!! A process of the tests ended by itself; what it had is run again, and that it has to be is a defect:\n  ${first.lost.join('\n  ')}`,
);
const second = runTests(first.lost);
console.log(`\n${first.passed + second.passed} passed, ${second.failed} failed, at a second try`);
process.exit(second.status);
