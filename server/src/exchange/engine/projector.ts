/**
 * Brings the tables up to the journal: gathers committed batches and writes them in runs. It is a few milliseconds
 * behind; whoever reads the tables for a person first waits for `caughtUp`, so everybody reads their own writes.
 */
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import { DatabaseUnavailable } from '../../platform/database.ts';
import { guarded } from '../../platform/guarded.ts';
import type { Logger } from '../../platform/logger.ts';
import type { CommittedBatch } from './feed.ts';
import { addBatch, type KeyRecord, type ProjectionRun, startRun } from './projection.ts';
import type { ProjectionStore } from './projection-store.ts';

export interface ProjectorDeps {
  readonly store: ProjectionStore;
  readonly logger: Logger;
  /** Where the tables stand. */
  readonly batch: number;
  /** Read while a batch is added: the state right after it. */
  readonly exchange: Pick<Exchange, 'counters' | 'marketState'>;
  /** How long a run gathers before it is written, unless somebody waits for it. */
  readonly gatherMs: number;
  /** A run that has gathered this many events is closed; where one connection does all, a run may not block it long. */
  readonly runEvents: number;
  readonly onFatal: (error: Error) => void;
}

export interface Projector {
  add(batch: CommittedBatch, keys: readonly KeyRecord[]): void;
  /** Resolves once the tables hold every batch added so far. Throws `DatabaseUnavailable` while they can't be written. */
  caughtUp(): Promise<void>;
  /** Does work while the tables stand still; what is committed meanwhile waits for the next run. */
  quiesced<T>(work: () => Promise<T>): Promise<T>;
  /** Events gathered and not written yet. */
  backlog(): number;
  batch(): number;
  close(): Promise<void>;
}

const RETRY_MS = 250;

export function createProjector(deps: ProjectorDeps): Projector {
  const { store, logger, exchange } = deps;
  /** Runs to be written, oldest first; the last one still gathers. */
  let runs = [startRun(deps.batch)];
  let written = deps.batch;
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let gathered = 0;
  let isAway = false;
  /** Rejects those who wait for the tables once they cannot be written. */
  const readers = new Set<(error: Error) => void>();

  async function writeRun(run: ProjectionRun): Promise<void> {
    for (;;) {
      try {
        await store.write(run);
        written = run.toBatch;
        isAway = false;
        return;
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        isAway = true;
        for (const reject of readers) reject(new DatabaseUnavailable('The database is away'));
        readers.clear();
        logger.error({ batch: run.toBatch, error: error.message }, 'The tables could not be written; trying again');
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const [run = startRun(written), ...later] = runs;
    runs = later.length > 0 ? later : [startRun(run.toBatch)];
    try {
      await writeRun(run);
    } catch (error) {
      // The journal has what the tables could not take: stop, so that it is looked at and replayed.
      deps.onFatal(error as Error);
      throw error;
    } finally {
      gathered -= run.events;
      writing = undefined;
    }
    scheduleIfNeeded();
  }

  function gathering(): ProjectionRun {
    const last = runs.at(-1) ?? startRun(written);
    if (last.events < deps.runEvents) return last;
    const next = startRun(last.toBatch);
    runs.push(next);
    return next;
  }

  const lastBatch = () => runs.at(-1)?.toBatch ?? written;

  /** A full run goes at once; one that still gathers waits a little for company. */
  function scheduleIfNeeded(): void {
    if (writing !== undefined || lastBatch() === written) return;
    if (runs.length > 1) startFlush();
    else schedule();
  }

  function schedule(): void {
    const write = () => {
      timer = undefined;
      startFlush();
    };
    timer ??= setTimeout(guarded(logger, 'projector', write), deps.gatherMs);
  }

  function startFlush(): Promise<void> {
    if (writing === undefined) {
      writing = flush();
      writing.catch(() => undefined);
    }
    return writing;
  }

  return {
    add(batch, keys) {
      addBatch(gathering(), batch, keys, exchange);
      gathered += batch.events.length;
      scheduleIfNeeded();
    },
    async caughtUp() {
      if (isAway) throw new DatabaseUnavailable('The database is away');
      const target = lastBatch();
      if (written >= target) return;
      await new Promise<void>((resolve, reject) => {
        readers.add(reject);
        const reached = async () => {
          while (written < target) await startFlush();
        };
        reached()
          .then(resolve, reject)
          .finally(() => readers.delete(reject));
      });
    },
    async quiesced(work) {
      while (writing !== undefined) await writing;
      const result = work();
      writing = result.then(
        () => undefined,
        () => undefined,
      );
      try {
        return await result;
      } finally {
        writing = undefined;
        scheduleIfNeeded();
      }
    },
    backlog: () => gathered,
    batch: () => written,
    async close() {
      while (written < lastBatch()) await startFlush();
      clearTimeout(timer);
    },
  };
}
