/**
 * The way to the sequencer for the market maker's orders. When the exchange is overloaded or away, the market maker is the first to step
 * back: nothing is sent for a growing pause, and then the open orders are looked at afresh.
 */
import type { Logger } from 'pino';
import type { Sequencer, Submission, Submitted } from '../engine/feed.ts';

interface Deps {
  readonly sequencer: Sequencer;
  readonly clock: { now(): number };
  readonly logger: Logger;
  /** Called before the first command after a pause. */
  readonly onResume: () => void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

export function createOrderSender({ sequencer, clock, logger, onResume }: Deps) {
  const inFlight = new Set<Promise<unknown>>();
  let pausedUntil = 0;
  let pauseMs = FIRST_PAUSE_MS;
  let closed = false;
  let sent = 0;

  function pause(error: unknown): void {
    if (clock.now() < pausedUntil) return;
    pausedUntil = clock.now() + pauseMs;
    logger.warn({ err: error, pauseMs }, 'The market maker pauses');
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }

  async function attempt(submission: Submission): Promise<Submitted | undefined> {
    try {
      const submitted = await sequencer.submit(submission);
      pauseMs = FIRST_PAUSE_MS;
      return submitted;
    } catch (error) {
      pause(error);
      return undefined;
    }
  }

  return {
    /** Whether commands may be sent now. */
    ready(): boolean {
      if (closed || clock.now() < pausedUntil) return false;
      if (pausedUntil > 0) {
        pausedUntil = 0;
        onResume();
      }
      return true;
    },

    /** @returns undefined when nothing came of it */
    submit(submission: Submission): Promise<Submitted | undefined> {
      sent += 1;
      const attempted = attempt(submission);
      inFlight.add(attempted);
      return attempted.finally(() => inFlight.delete(attempted));
    },

    sent: (): number => sent,

    /** Resolves when nothing is on its way any more. */
    async close(): Promise<void> {
      closed = true;
      await Promise.allSettled(inFlight);
    },
  };
}

export type OrderSender = ReturnType<typeof createOrderSender>;
