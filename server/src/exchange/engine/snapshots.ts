/**
 * A second computation of the whole state, and snapshots of it. It begins lazily and follows what is stored in the
 * journal, some seconds behind: each batch that it agrees with was computed twice from what was written. Snapshots are
 * written from it, so that trading never waits for one. What goes wrong here is an alarm, and nothing more.
 */
import { join } from 'node:path';
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import { DatabaseUnavailable } from '../../platform/database.ts';
import { guarded } from '../../platform/guarded.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Follower, startFollower } from './follower.ts';
import { type JournalRow, SNAPSHOT_VERSION } from './journal.ts';
import type { JournalStore } from './journal-store.ts';
import type { FollowerBase } from './restore.ts';
import { removeSnapshotFiles } from './snapshot-files.ts';
import type { SnapshotStore } from './snapshot-store.ts';

export interface SnapshotsDeps {
  readonly journal: Pick<JournalStore, 'readAfter'>;
  readonly store: SnapshotStore;
  /** The batch of the newest snapshot that can be used; 0 without one. */
  readonly newest: number;
  readonly directory: string;
  /** The batch that the tables hold: no snapshot may be ahead of them. */
  readonly projected: () => number;
  readonly memory: Pick<Exchange, 'openOrderCount' | 'openPositionCount' | 'stateHash'>;
  readonly raise: (kind: string, detail: string) => Promise<void>;
  readonly clock: { now(): number };
  readonly logger: Logger;
  /** How often the second computation catches up. */
  readonly followMs: number;
  /** A snapshot is written this often while something changes. */
  readonly everyMs: number;
}

export interface SnapshotFigures {
  /** The last batch that was computed a second time with the same result; 0 before the first. */
  readonly verifiedBatch: number;
  /** Of the newest snapshot; 0 without one. */
  readonly snapshotBatch: number;
  readonly snapshotFailures: number;
}

/**
 * Journal rows read at once: as many as are likely to have so many characters, because the embedded database does
 * nothing else meanwhile. After each page follows a rest for every millisecond that it took.
 */
const PAGE = { first: 20, most: 100, characters: 250_000 };
const REST_MS = 4;
/** With more commands than these since the last snapshot, a start would replay for long: it is written early. */
const EARLY = { commands: 50_000, ofOpenOrders: 0.25, leastMs: 30_000 };
/** At the end a snapshot is worth a worker of its own from so many open orders and positions on. */
const WORTH_RECORDS = 10_000;
/** The process has ten seconds to end in, and the next start can do without. */
const CLOSE_PATIENCE_MS = 6_000;
/** After a failure that a new attempt may mend. */
const RETRY_MS = 30_000;

const patience = () => new Promise((resolve) => setTimeout(resolve, CLOSE_PATIENCE_MS).unref());
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function pageAfter(rows: readonly JournalRow[]): number {
  const characters = rows.reduce((sum, { commands }) => sum + commands.length, 1);
  return Math.max(1, Math.min(PAGE.most, Math.floor((PAGE.characters * rows.length) / characters)));
}

/** What is stored does not lead to what memory has. */
class Disagreement extends Error {}

export class Snapshots {
  readonly #deps: SnapshotsDeps;
  #base: FollowerBase;
  #follower: Follower | undefined;
  #verified = 0;
  #written: { readonly batch: number; readonly at: number };
  #page = PAGE.first;
  #commands = 0;
  #failures = 0;
  #triedAt = Number.NEGATIVE_INFINITY;
  /** Two computations do not agree: nothing more is verified by this process. */
  #isOver = false;
  #isClosing = false;
  #isEnded = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  /** @param base what the second computation begins from; kept until a file can take its place */
  constructor(deps: SnapshotsDeps, base: FollowerBase) {
    this.#deps = deps;
    this.#base = base;
    this.#written = { batch: deps.newest, at: performance.now() };
  }

