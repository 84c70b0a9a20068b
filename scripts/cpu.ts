/** CPU time of a process with all that it starts, so that the cost of the tests can be held to a budget. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const SAMPLE_EVERY_MS = 200;
/** Linux reports hundredths of a second, whatever the kernel's own clock is. */
const TICKS_PER_SECOND = 100;

interface Sample {
  readonly pid: number;
  readonly parent: number;
  /** Ticks since the system's start; tells a reused process id apart. */
  readonly started: number;
  readonly ticks: number;
}

/** @returns undefined once the process has ended */
function readProcess(pid: number): Sample | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name stands in brackets and may hold spaces; proc(5) numbers the fields after it from 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return { pid, parent: field(4), started: field(22), ticks: field(14) + field(15) };
}

const readProcesses = (): Sample[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])
    .sort((a, b) => a.started - b.started);

/**
 * Measures the CPU time of `child` and its descendants until it ends. A process that lives for less than the sampling
 * interval is missed, and so is the last interval of each; two runs of the same work miss the same.
 * @returns a function that answers the seconds so far, or undefined on a system without /proc
 */
export function meterCpu(child: ChildProcess): () => number | undefined {
  if (process.platform !== 'linux' || child.pid === undefined) return () => undefined;
  const ticks = new Map<string, number>();
  // A process whose parent has ended becomes a child of the system's first one: it is known by its own id.
  const known = new Set([child.pid]);
  const sample = () => {
    for (const { pid, parent, started, ticks: used } of readProcesses()) {
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
 * Measures how fast this machine is: CPU seconds of a fixed piece of work, done on two cores at once as the tests are.
 * @returns the median of several rounds
 */
export async function referenceSeconds(): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < REFERENCE_ROUNDS; round += 1) {
    rounds.push(...(await Promise.all([runReference(), runReference()])));
  }
  return rounds.sort((a, b) => a - b)[rounds.length / 2] ?? Number.NaN;
}

async function runReference(): Promise<number> {
  const child = spawn(process.execPath, ['-e', REFERENCE_WORK], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return Number(output);
}
