/**
 * The mark price: that of the liquidity source, told to the exchange as ordinary commands. At most about one a second
 * and pair, only when it has changed, and only while something waits for it.
 */
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import { guarded } from '../../platform/guarded.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Sequencer } from '../engine/feed.ts';

export interface MarkDeps {
  readonly exchange: Pick<Exchange, 'markets' | 'marketState' | 'isMarkWatched'>;
  readonly sequencer: Sequencer;
  /** Ticks, with a fraction; undefined where and while nothing trustworthy is known. */
  readonly priceOf: (market: number) => number | undefined;
  readonly logger: Logger;
  readonly everyMs: number;
}

export interface Marks {
  /** Brings one pair up to date: whoever is about to wait for the mark price is measured against that of now. */
  refresh(market: number): Promise<void>;
  start(): void;
  close(): Promise<void>;
}

export function createMarks({ exchange, sequencer, priceOf, logger, everyMs }: MarkDeps): Marks {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();

  async function refresh(market: number): Promise<void> {
    const known = priceOf(market);
    if (known === undefined) return;
    const price = Math.max(1, Math.round(known));
    const { markPrice, halted } = exchange.marketState(market);
    // Nothing is triggered in a halted market: the first price after the halt is to be a new one, which triggers what it has reached. The
    // core looks at the price itself when a pause ends.
    if (halted || price === markPrice) return;
    await sequencer.submit({ kind: 'set-mark-price', market, price, waitsWhileHalted: true });
  }

  function tick(): void {
    const watched = exchange.markets().filter(({ id }) => exchange.isMarkWatched(id));
    running = Promise.all(watched.map(({ id }) => refresh(id)))
      .catch((error: unknown) => logger.warn({ err: error }, 'The mark prices could not be set; they are tried again'))
      .finally(schedule);
  }

  const guardedTick = guarded(logger, 'mark prices', tick, schedule);

  function schedule(): void {
    if (timer !== undefined) timer = setTimeout(guardedTick, everyMs).unref();
  }

  return {
    refresh,
    start() {
      timer = setTimeout(guardedTick, everyMs).unref();
    },
    async close() {
      clearTimeout(timer);
      timer = undefined;
      await running;
    },
  };
}
