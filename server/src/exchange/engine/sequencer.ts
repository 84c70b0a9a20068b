/**
 * The one writer. Commands wait in a bounded queue; a batch of them is applied in memory, written to the journal in
 * one commit, and only then answered and published. While a batch commits, commands that arrive are applied to the next
 * one, which is closed when the commit is done: batches are committed, answered and published in their order.
 *
 * Memory is ahead of the store only between apply and commit, and never behind: a commit that fails for want of a
 * database is tried again under the same batch number, so a lost acknowledgement cannot apply a batch twice. Past the
 * patience, the process stops rather than guess; its successor starts from what was committed.
 */
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import type { Command } from '@cambist/core/exchange/command.ts';
import { propertiesOf } from '@cambist/core/exchange/command-codec.ts';
import type { FastExchange } from '@cambist/core/exchange/create-exchange.ts';
import { digestOf } from '@cambist/core/exchange/digest.ts';
import type { Counters } from '@cambist/core/exchange/exchange.ts';
import type { OrderView, OrderViews } from '@cambist/core/orders/order-view.ts';
import type { Outcome } from '@cambist/core/terms/outcome.ts';
import { DatabaseUnavailable } from '../../platform/database.ts';
import { guarded } from '../../platform/guarded.ts';
import type { Logger } from '../../platform/logger.ts';
import { AcknowledgementTimes } from './acknowledgement-times.ts';
import { closedParts } from './closed-parts.ts';
import {
  type BatchFeed,
  type CommittedBatch,
  NotAccepted,
  OutcomeUnknown,
  type Submission,
  type Submitted,
  type Sequencer as Submitter,
} from './feed.ts';
import { type CommandKey, encodeEntries } from './journal.ts';
import type { JournalStore } from './journal-store.ts';
import type { KeyRecord } from './projection.ts';

export interface SequencerDeps {
  readonly exchange: FastExchange;
  readonly journal: Pick<JournalStore, 'append'>;
  readonly views: OrderViews;
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
  /** Called for each committed batch before any listener. */
  readonly onCommitted: (batch: CommittedBatch, keys: readonly KeyRecord[]) => void;
  /** Called when memory and store can no longer be brought together: the process must end. */
  readonly onFatal: (error: Error) => void;
}

export interface SequencerStatistics {
  readonly batches: number;
  readonly commands: number;
  readonly queued: number;
  readonly lastBatch: number;
  readonly available: boolean;
}

interface Pending {
  readonly submission: Submission;
  readonly key: CommandKey | undefined;
  /** Of a monotonic clock, ms. */
  readonly arrivedAt: number;
  resolve(value: Submitted): void;
  reject(error: Error): void;
}

interface Applied {
  readonly pending: Pending;
  readonly command: Command;
  readonly outcome: Outcome;
  /** Ends of the command's events in those of its batch. */
  readonly start: number;
  readonly end: number;
}

/** A batch that commands are applied to. */
interface OpenBatch {
  readonly batch: number;
  readonly time: number;
  readonly applied: Applied[];
}

interface SealedBatch extends OpenBatch {
  readonly events: EventBatch;
  readonly counters: Counters;
  readonly commands: string;
  readonly digest: string;
}

const RETRY_MS = 250;
const AWAY_SECONDS = 2;
/** How long who asks for a command waits for a database that is away. */
const PATIENCE_MS = 2_000;

/** Of the order or transfer that a command names; 0 for others. */
function idOf(command: Command): number {
  if ('orderId' in command) return command.orderId;
  return 'transferId' in command ? command.transferId : 0;
}

