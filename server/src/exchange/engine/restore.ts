/**
 * Memory from the store at a start: the newest snapshot that the tables can follow, with the journal up to the tables;
 * else the one before; else the tables. A snapshot is only a quicker way to the state that the tables have: where it
 * does not lead there, it is refused, and the reason is kept for the operator.
 */
import { createExchange, type FastExchange } from '@cambist/core/exchange/create-exchange.ts';
import type { Counters } from '@cambist/core/exchange/exchange.ts';
import { readSnapshot, SnapshotRefused, writeSnapshot } from '@cambist/core/exchange/snapshot.ts';
import { OrderViews } from '@cambist/core/orders/order-view.ts';
import { type Database, DatabaseUnavailable } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { SNAPSHOT_VERSION } from './journal.ts';
import type { JournalStore } from './journal-store.ts';
import type { ProjectionPart } from './projection.ts';
import { replayJournal } from './recovery.ts';
import { readProgress } from './recovery-store.ts';
import { readSnapshotFile } from './snapshot-files.ts';
import type { SnapshotStore, StoredSnapshot } from './snapshot-store.ts';

/** A state from which a second computation begins. */
export interface FollowerBase {
  /** The last batch that it holds. */
  readonly batch: number;
  /** A file in the folder of snapshots, or the bytes of one. */
  readonly source: { readonly file: string } | { readonly bytes: Uint8Array };
}

export interface RefusedSnapshot {
  readonly batch: number;
  readonly reason: string;
}

export interface RestoreDeps {
  readonly database: Database;
  readonly parts: readonly ProjectionPart[];
  readonly journal: Pick<JournalStore, 'readAfter'>;
  readonly snapshots: SnapshotStore;
  /** The folder of snapshots. */
  readonly directory: string;
  readonly logger: Logger;
}

export interface Restored {
  readonly exchange: FastExchange;
  readonly views: OrderViews;
  /** The batch that the tables hold, and memory with them. */
  readonly batch: number;
  /** What memory came from; undefined for the tables. */
  readonly snapshot: FollowerBase | undefined;
  readonly refused: readonly RefusedSnapshot[];
}

/**
 * Orders since a snapshot that are replayed sooner than the tables are read: reading an order from them takes about
 * twice as long as its place and cancel from the journal; the fixed part is what a small exchange replays in no time.
 */
const REPLAYED_SOONER = { always: 10_000, ofOpenOrders: 0.5 };

async function restoreExchange(database: Database, parts: readonly ProjectionPart[], counters: Counters) {
  const exchange = createExchange();
  for (const part of parts) await part.restore?.(database, exchange);
  exchange.restoreCounters(counters);
  return exchange;
}

/** An exchange from the tables alone, and the batch that they hold. */
export async function restoreFromTables(
  database: Database,
  parts: readonly ProjectionPart[],
): Promise<{ readonly exchange: FastExchange; readonly batch: number }> {
  const { batch, counters } = await readProgress(database);
  return { exchange: await restoreExchange(database, parts, counters), batch };
}

const text = (counters: Counters) => Object.values(counters).join(', ');

/** @throws where the file is not what its row says, or does not lead to where the tables are */
async function restoreFromSnapshot(
  { journal, directory }: RestoreDeps,
  { batch, file, stateHash }: StoredSnapshot,
  tables: { readonly batch: number; readonly counters: Counters },
): Promise<FastExchange> {
  const read = readSnapshot(readSnapshotFile(directory, file), SNAPSHOT_VERSION);
  if (read.batch !== batch || read.stateHash !== stateHash) {
    throw new SnapshotRefused(
      `The file is of batch ${read.batch} and state ${read.stateHash}, its row of ${stateHash}`,
    );
  }
  const { exchange } = read;
  const last = await replayJournal(journal, exchange, batch, () => undefined, tables.batch);
  const [found, expected] = [text(exchange.counters()), text(tables.counters)];
  if (last !== tables.batch) throw new SnapshotRefused(`The journal after it ends at batch ${last}`);
  if (found !== expected) throw new SnapshotRefused(`It leads to the counters ${found}, the tables have ${expected}`);
  return exchange;
}

/** Restores memory as it was at the batch of the tables. */
export async function restoreMemory(deps: RestoreDeps): Promise<Restored> {
  const { database, parts, snapshots, logger } = deps;
  const tables = await readProgress(database);
  const { batch, counters } = tables;
  const views = new OrderViews();
  for (const part of parts) await part.restoreViews?.(database, views);
  const refused: RefusedSnapshot[] = [];
  for (const one of await snapshots.upTo(batch)) {
    const since = counters.lastOrderId - one.lastOrderId;
    if (since > REPLAYED_SOONER.always + one.openOrders * REPLAYED_SOONER.ofOpenOrders) {
      logger.info({ batch: one.batch, ordersSince: since }, 'The tables are read sooner than the journal is replayed');
      break;
    }
    try {
      const exchange = await restoreFromSnapshot(deps, one, tables);
      return { exchange, views, batch, snapshot: { batch: one.batch, source: { file: one.file } }, refused };
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      const reason = (error as Error).message;
      logger.error({ batch: one.batch, file: one.file, reason }, 'A snapshot was refused');
      refused.push({ batch: one.batch, reason });
    }
  }
  return { exchange: await restoreExchange(database, parts, counters), views, batch, snapshot: undefined, refused };
}

/** What a second computation begins from when there is no snapshot: the state as it is now, at the end of a batch. */
export function baseOf(exchange: FastExchange, batch: number): FollowerBase {
  return { batch, source: { bytes: writeSnapshot(exchange, { rules: SNAPSHOT_VERSION, batch }).bytes } };
}
