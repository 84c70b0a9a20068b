/**
 * A second exchange in a thread of its own: it begins from a snapshot, applies what is stored in the journal, checks each
 * batch's digest, and writes snapshots. Nothing of it is shared with the exchange that trades; see follower.ts for the
 * other end.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { FastExchange } from '@cambist/core/exchange/create-exchange.ts';
import { readSnapshot, writeSnapshot } from '@cambist/core/exchange/snapshot.ts';
import type { TransferLeg } from '@cambist/core/ledger/transfer.ts';
import { type JournalRow, SNAPSHOT_VERSION } from './journal.ts';
import { replayRow } from './recovery.ts';
import type { FollowerBase } from './restore.ts';
import { readSnapshotFile, snapshotName, writeSnapshotFile } from './snapshot-files.ts';
import type { StoredSnapshot } from './snapshot-store.ts';

export type FollowerRequest = { readonly id: number } & (
  | { readonly kind: 'apply'; readonly rows: readonly JournalRow[] }
  | { readonly kind: 'write' }
  | { readonly kind: 'legs'; readonly transferId: number }
);

export interface FollowerAnswers {
  /** Commands applied. */
  readonly apply: number;
  readonly write: StoredSnapshot & { readonly bytes: number };
  /** Of a transfer that is pending; none for another. */
  readonly legs: readonly TransferLeg[];
}

export interface FollowerAnswer {
  readonly id: number;
  readonly value?: FollowerAnswers[keyof FollowerAnswers];
  readonly error?: { readonly name: string; readonly message: string };
}

const { base, directory } = workerData as { readonly base: FollowerBase; readonly directory: string };

function begin(): FastExchange {
  const { source } = base;
  const bytes = 'bytes' in source ? source.bytes : readSnapshotFile(directory, source.file);
  const read = readSnapshot(bytes, SNAPSHOT_VERSION);
  if (read.batch !== base.batch) throw new Error(`The snapshot is of batch ${read.batch}, not ${base.batch}`);
  return read.exchange;
}

const exchange = begin();
let { batch } = base;

function apply(rows: readonly JournalRow[]): number {
  let commands = 0;
  for (const row of rows) {
    if (row.batch !== batch + 1) throw new Error(`The journal goes from batch ${batch} to ${row.batch}`);
    replayRow(exchange, row, (_batch, entries) => {
      commands += entries.length;
    });
    batch = row.batch;
  }
  return commands;
}

function write(): FollowerAnswers['write'] {
  const { stateHash, bytes } = writeSnapshot(exchange, { rules: SNAPSHOT_VERSION, batch });
  const file = snapshotName(batch, stateHash);
  writeSnapshotFile(directory, file, bytes);
  const { lastOrderId } = exchange.counters();
  return { batch, file, stateHash, lastOrderId, openOrders: exchange.openOrderCount(), bytes: bytes.length };
}

function answer(request: FollowerRequest): FollowerAnswers[keyof FollowerAnswers] {
  switch (request.kind) {
    case 'apply':
      return apply(request.rows);
    case 'write':
      return write();
    case 'legs':
      return exchange.pendingTransfers().find((one) => one.transferId === request.transferId)?.legs ?? [];
  }
}

parentPort?.on('message', (request: FollowerRequest) => {
  try {
    parentPort?.postMessage({ id: request.id, value: answer(request) } satisfies FollowerAnswer);
  } catch (error) {
    const { name, message } = error as Error;
    parentPort?.postMessage({ id: request.id, error: { name, message } } satisfies FollowerAnswer);
  }
});
parentPort?.postMessage({ id: 0 } satisfies FollowerAnswer);
