/**
 * Commands a second of the exchange beside nodejs-order-book: `npm run bench engine`, or with other sizes
 * `npm run engine -w bench [rounds] [resting] [distance]`. Every contender is a process of its own, and they take turns slice by
 * slice, less than a second each, so that what disturbs the machine for a while disturbs all of them. Medians over rounds are
 * compared. All must make the same number of trades and trade the same quantity.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONTENDERS } from './engine-contenders.ts';
import { type FlowOptions, makeFlow } from './engine-flow.ts';
import { writeFlow } from './engine-flow-file.ts';
import type { Slice } from './engine-run.ts';
import { median } from './statistics.ts';

const REFERENCE = 'nodejs-order-book';
/** Long enough that the compiler has settled for most of it, whichever book runs. */
const COMMANDS = 3_000_000;
/**
 * Commands of one turn: many, so that what the turns of others have left in the processor's caches is soon its own again.
 * The warm-up is a fifth of all, so that larger turns have to divide that: 600,000 leave a contender almost alone.
 */
const SLICE = Number(process.env.BENCH_SLICE ?? 100_000);
/** Between turns, so that what a contender's collector and compiler still do aside takes no processor from the next one. */
const PAUSE_MS = 50;

/** What a contender did in a round. */
interface Measurement {
  readonly contender: string;
  readonly commandsPerSecond: number;
  /** By the processor time of the one thread. */
  readonly commandsPerCpuSecond: number;
  readonly trades: number;
  readonly lots: number;
}

/** A process that runs a contender, and its slices so far. */
interface Runner {
  readonly contender: string;
  readonly child: ChildProcess;
  readonly slices: Slice[];
}

function startRunner(contender: string, flow: string): Runner {
  const script = new URL('./engine-run.ts', import.meta.url);
  return { contender, child: fork(script, [contender, flow], { execArgv: ['--expose-gc'] }), slices: [] };
}

async function takeTurn({ contender, child, slices }: Runner): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<Slice>();
  const fail = () => reject(new Error(`${contender} has ended`));
  child.once('message', resolve).once('exit', fail);
  child.send(SLICE);
  slices.push(await promise);
  child.off('exit', fail);
}

function measurementOf({ contender, slices }: Runner): Measurement {
  const measured = slices.filter(({ commands }) => commands > 0);
  const sum = (figure: 'commands' | 'wall' | 'processor') => measured.reduce((all, slice) => all + slice[figure], 0);
  const { trades, lots } = slices.at(-1)!;
  const commands = sum('commands');
  const [commandsPerSecond, commandsPerCpuSecond] = [commands / sum('wall'), commands / sum('processor')];
  return { contender, commandsPerSecond, commandsPerCpuSecond, trades, lots };
}

async function measureInTurns(contenders: readonly string[], flow: string): Promise<Measurement[]> {
  const runners = contenders.map((contender) => startRunner(contender, flow));
  try {
    for (let done = 0; done < COMMANDS; done += SLICE) {
      for (const runner of runners) {
        await takeTurn(runner);
        await sleep(PAUSE_MS);
      }
    }
    return runners.map(measurementOf);
  } finally {
    for (const { child } of runners) child.kill();
  }
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

async function main(rounds: number, options: FlowOptions): Promise<void> {
  const names = Object.keys(CONTENDERS);
  const measurements: Measurement[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'cambist-engine-'));
  for (let round = 0; round < rounds; round += 1) {
    const flow = join(folder, `flow-${round}`);
    writeFlow(flow, makeFlow({ ...options, seed: options.seed + round }));
    const measured = await measureInTurns(names, flow);
    verifySameTrades(measured);
    measurements.push(...measured);
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
await main(rounds, { seed: 1, resting, commands: COMMANDS, meanDistance });
