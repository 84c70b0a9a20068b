import { globSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LostFiles } from './scripts/lost-files.ts';
import { SecondTries } from './scripts/second-tries.ts';
import { isFullSuite } from './server/test/suite.ts';

/** The longest first, so that none of them is left alone at the end. */
const LONG =
  /\/fault\/|\/attack\/|addresses|shell|terminal|landing|console|security|liquidity|support|reconciler|operator\.test|journey|transfer|convert|sign-in|replay/;

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

/** Tests that put something else in the place of a module: a process that has the module already cannot run them. */
const mocking = globSync(['server/{src,test}/**/*.test.ts', 'web/src/**/*.test.ts'], {
  cwd: import.meta.dirname,
}).filter((file) => readFileSync(join(import.meta.dirname, file), 'utf8').includes('vi.mock('));

// Node reads our TypeScript itself: without Vite's transformation a process starts with what the last one compiled.
const native = { viteModuleRunner: false };

/** Files of `npm run test:all` alone. */
const FULL_SUITE = '**/*.full.test.ts';
const exclude = ['**/node_modules/**', ...(isFullSuite ? [] : [FULL_SUITE])];

/**
 * For tests with a server in their process. They wait for the database a third of their time, so three of them keep two cores
 * busy.
 */
const withServer = {
  maxWorkers: 3,
  // Not at the same time as projects with another number of workers.
  sequence: { groupOrder: 1 },
  globalSetup: ['server/test/global-setup.ts', 'server/test/pglite-template.ts'],
  experimental: native,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What is awaited comes when the server has the time for it; a second, as it is otherwise, is too little on a busy machine.
  expect: { poll: { timeout: 10_000 } },
  // On a busy machine a job of the server can come between two steps of a test. The end of the run names each that needed it.
  retry: 1,
};

/** Where `npm test` reads the counts. */
const report = process.env.TEST_REPORT;

export default defineConfig({
  test: {
    // One for each of two cores: with four, pages and servers of several tests starve each other, and nothing ends sooner.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    reporters: [
      'default',
      new SecondTries(),
      ...(report ? [['json', { outputFile: report }] as const, new LostFiles(`${report}.lost`)] : []),
    ],
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
          exclude: [...exclude, ...mocking],
          isolate: false,
          // Generous: a property of thousands of commands takes seconds on a machine that does other work as well.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...withServer,
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: [...exclude, ...mocking],
          // One process for many files: it has the server's modules, and the machine code of the embedded database, already.
          isolate: false,
        },
      },
      { test: { ...withServer, name: 'mocking', include: mocking, experimental: {} } },
      {
        test: {
          ...withServer,
          name: 'attack',
          include: ['attack/**/*.test.ts'],
          exclude,
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['e2e/**/*.test.ts'],
          exclude,
          globalSetup: withServer.globalSetup,
          setupFiles: ['e2e/src/scene.ts'],
          experimental: native,
          isolate: false,
          sequence: { concurrent: false },
          testTimeout: 90_000,
          hookTimeout: 90_000,
          // As above: a look at the page can come a moment early.
          retry: 1,
          expect: withServer.expect,
        },
      },
    ],
  },
});
