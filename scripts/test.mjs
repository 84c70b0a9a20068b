// npm test: everything, from a fresh clone. Types, lint, dead code, then every test; a Chromium is found or installed.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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

console.error('\n— tests');
const report = join(root, 'node_modules/.cambist/tests.json');
const result = spawnSync(node, [bin('vitest/vitest.mjs'), 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...environment, CHROMIUM_PATH: findChromium(), TEST_REPORT: report },
});
const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0 } = JSON.parse(readFileSync(report, 'utf8'));
console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
process.exit(result.status ?? 1);
