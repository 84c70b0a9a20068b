/**
 * Brings the tables up to the journal: gathers committed batches and writes them in runs, some hundred milliseconds behind. A
 * reader of the tables first waits for `caughtUp`, so that every client reads its own writes.
 */
import { DatabaseUnavailable } from '../../platform/database.ts';
import { guarded } from '../../platform/guarded.ts';
import type { Logger } from '../../platform/logger.ts';
import type { CommittedBatch } from './feed.ts';
import { type KeyRecord, type ProjectionPart, ProjectionRun } from './projection.ts';
import type { ProjectionStore } from './projection-store.ts';

export interface ProjectorDeps {
  readonly store: ProjectionStore;
  readonly parts: readonly ProjectionPart[];
  readonly logger: Logger;
  /** The batch that the tables hold. */
  readonly batch: number;
  /** How long a run gathers before it is written, unless a reader waits for it or it is full. */
  readonly gatherMs: number;
  /** A run that has gathered this many words of events is full; where one connection does all, a run may not block it. */
  readonly runSize: number;
  readonly onFatal: (error: Error) => void;
}

const RETRY_MS = 250;

export class Projector {
  readonly #deps: ProjectorDeps;
  /** Runs to be written, oldest first; the last one still gathers. */
  #runs: ProjectionRun[];
  #written: number;
  #writing: Promise<void> | undefined;
  #writingSince = 0;
  #timer: NodeJS.Timeout | undefined;
  /** What is scheduled waits for nothing. */
  #isNext = false;
  #gathered = 0;
  #isAway = false;
  /** Reject those who wait for the tables once they cannot be written. */
  readonly #readers = new Set<(error: Error) => void>();
  #isHeld = true;

  /** Gathers, and writes nothing until `start`: a journal that can't be replayed to its end leaves the tables alone. */
  constructor(deps: ProjectorDeps) {
    this.#deps = deps;
    this.#written = deps.batch;
    this.#runs = [new ProjectionRun(deps.batch, deps.parts)];
  }

  start(): void {
    this.#isHeld = false;
    this.#scheduleIfNeeded();
  }

  add(batch: CommittedBatch, keys: readonly KeyRecord[]): void {
    this.#gathering().add(batch, keys);
    this.#gathered += batch.events.end;
    this.#scheduleIfNeeded();
  }

  /** Resolves once the tables hold every batch added so far. @throws DatabaseUnavailable while they can't be written */
  async caughtUp(): Promise<void> {
    if (this.#isAway) throw new DatabaseUnavailable('The database is away');
    const target = this.#lastBatch();
    if (this.#written >= target) return;
    await new Promise<void>((resolve, reject) => {
      this.#readers.add(reject);
      const reached = async () => {
        while (this.#written < target) await this.#startFlush();
      };
      reached()
        .then(resolve, reject)
        .finally(() => this.#readers.delete(reject));
    });
  }

  /** Words of events gathered and not written yet. */
  backlog(): number {
    return this.#gathered;
  }

  /** How long the run that is being written has been. */
  writingForMs(): number {
    return this.#writing === undefined ? 0 : performance.now() - this.#writingSince;
  }

  /** The batch that the tables hold. */
  batch(): number {
    return this.#written;
  }

  async close(): Promise<void> {
    while (this.#written < this.#lastBatch()) await this.#startFlush();
    this.#unschedule();
  }

  #lastBatch(): number {
    return this.#runs.at(-1)?.toBatch ?? this.#written;
  }

  #gathering(): ProjectionRun {
    const last = this.#runs.at(-1)!;
    if (last.size < this.#deps.runSize) return last;
    const next = new ProjectionRun(last.toBatch, this.#deps.parts);
    this.#runs.push(next);
    return next;
  }

  async #flush(): Promise<void> {
    this.#unschedule();
    const [run, ...later] = this.#runs as [ProjectionRun, ...ProjectionRun[]];
    this.#runs = later.length > 0 ? later : [new ProjectionRun(run.toBatch, this.#deps.parts)];
    try {
      await this.#write(run);
    } catch (error) {
      // The journal has what the tables could not take: stop, so that it is looked at and replayed.
      this.#deps.onFatal(error as Error);
      throw error;
    } finally {
      this.#gathered -= run.size;
      this.#writing = undefined;
    }
    this.#scheduleIfNeeded();
  }

  async #write(run: ProjectionRun): Promise<void> {
    const { store, logger } = this.#deps;
    for (;;) {
      try {
        await store.write(run);
        this.#written = run.toBatch;
        this.#isAway = false;
        run.release();
        return;
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        if (!this.#isAway)
          logger.error({ batch: run.toBatch, error: error.message }, 'The tables could not be written; trying again');
        this.#isAway = true;
        for (const reject of this.#readers) reject(new DatabaseUnavailable('The database is away'));
        this.#readers.clear();
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** A full one is written next; never in the turn in which its batches are to be answered. */
  #scheduleIfNeeded(): void {
    if (this.#isHeld || this.#writing !== undefined || this.#lastBatch() === this.#written) return;
    const { logger, gatherMs, runSize } = this.#deps;
    const isNext = this.#gathered >= runSize;
    if (isNext && !this.#isNext) this.#unschedule();
    this.#isNext = isNext;
    const write = () => void this.#startFlush();
    this.#timer ??= setTimeout(guarded(logger, 'projector', write), isNext ? 0 : gatherMs);
  }

  #unschedule(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isNext = false;
  }

  #startFlush(): Promise<void> {
    if (this.#writing === undefined) {
      this.#writingSince = performance.now();
      this.#writing = this.#flush();
      this.#writing.catch(() => undefined);
    }
    return this.#writing;
  }
}
