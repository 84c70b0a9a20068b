/**
 * Has what is due done by the core: slices of TWAPs, and the ends of pauses. The core says when that is, so nothing is asked of the tables,
 * and while nothing will be due nothing is done at all. What was missed while the server was down is the core's to decide.
 */
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import { guarded } from '../../platform/guarded.ts';
import type { Logger } from '../../platform/logger.ts';
import type { BatchFeed, Sequencer } from '../engine/feed.ts';

/** Slices in one command, so that other orders do not wait long; the rest follows with the next. */
const AT_ONCE = 50;
/** The wall clock may be set, and a machine may sleep: the time is looked at again after this. */
const LONGEST_WAIT_MS = 1_000;

export interface TwapRunnerDeps {
  readonly exchange: Pick<Exchange, 'nextDueAt'>;
  readonly sequencer: Sequencer & BatchFeed;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

export class TwapRunner {
  readonly #deps: TwapRunnerDeps;
  #timer: NodeJS.Timeout | undefined;
  /** When what the timer waits for is due, ms. */
  #dueAt: number | undefined;
  #running: Promise<unknown> | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(deps: TwapRunnerDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#unsubscribe = this.#deps.sequencer.subscribe(() => this.#follow());
    const { exchange, clock } = this.#deps;
    // After a clock that was ahead slices and ends of pauses are due long from now: the core brings them back.
    if ((exchange.nextDueAt() ?? 0) > clock.now()) this.#running = this.#run();
    else this.#follow();
  }

  async close(): Promise<void> {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#disarm();
    await this.#running;
  }

  /** After each batch: something else may be due first now. */
  #follow(): void {
    const dueAt = this.#deps.exchange.nextDueAt();
    if (this.#running !== undefined || dueAt === this.#dueAt) return;
    this.#disarm();
    this.#dueAt = dueAt;
    this.#arm();
  }

  #arm(): void {
    if (this.#dueAt === undefined || this.#unsubscribe === undefined) return;
    const wait = Math.max(0, this.#dueAt - this.#deps.clock.now());
    this.#lookAfter(Math.min(wait, LONGEST_WAIT_MS));
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    this.#dueAt = undefined;
  }

  #look(): void {
    if (this.#dueAt !== undefined && this.#deps.clock.now() < this.#dueAt) this.#arm();
    else this.#running = this.#run();
  }

  /** One that was not accepted is tried again: what is due stays so. */
  async #run(): Promise<void> {
    const { sequencer, logger } = this.#deps;
    let isAccepted = true;
    try {
      await sequencer.submit({ kind: 'run-twaps', maximum: AT_ONCE });
    } catch (error) {
      isAccepted = false;
      logger.warn({ err: error }, 'What is due could not be done; it is tried again');
    }
    this.#running = undefined;
    this.#disarm();
    if (isAccepted) this.#follow();
    else this.#tryLater();
  }

  #tryLater(): void {
    if (this.#unsubscribe === undefined) return;
    this.#dueAt = this.#deps.exchange.nextDueAt();
    this.#lookAfter(LONGEST_WAIT_MS);
  }

  #lookAfter(ms: number): void {
    this.#timer = setTimeout(
      guarded(this.#deps.logger, 'TWAPs', () => this.#look()),
      ms,
    ).unref();
  }
}
