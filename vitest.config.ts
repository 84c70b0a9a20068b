import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SecondTries } from './scripts/second-tries.ts';

/** The longest first, so that none of them is left alone at the end. */
const LONG =
  /\/fault\/|\/attack\/|accessible|shell|terminal|landing|console|security|liquidity|support|reconciler|operator\.test|journey|transfer|convert|sign-in|replay/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { long = [], rest = [] } = Object.groupBy(await super.sort(files), ({ moduleId }) =>
      LONG.test(moduleId) ? 'long' : 'rest',
    );
    return [...long, ...rest];
  }
}

// What a process compiled, the next one reads; workers and the servers that they start inherit it.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cambist/compiled');

// Hundreds of databases are made, filled and removed: in memory, where there is enough of it, none of them is written to a disk.
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 6 * 2 ** 30;

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

if (process.env.TMPDIR === undefined && hasMemory()) process.env.TMPDIR = MEMORY;

/** Where `npm test` reads the counts. */
const report = process.env.TEST_REPORT;

export default defineConfig({
  test: {
    // One for each of two cores: with four, pages and servers of several tests starve each other, and nothing ends sooner.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new SecondTries(), ...(report ? [['json', { outputFile: report }] as const] : [])],
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'core/**/*.test.ts',
            'contract/**/*.test.ts',
            'web/**/*.test.ts',
            'bench/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          // Generous: a property of thousands of commands takes seconds on a machine that does other work as well.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts', 'server/test/pglite-template.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'attack',
          include: ['attack/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts', 'server/test/pglite-template.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts', 'server/test/pglite-template.ts'],
          sequence: { concurrent: false },
          testTimeout: 90_000,
          hookTimeout: 90_000,
          // On a busy machine a look at the page can come a moment early. The end of the run names each test that needed it.
          retry: 1,
          // A page takes its time; a second, as it is otherwise, is too little for a stream.
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
});
