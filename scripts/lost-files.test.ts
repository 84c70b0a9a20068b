import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startVitest } from 'vitest/node';
import { LostFiles, lostFiles } from './lost-files.ts';

const STANDS = "import { it } from 'vitest'; it('stands', () => {});";
const DIES = "import { it } from 'vitest'; it('dies', () => process.kill(process.pid, 'SIGKILL'));";

const exited = { message: 'Worker forks emitted error.', cause: { message: 'Worker exited unexpectedly' } };

it('names what a process had when it was killed, and nothing else', async () => {
  const root = join(import.meta.dirname, '..');
  const folder = mkdtempSync(join(import.meta.dirname, 'lost-'));
  const list = join(folder, 'list');
  const include = ['stands', 'dies'].map((name) => `${folder}/${name}.example.ts`);
  writeFileSync(include[0]!, STANDS);
  writeFileSync(include[1]!, DIES);
  try {
    const options = { root, config: false as const, watch: false, include, pool: 'forks' as const };
    const vitest = await startVitest('test', [], { ...options, reporters: [new LostFiles(list)] });
    await vitest.close();
    expect(readFileSync(list, 'utf8')).toMatch(/^scripts\/lost-\w+\/dies\.example\.ts$/);
  } finally {
    rmSync(folder, { recursive: true });
    // The run inside said of this process that it failed.
    process.exitCode = 0;
  }
}, 60_000);

it('names nothing where something else went wrong too', () => {
  const modules = [
    { relativeModuleId: 'a.test.ts', state: () => 'pending' as const },
    { relativeModuleId: 'b.test.ts', state: () => 'failed' as const },
  ];
  expect(lostFiles(modules, [exited])).toEqual(['a.test.ts']);
  expect(lostFiles(modules, [exited, { message: 'An unhandled rejection' }])).toEqual([]);
  expect(lostFiles(modules, [])).toEqual([]);
});
