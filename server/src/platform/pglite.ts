/** The embedded PostgreSQL: files below the data directory, nothing to install. The work happens in pglite-worker.ts. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Database, DatabaseUnavailable, type Row, writerStatement } from './database.ts';
import { lockDirectory } from './directory-lock.ts';
import { wireParameter } from './encoding.ts';
import type { WorkerAnswer, WorkerRequest } from './pglite-worker.ts';
import { translateError } from './postgres.ts';
import { makePrivateFolder, restrictDataFiles } from './private-files.ts';

/** Files that the database keeps open at once; it closes the least used ones to stay below. */
export const OPEN_FILES = 200;

interface Waiting {
  resolve(answer: WorkerAnswer): void;
  reject(error: Error): void;
}

type Unnumbered = WorkerRequest extends infer R ? (R extends WorkerRequest ? Omit<R, 'id'> : never) : never;

/** The worker at the files of a directory, once it answers. */
async function startWorker(directory: string) {
  const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), {
    workerData: { directory, openFiles: OPEN_FILES },
  });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let closed = false;

  const fail = (error: Error) => {
    closed = true;
    for (const entry of waiting.values()) entry.reject(new DatabaseUnavailable(error.message, { cause: error }));
    waiting.clear();
  };
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`The embedded database stopped with code ${code}`)));
  worker.on('message', (answer: WorkerAnswer) => {
    const entry = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.error) entry?.reject(translateError(Object.assign(new Error(answer.error.message), answer.error)));
    else entry?.resolve(answer);
  });

  const wait = (id: number) => new Promise<WorkerAnswer>((resolve, reject) => waiting.set(id, { resolve, reject }));
  const send = (request: Unnumbered): Promise<WorkerAnswer> => {
    if (closed) return Promise.reject(new DatabaseUnavailable('The embedded database is closed'));
    lastId += 1;
    const answer = wait(lastId);
    worker.postMessage({ id: lastId, ...request });
    return answer;
  };

  await wait(0);
  return {
    send,
    async close(): Promise<void> {
      if (closed) return;
      await send({ kind: 'close' });
      closed = true;
      await worker.terminate();
    },
  };
}

/**
 * @param directory where the files live; made when it is not there
 * @throws when another process holds the directory, or the files are from another major version
 */
export async function openPglite(directory: string): Promise<Database> {
  makePrivateFolder(directory);
  const unlock = lockDirectory(directory);
  const { send, close } = await startWorker(join(directory, 'pglite')).catch((error: unknown) => {
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