  start(): void {
    const { logger, followMs } = this.#deps;
    const pass = () => this.follow().finally(() => this.#timer && this.start());
    this.#timer = setTimeout(guarded(logger, 'snapshots', pass), followMs).unref();
  }

  figures(): SnapshotFigures {
    return { verifiedBatch: this.#verified, snapshotBatch: this.#written.batch, snapshotFailures: this.#failures };
  }

  /** Catches up with the tables, and writes a snapshot when it is time; joins the pass that runs. */
  follow(): Promise<void> {
    if (this.#isClosing) return Promise.resolve();
    this.#running ??= this.#pass(false).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Writes a snapshot now if something has changed since the last one. */
  async write(): Promise<void> {
    await this.#running;
    this.#running = this.#pass(true).finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  /**
   * The newest snapshot's file, once what has changed since the one before is in it. Undefined while there is none.
   * Of two snapshots the older one's file is removed when a third is written.
   */
  async current(): Promise<{ readonly path: string; readonly rules: number } | undefined> {
    await this.write();
    const { source } = this.#base;
    if (!('file' in source)) return undefined;
    return { path: join(this.#deps.directory, source.file), rules: SNAPSHOT_VERSION };
  }

  /**
   * The legs of a transfer that is pending in the second computation, once that has come to a batch; none for one that
   * it does not have. Undefined while it is behind; it is on its way then.
   */
  async pendingLegs(transferId: number, batch: number) {
    if (this.#follower !== undefined && this.#verified >= batch) return this.#follower.pendingLegs(transferId);
    void this.follow();
    return undefined;
  }

  /** Ends with a snapshot of the last batch where that is cheap, or worth it. Call it when nothing is written any more. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isClosing = true;
    await Promise.race([this.#finish(), patience()]);
    this.#isEnded = true;
    await this.end();
  }

  async #finish(): Promise<void> {
    const { projected, memory } = this.#deps;
    await this.#running;
    const isWorthIt =
      this.#follower !== undefined || memory.openOrderCount() + memory.openPositionCount() >= WORTH_RECORDS;
    if (isWorthIt && projected() > this.#written.batch) await this.#pass(true);
  }

  async #pass(isAsked: boolean): Promise<void> {
    const { projected, logger } = this.#deps;
    if (this.#isOver || (!isAsked && performance.now() - this.#triedAt < RETRY_MS)) return;
    try {
      const target = projected();
      if (target > this.#verified) await this.#catchUp(target);
      if (isAsked ? this.#verified > this.#written.batch : this.#isDue()) await this.#write();
      this.#triedAt = Number.NEGATIVE_INFINITY;
    } catch (error) {
      // It had its time.
      if (this.#isEnded) return;
      if (error instanceof DatabaseUnavailable) {
        logger.warn({ error: error.message }, 'The second computation waits for the database');
        return;
      }
      this.#triedAt = performance.now();
      this.#isOver = error instanceof Disagreement;
      if (this.#isOver) await this.end();
      await this.#fail(
        this.#isOver ? 'second-computation-disagrees' : 'snapshot-not-written',
        (error as Error).message,
      );
    }
  }

  async #catchUp(target: number): Promise<void> {
    const { journal, directory } = this.#deps;
    if (this.#follower?.hasEnded()) await this.end();
    this.#follower ??= await startFollower(this.#base, directory);
    const follower = this.#follower;
    // The process may have run out of patience while it started.
    if (this.#isEnded) await this.end();
    this.#verified = follower.batch();
    while (this.#verified < target) {
      const started = performance.now();
      const rows = await journal.readAfter(this.#verified, Math.min(this.#page, target - this.#verified));
      if (rows.length === 0) throw new Error(`The journal has nothing after batch ${this.#verified}`);
      this.#page = pageAfter(rows);
      this.#commands += await follower.apply(rows).catch((error: Error) => {
        // A worker that has died says nothing of the journal.
        throw follower.hasEnded() ? error : new Disagreement(error.message);
      });
      this.#verified = follower.batch();
      // Others come first while there is trading.
      if (!this.#isClosing) await sleep((performance.now() - started) * REST_MS);
    }
  }

  #isDue(): boolean {
    const { everyMs, memory } = this.#deps;
    const { batch, at } = this.#written;
    if (this.#verified <= batch) return false;
    const sinceMs = performance.now() - at;
    const isFar = this.#commands > EARLY.commands + memory.openOrderCount() * EARLY.ofOpenOrders;
    return batch === 0 || sinceMs >= everyMs || (isFar && sinceMs >= EARLY.leastMs);
  }

  async #write(): Promise<void> {
    const { store, directory, memory, projected, clock, logger } = this.#deps;
    const follower = this.#follower;
    if (follower === undefined) return;
    const started = performance.now();
    const { bytes, ...snapshot } = await follower.write();
    const { batch, stateHash } = snapshot;
    // At the end memory is at the same batch, and has the time to say so.
    if (this.#isClosing && batch === projected() && memory.stateHash() !== stateHash) {
      throw new Disagreement(`At batch ${batch} memory has state ${memory.stateHash()} and not ${stateHash}`);
    }
    const { kept, forgotten } = await store.add(snapshot, clock.now());
    this.#written = { batch, at: performance.now() };
    this.#commands = 0;
    this.#base = { batch, source: { file: snapshot.file } };
    removeSnapshotFiles(directory, kept, forgotten);
    const tookMs = Math.round(performance.now() - started);
    logger.info({ batch, stateHash, openOrders: snapshot.openOrders, bytes, tookMs }, 'A snapshot is written');
  }

  async #fail(kind: string, detail: string): Promise<void> {
    const { raise, logger } = this.#deps;
    this.#failures += 1;
    logger.error({ kind, detail }, 'ALARM: the second computation or its snapshot failed');
    await raise(kind, detail).catch((err: unknown) => logger.warn({ err, kind }, 'An alarm could not be kept'));
  }

  /** Ends the second computation where it is. */
  async end(): Promise<void> {
    await this.#follower?.end();
    this.#follower = undefined;
  }
}
