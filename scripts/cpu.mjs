// CPU time of a process with all that it starts, so that the cost of the tests can be held to a budget.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { node } from './workspace.mjs';

const SAMPLE_EVERY_MS = 200;
/** Linux counts in hundredths of a second, whatever the kernel's own clock is. */
const TICKS_PER_SECOND = 100;

/** Reads one process: parent, start (which tells a reused id apart) and CPU ticks; undefined once it has ended. */
function readProcess(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name stands in brackets and may hold spaces; the fields after it are numbered from 3 (proc(5)).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number) => Number(fields[number - 3]);
  return { pid, parent: field(4), started: field(22), ticks: field(14) + field(15) };
}

function readProcesses() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/**
 * Measures the CPU time of `child` and its descendants until it ends. A process that lives for less than the sampling
 * interval is missed, and so is the last interval of each; two runs of the same work miss the same.
 * @returns a function that answers the seconds so far, or undefined on a system without /proc
 */
export function meterCpu(child) {
  if (process.platform !== 'linux') return () => undefined;
  const ticks = new Map();
  // A process whose parent has ended belongs to the system's first one: it is known by its id.
  const known = new Set([child.pid]);
  const sample = () => {
    const processes = readProcesses().sort((a, b) => a.started - b.started);
    for (const { pid, parent, started, ticks: used } of processes) {
      if (!known.has(parent) && !known.has(pid)) continue;
      known.add(pid);
      ticks.set(`${pid} ${started}`, used);
    }
  };
  sample();
  const timer = setInterval(sample, SAMPLE_EVERY_MS);
  child.once('exit', () => clearInterval(timer));
  return () => [...ticks.values()].reduce((sum, used) => sum + used, 0) / TICKS_PER_SECOND;
}

/** JSON, strings and hashes: a fixed amount of the kind of work that the tests do. */
const REFERENCE_WORK = `
  const { createHash } = require('node:crypto');
  const rows = Array.from({ length: 2000 }, (_, id) => ({ id, price: String(id * 1.37), side: id % 2 ? 'buy' : 'sell' }));
  let hash = '';
  for (let round = 0; round < 60; round += 1) {
    const text = JSON.stringify(rows.map((row) => ({ ...row, round, hash })));
    hash = createHash('sha256').update(text).digest('hex');
    JSON.parse(text).sort((a, b) => (a.price < b.price ? -1 : 1));
  }
  const { user, system } = process.cpuUsage();
  console.log((user + system) / 1e6);
`;
const REFERENCE_ROUNDS = 5;

/**
 * How fast this machine is: CPU seconds of a fixed piece of work, done on two cores at once as the tests are.
 * @returns the median of several rounds
 */
export async function referenceSeconds() {
  const rounds = [];
  for (let round = 0; round < REFERENCE_ROUNDS; round += 1) {
    rounds.push(...(await Promise.all([runReference(), runReference()])));
  }
  return rounds.sort((a, b) => a - b)[Math.floor(rounds.length / 2)];
}

async function runReference() {
  const child = spawn(node, ['-e', REFERENCE_WORK], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(child, 'exit');
  return Number(output);
}