export class Sequencer implements BatchFeed, Submitter {
  readonly #deps: SequencerDeps;
  readonly #listeners = new Set<(batch: CommittedBatch) => void>();
  /** Reject those who wait for what memory holds to be committed. */
  readonly #readers = new Set<(error: Error) => void>();
  /** Reject those who would rather ask again than wait for a database that is away. */
  readonly #impatient = new Set<(error: Error) => void>();
  #patience: NodeJS.Timeout | undefined;
  #queue: Pending[] = [];
  #isScheduled = false;
  /** Of every order, whoever placed it. */
  readonly acknowledgements = new AcknowledgementTimes();
  /** What memory has and the store may not have yet: the batch that commits, and the one behind it. */
  #committing: SealedBatch | undefined;
  #open: OpenBatch | undefined;
  /** Called once nothing is queued, open or committing. */
  readonly #onIdle: (() => void)[] = [];
  #appliedBatch: number;
  #committedBatch: number;
  #lastTime: number;
  #lastOrderId: number;
  #lastTransferId: number;
  #commands = 0;
  #isAvailable = true;
  #isOpen = true;

  constructor(deps: SequencerDeps) {
    this.#deps = deps;
    this.#appliedBatch = deps.lastBatch;
    this.#committedBatch = deps.lastBatch;
    this.#lastTime = deps.lastTime;
    const { lastOrderId, lastTransferId } = deps.exchange.counters();
    this.#lastOrderId = lastOrderId;
    this.#lastTransferId = lastTransferId;
  }

  submit(submission: Submission, key?: CommandKey): Promise<Submitted> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      this.#queue.push({ submission, key, arrivedAt: performance.now(), resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves once everything that memory holds now is committed. @throws NotAccepted while that can't be known */
  async settled(): Promise<void> {
    if (!this.#isAvailable) throw new NotAccepted('The database is away', AWAY_SECONDS);
    const target = this.#appliedBatch;
    if (this.#committedBatch >= target) return;
    await new Promise<void>((resolve, reject) => {
      this.#readers.add(reject);
      const unsubscribe = this.#onCommitted(target, () => {
        this.#readers.delete(reject);
        unsubscribe();
        resolve();
      });
    });
  }

