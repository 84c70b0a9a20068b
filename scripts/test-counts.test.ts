import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startVitest } from 'vitest/node';
import { closingLine, countTests, sumCounts } from './test-counts.ts';

const IMPORTS = "import { beforeAll, afterAll, describe, expect, it } from 'vitest';";
const EXAMPLES = {
  passes: "it('passes', () => {}); it('skips', ({ skip }) => skip('not today'));",
  fails: "it('fails', () => expect(1).toBe(2));",
  import: "await import('./missing.ts'); it('never runs', () => {});",
  before: "beforeAll(() => { throw new Error('no database'); }); it('never runs', () => {});",
  group: "describe('a', () => { beforeAll(() => { throw new Error('no page'); }); it('never runs', () => {}); });",
  after: "afterAll(() => { throw new Error('not closed'); }); it('passes', () => {});",
};

it('counts files that fail outside their tests beside tests that fail', async () => {
  const root = join(import.meta.dirname, '..');
  const folder = mkdtempSync(join(import.meta.dirname, 'counts-'));
  const report = join(folder, 'report.json');
  for (const [name, text] of Object.entries(EXAMPLES)) {
    writeFileSync(join(folder, `${name}.example.ts`), `${IMPORTS}\n${text}`);
  }
  try {
    const options = { root, config: false as const, watch: false, include: [`${folder}/*.example.ts`] };
    const vitest = await startVitest('test', [], { ...options, reporters: [['json', { outputFile: report }]] });
    await vitest.close();
    const counts = countTests(JSON.parse(readFileSync(report, 'utf8')) as Parameters<typeof countTests>[0]);
    expect(counts).toMatchObject({ passed: 2, failed: 1, failedFiles: 4 });
    expect(closingLine(counts, 1)).toMatch(/^2 passed, 1 failed, \d skipped, 4 files failed to start or to end$/);
  } finally {
    rmSync(folder, { recursive: true });
    // The run inside marked this process as failed.
    process.exitCode = 0;
  }
}, 60_000);

it('never closes a failed run as if nothing had failed', () => {
  const counts = { passed: 3, failed: 0, skipped: 1, failedFiles: 0 };
  expect(closingLine(counts, 0)).toBe('3 passed, 0 failed, 1 skipped');
  expect(closingLine(counts, 1)).toBe('3 passed, 0 failed, 1 skipped, but the run failed: see the errors above');
  const sum = sumCounts([counts, { ...counts, failedFiles: 1 }]);
  expect(closingLine(sum, 1)).toBe('6 passed, 0 failed, 2 skipped, 1 file failed to start or to end');
});
