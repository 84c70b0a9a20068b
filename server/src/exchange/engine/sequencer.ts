/**
 * The one writer. Commands wait in a bounded queue; a batch of them is applied in memory, written to the journal in
 * one commit, and only then answered and published. Nobody ever sees what could be lost.
 *
 * Memory is ahead of the store only between apply and commit, and never behind: a commit that fails for want of a
 * database is tried again under the same batch number, so a lost acknowledgement cannot apply a batch twice. Past the
 * patience, the process stops rather than guess; its successor starts from what was committed.
 */
import type { Command } from '@cambist/core/exchange/command.ts';
import type { Outcome } from '@cambist/core/terms/outcome.ts';
import type { ExchangeEvent } from '@cambist/core/events/event.ts';
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import { DatabaseUnavailable } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { type CommandKey, encodeEntries } from './codec.ts';
import type { BatchFeed, CommittedBatch, Submission, Submitted } from './feed.ts';
import type { JournalStore } from './journal-store.ts';
import type { KeyRecord } from './projection.ts';

export interface SequencerDeps {
  readonly exchange: Exchange;
  readonly journal: JournalStore;
  readonly clock: { now(): number };
  readonly logger: Logger;
  /** The batch number that the tables and the replayed journal end with. */
  readonly lastBatch: number;
  readonly lastTime: number;
  readonly limits: {
    /** Commands waiting. */
    readonly queue: number;
    /** Commands in one commit. */
    readonly batch: number;
    /** Events that the tables may be behind. */
    readonly backlog: number;
    /** How long a batch is retried while the database is away. */
    readonly unavailableMs: number;
  };
  /** Events that the tables are behind. */
  readonly backlog: () => number;
  /** Called for each committed batch before anybody is told. */
  readonly onCommitted: (batch: CommittedBatch, keys: readonly KeyRecord[]) => void;
  /** Called when memory and store can no longer be brought together: the process must end. */
  readonly onFatal: (error: Error) => void;
}

/** The queue is full: come back in a moment. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/** The store cannot be reached, or the process is going down: nothing was accepted. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

export interface SubmittedWithEvents extends Submitted {
  readonly events: readonly ExchangeEvent[];
  readonly time: number;
}

export interface SequencerStatistics {
  readonly batches: number;
  readonly commands: number;
  readonly queued: number;
  readonly lastBatch: number;
  readonly available: boolean;
}

export interface RunningSequencer extends BatchFeed {
  submit(submission: Submission, key?: CommandKey): Promise<SubmittedWithEvents>;
  /** Resolves once everything that memory holds now is committed. Throws `Unavailable` while that can't be known. */
  settled(): Promise<void>;
  statistics(): SequencerStatistics;
  /** Takes no more commands and waits for those in hand. */
  close(): Promise<void>;
}

interface Pending {
  readonly submission: Submission;
  readonly key: CommandKey | undefined;
  resolve(value: SubmittedWithEvents): void;
  reject(error: Error): void;
}

interface Applied {
  readonly pending: Pending;
  readonly command: Command;
  readonly outcome: Outcome;
  readonly events: readonly ExchangeEvent[];
}

const RETRY_MS = 250;

function orderIdOf(command: Command): number {
  return 'orderId' in command ? command.orderId : 0;
}

