// The tests, on the Node that reads TypeScript: types, lint and dead code beside the web client's build, then project by
// project, each held to its budget of CPU time. With `--all` it runs the full suite, which has no budget. With files it
// runs those alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { budgetFaults, readBudget } from './budget.ts';
import { findChromium } from './chromium.mjs';
import { meterCpu, referenceSeconds } from './cpu.ts';
import { closingLine, countTests, sumCounts } from './test-counts.ts';
import { buildWeb, environment, root } from './workspace.mjs';

const node = process.execPath;
const arguments_ = process.argv.slice(2);
const isFull = arguments_.includes('--all');
const files = arguments_.filter((argument) => argument !== '--all');
/** In the order in which they fail soonest. */
const PROJECTS = ['unit', 'mocking', 'server', 'attack', 'browser'];

const bin = (name) => join(root, 'node_modules', name);

/** Runs a check and prints what it says in one piece, since the build runs beside it. A failure ends this process. */
async function check(name, args) {
  const child = spawn(node, args, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  console.error(`— ${name}\n${output}${errors}`);
  if (code !== 0) process.exit(code ?? 1);
}

const checks = [
  ['types', [bin('typescript/bin/tsc'), '-p', '.']],
  ['types of the web client', [bin('typescript/bin/tsc'), '-p', 'web']],
  ['types of the browser tests', [bin('typescript/bin/tsc'), '-p', 'e2e']],
  ['format and lint', [bin('@biomejs/biome/bin/biome'), 'check', '.']],
  ['dead code', [bin('knip/bin/knip.js'), '--no-progress']],
];

async function runChecks() {
  for (const [name, args] of checks) await check(name, args);
}

/**
 * Runs tests and counts them.
 * @returns the counts, CPU and wall seconds, and the files whose process ended by itself
 */
async function runTests(args) {
  const report = join(root, 'node_modules/.cambist/tests.json');
  const lostFiles = `${report}.lost`;
  for (const path of [report, lostFiles]) rmSync(path, { force: true });
  const started = performance.now();
  const child = spawn(node, [bin('vitest/vitest.mjs'), 'run', ...args], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...environment,
      CHROMIUM_PATH: findChromium(),
      TEST_REPORT: report,
      ...(isFull ? { TEST_SUITE: 'all' } : {}),
    },
  });
  const cpu = meterCpu(child);
  const [status] = await once(child, 'exit');
  // It was interrupted.
  if (!existsSync(report) || !existsSync(lostFiles)) process.exit(status ?? 1);
  return {
    status: status ?? 1,
    ...countTests(JSON.parse(readFileSync(report, 'utf8'))),
    lost: readFileSync(lostFiles, 'utf8').split('\n').filter(Boolean),
    cpuSeconds: cpu(),
    seconds: (performance.now() - started) / 1000,
  };
}

/** Runs tests, and again those whose process ended by itself. */
async function runToTheEnd(args) {
  const first = await runTests(args);
  if (first.lost.length === 0 || first.failed > 0 || first.failedFiles > 0) return first;
  const names = first.lost.join('\n  ');
  console.error(`\n!!! A process of the tests ended by itself, which is a defect. Its files run again:\n  ${names}`);
  const second = await runTests(first.lost);
  return { ...second, passed: first.passed + second.passed, skipped: first.skipped + second.skipped };
}

if (files.length > 0) {
  await buildWeb();
  const result = await runToTheEnd(files);
  console.log(`\n${closingLine(result, result.status)}`);
  process.exit(result.status);
}

const started = performance.now();
await Promise.all([runChecks(), buildWeb().then(findChromium)]);
const reference = await referenceSeconds();
const results = [];
for (const project of PROJECTS) {
  console.error(`\n— tests: ${project}`);
  results.push({ project, ...(await runToTheEnd(['--project', project])) });
}

const round = (seconds) => (seconds === undefined ? '-' : seconds.toFixed(0)).padStart(7);
const budget = readBudget();
console.log('\nproject    tests   CPU s  budget  wall s');
for (const { project, passed, cpuSeconds, seconds } of results) {
  const allowed = isFull ? undefined : budget.cpuSeconds[project];
  console.log(
    `${project.padEnd(9)}${String(passed).padStart(7)} ${round(cpuSeconds)} ${round(allowed)} ${round(seconds)}`,
  );
}
console.log(
  `${((performance.now() - started) / 60_000).toFixed(1)} minutes; reference work ${reference.toFixed(3)} CPU s`,
);

const faults = isFull ? [] : budgetFaults(budget, results, reference);
for (const fault of faults) console.error(`!!! ${fault}`);
const status = results.find((result) => result.status !== 0)?.status ?? 0;
console.log(`\n${closingLine(sumCounts(results), status)}`);
process.exit(status === 0 && faults.length > 0 ? 1 : status);
