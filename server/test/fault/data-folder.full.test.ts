/** One holder for a data folder, and nobody else's eyes in it; seen at real processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDataFolder } from '../pglite-template.ts';
import { type ServerProcess, startServerProcess } from '../server-process.ts';

let root: string;
let data: string;
const servers: ServerProcess[] = [];
const children: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cambist-folder-'));
  data = join(root, 'data');
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of [root, data]) rmSync(folder, { recursive: true, force: true });
});

/** Each process with a temporary folder of its own, as in two containers or two shells. */
async function start(): Promise<ServerProcess> {
  const TMPDIR = mkdtempSync(join(root, 'tmp-'));
  const server = await startServerProcess({ DATA_DIR: data, TMPDIR });
  servers.push(server);
  return server;
}

/** A process that only takes the lock. @returns `held`, or why not */
function takeLock(): Promise<string> {
  const lock = join(import.meta.dirname, '../../src/platform/directory-lock.ts');
  const script = `
    import { lockDirectory } from ${JSON.stringify(lock)};
    try { lockDirectory(process.argv[1]); process.stdout.write('held'); setInterval(() => {}, 1000); }
    catch (error) { process.stdout.write(error.message); }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, data], {
    env: { ...process.env, TMPDIR: mkdtempSync(join(root, 'tmp-')) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return new Promise((resolve) => child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())));
}

/** Every path below the folder with a mode that others have a part in. */
function openToOthers(directory: string): string[] {
  const found = (lstatSync(directory).mode & 0o077) === 0 ? [] : [directory];
  const inner = readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return openToOthers(path);
    return (lstatSync(path).mode & 0o177) === 0 ? [] : [path];
  });
  return [...found, ...inner];
}

// A first start makes a database, which takes minutes where much else runs.
describe('a data folder', { timeout: 240_000 }, () => {
  it('has one server, whatever its temporary folder is; the refusal names it, and kill -9 leaves nothing', async () => {
    data = makeDataFolder('cambist-folder-held-', 'migrated');
    const first = await start();
    const holder = new RegExp(`in use by another Cambist \\(process ${first.processId} on ${hostname()}, since 20`);
    await expect(start()).rejects.toThrow(holder);
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
    await first.kill();
    const next = await start();
    expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
    expect(await next.stop()).toBe(0);
  });

  it('is given to exactly one of twelve that begin at once, and to the next when that one is killed', async () => {
    mkdirSync(data);
    const answers = await Promise.all(Array.from({ length: 12 }, takeLock));
    expect(answers.filter((answer) => answer === 'held')).toHaveLength(1);
    expect(answers.filter((answer) => answer.includes('in use by another Cambist'))).toHaveLength(11);
    const holder = children[answers.indexOf('held')];
    const ended = new Promise((resolve) => holder?.once('exit', resolve));
    holder?.kill('SIGKILL');
    await ended;
    expect(await takeLock()).toBe('held');
  });

  it("is its owner's alone, with all that is in it, also when an older version left it open", async () => {
    await (await start()).stop();
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(openToOthers(data)).toEqual([]);
    const open = (path: string) => {
      chmodSync(path, 0o755);
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        if (entry.isDirectory()) open(join(path, entry.name));
        else chmodSync(join(path, entry.name), 0o644);
      }
    };
    open(data);
    await start();
    expect(openToOthers(data)).toEqual([]);
    expect(statSync(join(data, 'secrets.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(data, 'pglite', 'pg_wal')).length).toBeGreaterThan(0);
  });
});