export function createSequencer(deps: SequencerDeps): RunningSequencer {
  const { exchange, journal, clock, logger, limits } = deps;
  const listeners = new Set<(batch: CommittedBatch) => void>();
  let queue: Pending[] = [];
  let running: Promise<void> | undefined;
  /** The batch that memory has and the store may not have yet. */
  let inHand: Promise<void> | undefined;
  let lastBatch = deps.lastBatch;
  let lastTime = deps.lastTime;
  let lastOrderId = exchange.counters().lastOrderId;
  let commands = 0;
  let available = true;
  /** Rejects those who wait for the batch in hand. */
  const readers = new Set<(error: Error) => void>();
  let open = true;

  function toCommand(submission: Submission): Command {
    if (submission.kind !== 'place-order' && submission.kind !== 'place-conditional-order') return submission;
    lastOrderId += 1;
    return { ...submission, orderId: lastOrderId };
  }

  function apply(pending: Pending): Applied {
    const command = toCommand(pending.submission);
    const outcome = exchange.apply(lastTime, command);
    return { pending, command, outcome, events: exchange.takeEvents() };
  }

  /** Writes the batch, however often it takes. Throws when it cannot be known or another process has the number. */
  async function commit(batch: number, text: string): Promise<void> {
    const deadline = performance.now() + limits.unavailableMs;
    for (;;) {
      try {
        if (await journal.append(batch, lastTime, text)) {
          if (!available) logger.info({ batch }, 'The database is back');
          available = true;
          return;
        }
        throw new Error(`Batch ${batch} was written by another process: this one must not go on`);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || performance.now() > deadline) throw error;
        if (available) logger.error({ batch, error: error.message }, 'The database is away; the batch will be retried');
        becomeUnavailable();
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  async function runBatch(pendings: readonly Pending[]): Promise<void> {
    lastTime = Math.max(lastTime, clock.now());
    const batch = lastBatch + 1;
    const applied = pendings.map(apply);
    await commit(batch, encodeEntries(applied.map(({ command, pending }) => ({ command, key: pending.key }))));
    lastBatch = batch;
    commands += applied.length;
    const published = { batch, time: lastTime, events: applied.flatMap(({ events }) => events) };
    deps.onCommitted(published, keysOf(applied, batch));
    publish(published);
    for (const { pending, command, outcome, events } of applied) {
      pending.resolve({ outcome, orderId: orderIdOf(command), batch, time: lastTime, events });
    }
  }

  function keysOf(applied: readonly Applied[], batch: number): KeyRecord[] {
    return applied.flatMap(({ pending, command, outcome }) => {
      if (pending.key === undefined || !('owner' in command)) return [];
      const reason = outcome.ok ? '' : outcome.reason;
      return [{ owner: command.owner, ...pending.key, orderId: orderIdOf(command), batch, reason, time: lastTime }];
    });
  }

  function publish(batch: CommittedBatch): void {
    for (const listener of listeners) {
      try {
        listener(batch);
      } catch (error) {
        // What is committed stays committed: a listener's defect may not undo the answer.
        logger.error({ batch: batch.batch, err: error }, 'A listener of the batch feed failed');
      }
    }
  }

  /** What is not applied yet need not wait for the database, nor a reader for the batch in hand: both are told now. */
  function becomeUnavailable(): void {
    available = false;
    const away = new Unavailable('The database is away');
    for (const pending of queue) pending.reject(away);
    queue = [];
    for (const reject of readers) reject(away);
    readers.clear();
  }

  function failAll(error: Error): void {
    open = false;
    becomeUnavailable();
    deps.onFatal(error);
  }

  async function run(): Promise<void> {
    // Whatever else arrived in the same turn of the event loop joins the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const pendings = queue.length <= limits.batch ? queue : queue.slice(0, limits.batch);
      queue = queue.length <= limits.batch ? [] : queue.slice(limits.batch);
      try {
        inHand = runBatch(pendings);
        await inHand;
      } catch (error) {
        for (const pending of pendings) pending.reject(new Unavailable('It is not known whether this was accepted'));
        failAll(error as Error);
      }
      inHand = undefined;
    }
    running = undefined;
  }

  return {
    submit(submission, key) {
      if (!open) return Promise.reject(new Unavailable('The exchange is stopping'));
      if (!available) return Promise.reject(new Unavailable('The database is away'));
      if (queue.length >= limits.queue || deps.backlog() > limits.backlog) {
        return Promise.reject(new Overloaded('Too many orders are waiting'));
      }
      return new Promise((resolve, reject) => {
        queue.push({ submission, key, resolve, reject });
        running ??= run();
      });
    },
    async settled() {
      if (!available) throw new Unavailable('The database is away');
      const batch = inHand;
      if (batch === undefined) return;
      await new Promise<void>((resolve, reject) => {
        readers.add(reject);
        batch.then(resolve, reject).finally(() => readers.delete(reject));
      });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    statistics: () => ({ batches: lastBatch, commands, queued: queue.length, lastBatch, available }),
    async close() {
      open = false;
      await running;
    },
  };
}
