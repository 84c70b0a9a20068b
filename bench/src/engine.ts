/**
 * Commands a second of the exchange beside nodejs-order-book: `npm run engine -w bench [rounds] [resting] [distance]`.
 * Every measurement is a process of its own, contenders take turns, and medians are compared. Both must make the same
 * number of trades and trade the same quantity.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTENDERS } from './engine-contenders.ts';
import { type FlowOptions, makeFlow } from './engine-flow.ts';
import { writeFlow } from './engine-flow-file.ts';
import type { Measurement } from './engine-run.ts';
import { median } from './statistics.ts';

const REFERENCE = 'nodejs-order-book';
/** Long enough that the compiler has settled for most of it, whichever book runs. */
const COMMANDS = 3_000_000;

function measureApart(contender: string, flow: string): Measurement {
  const script = new URL('./engine-run.ts', import.meta.url).pathname;
  const parameters = ['--expose-gc', script, contender, flow];
  return JSON.parse(execFileSync(process.execPath, parameters, { encoding: 'utf8' }));
}

function verifySameTrades(measurements: readonly Measurement[]): void {
  const [first] = measurements;
  for (const { contender, trades, lots } of measurements) {
    if (trades === first?.trades && lots === first.lots) continue;
    throw new Error(
      `${contender} made ${trades} trades of ${lots} lots, ${first?.contender} ${first?.trades} of ${first?.lots}`,
    );
  }
}

interface Row {
  readonly name: string;
  /** Commands a second, and how many times those of the reference: by the wall clock and by processor time. */
  readonly rate: number;
  readonly ratio: number;
  readonly processorRate: number;
  readonly processorRatio: number;
}

function summarise(names: readonly string[], measurements: readonly Measurement[]): Row[] {
  const middle = (name: string, figure: 'commandsPerSecond' | 'commandsPerCpuSecond') =>
    median(measurements.filter(({ contender }) => contender === name).map((one) => one[figure]));
  return names.map((name) => {
    const rate = middle(name, 'commandsPerSecond');
    const processorRate = middle(name, 'commandsPerCpuSecond');
    const ratio = rate / middle(REFERENCE, 'commandsPerSecond');
    const processorRatio = processorRate / middle(REFERENCE, 'commandsPerCpuSecond');
    return { name, rate, ratio, processorRate, processorRatio };
  });
}

function main(rounds: number, options: FlowOptions): void {
  const names = Object.keys(CONTENDERS);
  const measurements: Measurement[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'cambist-engine-'));
  for (let round = 0; round < rounds; round += 1) {
    const flow = join(folder, `flow-${round}`);
    writeFlow(flow, makeFlow({ ...options, seed: options.seed + round }));
    for (const name of names) measurements.push(measureApart(name, flow));
    verifySameTrades(measurements.slice(-names.length));
  }
  rmSync(folder, { recursive: true });
  const rows = summarise(names, measurements);
  const { resting, meanDistance } = options;
  print(`${COMMANDS} commands, ${resting} resting, mean distance ${meanDistance} ticks, ${rounds} rounds, medians`);
  print('contender               commands/s   ratio   per CPU second   ratio');
  for (const { name, rate, ratio, processorRate, processorRatio } of rows) {
    const wall = `${count(rate).padStart(14)} ${ratio.toFixed(1).padStart(7)}`;
    print(`${name.padEnd(20)}${wall} ${count(processorRate).padStart(16)} ${processorRatio.toFixed(1).padStart(7)}`);
  }
  print(JSON.stringify({ bench: 'engine', ...options, rounds, rows }));
}

function count(rate: number): string {
  return Math.round(rate).toLocaleString('en');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const [rounds = 5, resting = 10_000, meanDistance = 120] = process.argv.slice(2).map(Number);
main(rounds, { seed: 1, resting, commands: COMMANDS, meanDistance });
