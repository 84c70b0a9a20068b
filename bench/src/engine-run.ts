/**
 * One contender in a process of its own: `engine-run.ts <contender> <file of a flow>`. It runs a slice of the flow whenever its
 * parent tells it to, so that contenders can take turns.
 */
import { allowInlining } from '@cambist/server/platform/inlining.ts';
import { CONTENDERS } from './engine-contenders.ts';
import { FlowFile } from './engine-flow-file.ts';

/** The first part of the flow lets the compiler settle and is not measured. */
const WARM_UP_SHARE = 0.2;

/**
 * Arguments are made ready for so many steps at a time, off the clock: they arrive fresh, as from a network, and about as
 * many at once as a server has decoded when it applies a batch.
 */
const CHUNK = 1_000;

/** What a contender did in a slice. */
export interface Slice {
  /** Commands that are measured; 0 while the compiler settles. */
  readonly commands: number;
  /** Seconds by the clock. */
  readonly wall: number;
  /** Seconds of the processor by the one thread, which neighbours on the machine disturb less. */
  readonly processor: number;
  /** Trades and lots so far. */
  readonly trades: number;
  readonly lots: number;
}

function main([name = '', path = '']: readonly string[]): void {
  const create = CONTENDERS[name];
  if (create === undefined) throw new Error(`unknown contender ${name}`);
  const flow = new FlowFile(path);
  const contender = create();
  contender.prepare(flow.steps(0, flow.prefilling))();
  const measuredFrom = flow.prefilling + Math.floor((flow.length - flow.prefilling) * WARM_UP_SHARE);
  let done = flow.prefilling;

  function runSlice(commands: number): Slice {
    const begun = done;
    const isMeasured = begun >= measuredFrom;
    const end = Math.min(begun + commands, flow.length);
    let [wall, processor] = [0, 0];
    while (done < end) {
      const next = Math.min(done + CHUNK, end);
      const run = contender.prepare(flow.steps(done, next));
      const usedBefore = process.threadCpuUsage();
      const started = performance.now();
      run();
      wall += performance.now() - started;
      const used = process.threadCpuUsage(usedBefore);
      processor += used.user + used.system;
      done = next;
    }
    if (!isMeasured && done >= measuredFrom) globalThis.gc?.();
    const { trades, lots } = contender.tally();
    return { commands: isMeasured ? done - begun : 0, wall: wall / 1_000, processor: processor / 1e6, trades, lots };
  }

  process.on('message', (commands: number) => process.send?.(runSlice(commands)));
}

// As the server does it, for every contender.
allowInlining();
main(process.argv.slice(2));