  /**
   * Resolves as the work does that waits for a command, unless the database stays away meanwhile. What was applied then is
   * committed with the batch in hand, so who asks again under its key is given its answer.
   * @throws OutcomeUnknown
   */
  answered<Value>(work: Promise<Value>): Promise<Value> {
    if (!this.#isAvailable) this.#limitPatience();
    // Every order passes here, and `Promise.race` would make it several promises more.
    return new Promise((resolve, reject) => {
      this.#impatient.add(reject);
      const end =
        <Result>(tell: (result: Result) => void) =>
        (result: Result) => {
          this.#impatient.delete(reject);
          tell(result);
        };
      work.then(end(resolve), end(reject));
    });
  }

  #limitPatience(): void {
    const end = () => {
      this.#patience = undefined;
      if (this.#isAvailable) return;
      for (const reject of this.#impatient) reject(new OutcomeUnknown('The database is away'));
    };
    this.#patience ??= setTimeout(guarded(this.#deps.logger, 'patience', end), PATIENCE_MS).unref();
  }

  subscribe(listener: (batch: CommittedBatch) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The newest batch that memory holds; it may not be committed yet. */
  get appliedBatch(): number {
    return this.#appliedBatch;
  }

  get committedBatch(): number {
    return this.#committedBatch;
  }

  /** How far the journal is ahead of the clock, ms. Until it is not, the engine's time stands still. */
  readonly pinnedMs = (): number => Math.max(0, this.#lastTime - this.#deps.clock.now());

  statistics(): SequencerStatistics {
    const lastBatch = this.#committedBatch;
    const queued = this.#queue.length;
    return { batches: lastBatch, commands: this.#commands, queued, lastBatch, available: this.#isAvailable };
  }

  /** Takes no more commands and waits for those in hand. */
  async close(): Promise<void> {
    this.#isOpen = false;
    if (this.#isIdle()) return;
    await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  #isIdle(): boolean {
    return this.#queue.length === 0 && this.#open === undefined && this.#committing === undefined;
  }

  #refusal(): NotAccepted | undefined {
    if (!this.#isOpen) return new NotAccepted('The exchange is stopping', AWAY_SECONDS);
    if (!this.#isAvailable) return new NotAccepted('The database is away', AWAY_SECONDS);
    const { limits, backlog } = this.#deps;
    const isFull = this.#queue.length >= limits.queue || backlog() > limits.backlog;
    return isFull ? new NotAccepted('Too many orders are waiting') : undefined;
  }

  /** Calls once a batch is committed. */
  #onCommitted(batch: number, call: () => void): () => void {
    return this.subscribe(() => {
      if (this.#committedBatch >= batch) call();
    });
  }

  /** Whatever else arrives in the same turn of the event loop is applied together. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#advance();
    });
  }

  /** Applies what is queued, and begins a commit if none is under way. */
  #advance(): void {
    if (this.#committing === undefined || this.#isAvailable) this.#applyQueued();
    if (this.#committing === undefined && this.#open !== undefined) this.#startCommit(this.#open);
    if (!this.#isIdle()) return;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  #applyQueued(): void {
    const { limits } = this.#deps;
    const room = limits.batch - (this.#open?.applied.length ?? 0);
    const pendings = this.#queue.length <= room ? this.#queue : this.#queue.slice(0, room);
    this.#queue = this.#queue.length <= room ? [] : this.#queue.slice(room);
    if (pendings.length === 0) return;
    try {
      this.#open ??= this.#openBatch();
      for (const pending of pendings) this.#open.applied.push(this.#apply(pending, this.#open.time));
    } catch (error) {
      // A broken invariant: memory can't be trusted any more. None of these reaches the journal.
      for (const pending of pendings) pending.reject(new NotAccepted('The exchange has stopped'));
      this.#fail(error as Error);
    }
  }

  #openBatch(): OpenBatch {
    this.#lastTime = Math.max(this.#lastTime, this.#deps.clock.now());
    this.#appliedBatch += 1;
    return { batch: this.#appliedBatch, time: this.#lastTime, applied: [] };
  }

  #apply(pending: Pending, time: number): Applied {
    const { exchange } = this.#deps;
    const command = this.#toCommand(pending.submission);
    const start = exchange.position;
    const outcome = exchange.apply(time, command);
    return { pending, command, outcome, start, end: exchange.position };
  }

  #startCommit(open: OpenBatch): void {
    this.#open = undefined;
    const { exchange } = this.#deps;
    const events = exchange.takeBatch();
    const outcomes = open.applied.map(({ outcome }) => outcome);
    const counters = exchange.counters();
    const digest = digestOf(outcomes, events, counters);
    const commands = encodeEntries(open.applied.map(({ command, pending }) => ({ command, key: pending.key })));
    this.#committing = { ...open, events, counters, commands, digest };
    void this.#finish(this.#committing);
  }

  #toCommand(submission: Submission): Command {
    switch (submission.kind) {
      case 'place-order':
      case 'close-position':
      case 'place-conditional-order':
      case 'place-twap':
        // Exit orders take numbers of their own; one that a refused order was given is not used again by the next.
        this.#lastOrderId = Math.max(this.#lastOrderId, this.#deps.exchange.lastOrderId) + 1;
        return { ...submission, orderId: this.#lastOrderId };
      case 'transfer':
        this.#lastTransferId += 1;
        return { ...submission, transferId: this.#lastTransferId };
      default:
        return submission;
    }
  }

  /** Commits a batch, publishes it, answers, and goes on. */
  async #finish(batch: SealedBatch): Promise<void> {
    try {
      await this.#commit(batch);
    } catch (error) {
      this.#fail(error as Error);
      return;
    }
    this.#committing = undefined;
    this.#committedBatch = batch.batch;
    this.#commands += batch.applied.length;
    const { events, counters, time } = batch;
    const committed = { batch: batch.batch, time, events, counters };
    const answers = batch.applied.map((one) => this.#answer(batch, one));
    this.#deps.onCommitted(committed, keysOf(batch));
    // The next commit does not wait for the readers of this one.
    this.#advance();
    this.#publish(committed);
    this.#deps.views.forgetEnded(batch.events);
    this.#deps.exchange.recycle(batch.events);
    const now = performance.now();
    for (const [index, { pending, command }] of batch.applied.entries()) {
      pending.resolve(answers[index]!);
      if (propertiesOf(command.kind).purpose === 'places') this.acknowledgements.record(now, now - pending.arrivedAt);
    }
  }

  /** Writes the batch, however often it takes. Throws when it cannot be known or another process has the number. */
  async #commit({ batch, time, commands, digest }: SealedBatch): Promise<void> {
    const { journal, limits, logger } = this.#deps;
    const deadline = performance.now() + limits.unavailableMs;
    for (;;) {
      try {
        if (await journal.append({ batch, time, commands, digest })) {
          if (!this.#isAvailable) logger.info({ batch }, 'The database is back');
          this.#isAvailable = true;
          clearTimeout(this.#patience);
          this.#patience = undefined;
          return;
        }
        throw new Error(`Batch ${batch} was written by another process: this one must not go on`);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || performance.now() > deadline) throw error;
        if (this.#isAvailable) {
          logger.error({ batch, error: error.message }, 'The database is away; the batch will be retried');
        }
        this.#becomeUnavailable();
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  #answer({ batch, time, events }: SealedBatch, { command, outcome, start, end }: Applied): Submitted {
    const { views } = this.#deps;
    let order: OrderView | undefined;
    let ended = 0;
    const id = idOf(command);
    if (outcome.ok && 'orderId' in command) {
      const at = events.lastOrder(id, start, end);
      for (const event of events.objectsBetween(start, end)) {
        views.note(event);
        const view = views.ofObject(event);
        if (view?.orderId === id) order = view;
      }
      if (at >= 0) order = views.ofRecord(events, at);
    } else if (outcome.ok && propertiesOf(command.kind).purpose === 'clears') {
      events.readBetween(start, end, [
        {
          order: (records, at) => {
            if (records.status(at) === 'cancelled') ended += 1;
          },
          object: (event) => {
            if (event.kind === 'untriggered-ended') ended += 1;
          },
        },
      ]);
    } else {
      for (const event of events.objectsBetween(start, end)) views.note(event);
    }
    const parts = outcome.ok && command.kind === 'close-position' ? closedParts(events, start, end) : undefined;
    return { outcome, id, batch, time, order, ended, parts };
  }

  #publish(batch: CommittedBatch): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(batch);
      } catch (error) {
        // What is committed stays committed: a listener's defect may not undo the answer.
        this.#deps.logger.error({ batch: batch.batch, err: error }, 'A listener of the batch feed failed');
      }
    }
  }

  /** What is not applied yet need not wait for the database, nor a reader for the batches in hand. */
  #becomeUnavailable(): void {
    this.#isAvailable = false;
    this.#limitPatience();
    const away = new NotAccepted('The database is away', AWAY_SECONDS);
    for (const pending of this.#queue) pending.reject(away);
    this.#queue = [];
    for (const reject of this.#readers) reject(away);
    this.#readers.clear();
  }

  /** What was applied may have been committed: its outcome is not known. */
  #fail(error: Error): void {
    if (!this.#isOpen && !this.#isAvailable) return;
    this.#isOpen = false;
    const unknown = new OutcomeUnknown('It is not known whether this was accepted');
    for (const batch of [this.#committing, this.#open]) {
      for (const { pending } of batch?.applied ?? []) pending.reject(unknown);
    }
    this.#committing = undefined;
    this.#open = undefined;
    this.#becomeUnavailable();
    this.#deps.onFatal(error);
  }
}

function keysOf({ applied, batch, time }: SealedBatch): KeyRecord[] {
  return applied.flatMap(({ pending, command, outcome }) => {
    if (pending.key === undefined) return [];
    const reason = outcome.ok ? '' : outcome.reason;
    return [{ ...pending.key, id: idOf(command), batch, reason, time }];
  });
}
