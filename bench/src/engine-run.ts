/** One measurement in a process of its own: `engine-run.ts <contender> <file of a flow>` prints a JSON line. */
import { allowInlining } from '@cambist/server/platform/inlining.ts';
import { CONTENDERS, type Contender } from './engine-contenders.ts';
import type { FlowStep } from './engine-flow.ts';
import { readFlow } from './engine-flow-file.ts';

/** The first part of the flow lets the compiler settle and is not measured. */
const WARM_UP_SHARE = 0.2;

/**
 * Arguments are made ready for so many steps at a time, off the clock: they arrive fresh, as from a network, and about as
 * many at once as a server has decoded when it applies a batch.
 */
const CHUNK = 1_000;

export interface Measurement {
  readonly contender: string;
  /** By the wall clock. */
  readonly commandsPerSecond: number;
  /** By the processor time of the one thread, which neighbours on the machine disturb less. */
  readonly commandsPerCpuSecond: number;
  readonly trades: number;
  readonly lots: number;
}

/** Runs all steps and returns the measured seconds. */
function runInChunks(contender: Contender, steps: readonly FlowStep[]): { wall: number; processor: number } {
  let wall = 0;
  let processor = 0;
  for (let start = 0; start < steps.length; start += CHUNK) {
    const run = contender.prepare(steps.slice(start, start + CHUNK));
    const usedBefore = process.threadCpuUsage();
    const started = performance.now();
    run();
    wall += performance.now() - started;
    const used = process.threadCpuUsage(usedBefore);
    processor += used.user + used.system;
  }
  return { wall: wall / 1_000, processor: processor / 1_000_000 };
}

function measure(name: string, path: string): Measurement {
  const create = CONTENDERS[name];
  if (create === undefined) throw new Error(`unknown contender ${name}`);
  const { prefill, steps } = readFlow(path);
  const contender = create();
  const warmUp = Math.floor(steps.length * WARM_UP_SHARE);
  contender.prepare(prefill)();
  runInChunks(contender, steps.slice(0, warmUp));
  globalThis.gc?.();
  const { wall, processor } = runInChunks(contender, steps.slice(warmUp));
  const { trades, lots } = contender.tally();
  const count = steps.length - warmUp;
  return { contender: name, commandsPerSecond: count / wall, commandsPerCpuSecond: count / processor, trades, lots };
}

// As the server does it, for every contender.
allowInlining();
const [name = '', path = ''] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(measure(name, path))}\n`);
