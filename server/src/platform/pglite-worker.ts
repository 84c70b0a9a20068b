/**
 * PGlite in a thread of its own: its WebAssembly runs to the end of a statement without yielding, and orders should
 * not wait for that. One request at a time, in order; see pglite.ts for the other end.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { Row } from './database.ts';
import { PgType, parseInt8 } from './encoding.ts';
import { PgliteConnection, type WireStatement } from './pglite-connection.ts';

export type WorkerRequest = { readonly id: number } & (
  | { readonly kind: 'statements'; readonly statements: readonly WireStatement[] }
  | { readonly kind: 'copy'; readonly select: string }
  | { readonly kind: 'close' }
);

export interface WorkerAnswer {
  readonly id: number;
  readonly rows?: Row[][];
  readonly bytes?: Uint8Array;
  readonly error?: { message: string; code: string; constraint: string };
  /** With the error: the database has failed for good, and the thread ends. */
  readonly hasEnded?: true;
}

/**
 * The usual 128 MB are all written at a start, which takes half a second of it. Pages that do not fit are read from the system's own
 * cache, which costs as little as finding them here.
 */
const BUFFERS = 'shared_buffers=16MB';

const asText = (text: string) => text;

const connection = new PgliteConnection(
  await PGlite.create({
    pgliteWasmModule: workerData.program,
    dataDir: workerData.directory as string,
    startParams: [
      ...PGlite.defaultStartParams,
      ...['-c', BUFFERS],
      ...['-c', `max_files_per_process=${workerData.openFiles as number}`],
    ],
    parsers: {
      [PgType.INT8]: parseInt8,
      [PgType.NUMERIC]: BigInt,
      [PgType.JSON]: asText,
      [PgType.JSONB]: asText,
      [PgType.DATE]: asText,
      [PgType.TIMESTAMP]: asText,
      [PgType.TIMESTAMPTZ]: asText,
    },
  }),
);

async function answer(request: WorkerRequest): Promise<Omit<WorkerAnswer, 'id'>> {
  switch (request.kind) {
    case 'statements':
      return { rows: await connection.run(request.statements) };
    case 'copy':
      return { bytes: await connection.copyOut(request.select) };
    case 'close':
      await connection.close();
      return {};
  }
}

async function handle(request: WorkerRequest): Promise<void> {
  try {
    parentPort?.postMessage({ id: request.id, ...(await answer(request)) });
  } catch (error) {
    const { message = String(error), code = '', constraint = '' } = error as Record<string, string>;
    const ending = connection.hasEnded && { hasEnded: true };
    parentPort?.postMessage({ id: request.id, error: { message, code, constraint }, ...ending });
  }
  if (connection.hasEnded) process.exit();
  if (request.kind === 'close') parentPort?.close();
}

let last = Promise.resolve();
parentPort?.on('message', (request: WorkerRequest) => {
  last = last.then(() => handle(request));
});
parentPort?.postMessage({ id: 0 } satisfies WorkerAnswer);
