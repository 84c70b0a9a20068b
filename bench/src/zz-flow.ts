import { makeFlow } from './engine-flow.ts';
import { writeFlow } from './engine-flow-file.ts';

writeFlow(
  '/tmp/w/flow',
  makeFlow({ seed: 1, resting: 10_000, commands: 1_500_000, meanDistance: Number(process.argv[2] ?? 120) } as never),
);
