/** The embedded PostgreSQL: files below the data directory, nothing to install. The work happens in pglite-worker.ts. */
import { open, readFile, rm, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { type Database, DatabaseUnavailable, type Row, writerStatement } from './database.ts';
import { lockDirectory } from './directory-lock.ts';
import { wireParameter } from './encoding.ts';
import type { WorkerAnswer, WorkerRequest } from './pglite-worker.ts';
import { translateError } from './postgres.ts';
import { makePrivateFolder, restrictDataFiles } from './private-files.ts';
import { startWorkerCalls, type Unnumbered, type WorkerCalls } from './worker-calls.ts';

/** Files that the database keeps open at once; it closes the least used ones to stay below. */
export const OPEN_FILES = 200;

/**
 * How much a function of the database runs, in bytes of its code, before the optimizing compiler takes it; V8's own bound is
 * 13 million. A start passes that in some sixty functions, most of them hardly used again; those that a busy exchange uses pass
 * this bound within seconds.
 */
const OPTIMIZED_AFTER = 100_000_000;

declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

async function compileProgram(): Promise<object> {
  setFlagsFromString(`--wasm-tiering-budget=${OPTIMIZED_AFTER}`);
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  return WebAssembly.compile(await readFile(join(folder, 'pglite.wasm')));
}

let compiled: Promise<object> | undefined;

/** Once for all databases that this process opens, one after another or at once: they share its machine code too. */
function program(): Promise<object> {
  compiled ??= compileProgram();
  return compiled;
}

type PgliteWorker = WorkerCalls<WorkerRequest, WorkerAnswer>;

const NAME = 'The embedded database';
const unavailable = (cause: Error) => new DatabaseUnavailable(cause.message, { cause });

/** What recovery writes at least: some segments of the log, of 16 MiB each. Without them the database never answers. */
const ROOM_MIB = 48;
/** After so long without any answer it is asked whether there is room: without, there will be none. */
const SILENCE_MS = 1_000;
/** Where there is less room after all. */
const RECOVERY_PATIENCE_MS = 120_000;

/** On the disk, for a database that is opened. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
}

/**
 * @param directory the data directory
 * @throws NoRoom, or what the system says where a file may not be so long
 */
async function checkRoom(directory: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  const free = Math.floor((bavail * bsize) / 2 ** 20);
  if (free < ROOM_MIB)
    throw new NoRoom(
      `DATA_DIR: ${free} MiB are free below ${directory}, and the database needs ${ROOM_MIB}. Make room.`,
    );
  const path = join(directory, 'room');
  const file = await open(path, 'w');
  try {
    await file.write('0', ROOM_MIB * 2 ** 20);
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

/** A worker at the database of a data directory, once it answers. */
async function startWorker(directory: string, readyMs?: number): Promise<PgliteWorker> {
  const script = new URL('./pglite-worker.ts', import.meta.url);
  const settings = { directory: join(directory, 'pglite'), openFiles: OPEN_FILES, program: await program() };
  const onSilence = (end: () => void) => void checkRoom(directory).catch(end);
  try {
    return await startWorkerCalls(script, settings, NAME, { readyMs, silenceMs: SILENCE_MS, onSilence });
  } catch (error) {
    throw unavailable(error as Error);
  }
}

/** The worker, and where the database has failed for good another one, which recovers from the log as after a kill. */
async function keepWorker(directory: string) {
  let worker = await startWorker(directory);
  let next: Promise<PgliteWorker> | undefined;
  let isClosed = false;

  async function recover(): Promise<PgliteWorker> {
    // Two at the same files would spoil them.
    await worker.end();
    await checkRoom(directory).catch((error: Error) => {
      throw unavailable(error);
    });
    return startWorker(directory, RECOVERY_PATIENCE_MS);
  }

  async function replaced(): Promise<PgliteWorker> {
    next ??= recover();
    try {
      worker = await next;
      return worker;
    } finally {
      next = undefined;
    }
  }

  return {
    async send(request: Unnumbered<WorkerRequest>): Promise<WorkerAnswer> {
      const current = worker.hasEnded() && !isClosed ? await replaced() : worker;
      const answer = await current.ask(request).catch((error: Error) => {
        throw unavailable(error);
      });
      if (answer.error === undefined) return answer;
      const error = Object.assign(new Error(answer.error.message), answer.error);
      if (!answer.hasEnded) throw translateError(error);
      // Whoever asks again is not to reach the thread before it has ended.
      await current.end();
      throw unavailable(error);
    },
    async close(): Promise<void> {
      isClosed = true;
      await next?.catch(() => undefined);
      if (worker.hasEnded()) return;
      await worker.ask({ kind: 'close' });
      await worker.end();
    },
  };
}

/**
 * @param directory where the files live; made when it is not there
 * @throws when another process holds the directory, the files are from another major version, or there is no room
 */
export async function openPglite(directory: string): Promise<Database> {
  makePrivateFolder(directory);
  await checkRoom(directory);
  const unlock = lockDirectory(directory);
  const { send, close } = await keepWorker(directory).catch((error: unknown) => {
    unlock();
    throw error;
  });
  // After the opening, which unpacks files with modes of their own; what it makes from now on has the process's mask.
  restrictDataFiles(directory);

  const database: Database = {
    kind: 'pglite',
    async query<R extends Row>(sql: string, parameters = []) {
      const { rows } = await send({
        kind: 'statements',
        statements: [{ sql, parameters: parameters.map(wireParameter) }],
      });
      return (rows?.[0] ?? []) as R[];
    },
    async transaction(statements) {
      const wire = statements.map(({ sql, parameters = [], copy }) => ({
        sql,
        parameters: parameters.map(wireParameter),
        ...(copy && { copy }),
      }));
      return (await send({ kind: 'statements', statements: wire })).rows ?? [];
    },
    // The lock of the folder makes this process the only one.
    async writeAlone({ sql, parameters = [] }) {
      const wrapped = writerStatement('SELECT true AS held', sql);
      const [row] = await database.query<{ written: number }>(wrapped, parameters);
      return row?.written ?? 0;
    },
    get patient() {
      return database;
    },
    async *copyOut(select) {
      const { bytes } = await send({ kind: 'copy', select });
      if (bytes) yield bytes;
    },
    async close() {
      await close();
      unlock();
    },
  };
  return database;
}
