/** What is made beside the client's build, ahead of the first start: the compiled server and an embedded database. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('what the server runs', () => {
  const prepare = (kept: string, settings: Readonly<Record<string, string>>, ...options: string[]) =>
    spawnSync(process.execPath, [...options, 'server/src/main.ts', 'prepare', 'database'], {
      cwd: join(import.meta.dirname, '..'),
      env: { ...process.env, NODE_COMPILE_CACHE: kept, ...settings },
      encoding: 'utf8',
    });
  let kept: string;
  beforeEach(() => {
    kept = mkdtempSync(join(tmpdir(), 'cambist-prepared-'));
  });
  afterEach(() => rmSync(kept, { recursive: true }));

  it('is compiled before its first start, which then moves no buffer and looks for none that was moved', () => {
    // The embedded database moves its own, in a thread of its own.
    const elsewhere = { DATABASE_URL: 'postgres://nobody@localhost:1/none' };
    const compile = () => prepare(kept, elsewhere, '--trace-protector-invalidation');
    expect(compile()).toMatchObject({ status: 0, stdout: expect.stringContaining('ArrayBufferDetaching') });
    expect(compile()).toMatchObject({ status: 0, stdout: expect.not.stringContaining('ArrayBufferDetaching') });
  });

  it('has its embedded database before its first start, and leaves one that is there alone', () => {
    const folder = join(kept, 'data');
    expect(prepare(kept, { DATA_DIR: folder })).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(join(folder, 'pglite', 'PG_VERSION'))).toBe(true);
    // What is there already is not touched, whatever it is.
    const other = join(kept, 'other');
    mkdirSync(other);
    expect(prepare(kept, { DATA_DIR: other })).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(other)).toEqual([]);
  });
});
