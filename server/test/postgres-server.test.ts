import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('leaves a failed run failed', () => {
  const file = JSON.stringify(join(import.meta.dirname, 'postgres-server.ts'));
  const { status } = spawnSync(process.execPath, [
    '--input-type=module',
    '-e',
    `await import(${file}); process.exitCode = 3`,
  ]);
  expect(status).toBe(3);
});
