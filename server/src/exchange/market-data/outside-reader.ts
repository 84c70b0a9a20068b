/** Reads the past of markets from another exchange behind the start, which does not wait for it, until all are told. */
import { guarded } from '../../platform/guarded.ts';
import type { Logger } from '../../platform/logger.ts';
import type { MarketBars } from './history.ts';
import type { OutsidePast } from './persistence.ts';

const RETRY_MS = 60_000;

interface Deps {
  readonly read: OutsidePast;
  readonly found: (market: number, bars: MarketBars) => void;
  readonly logger: Logger;
  readonly retryMs?: number;
}

export class OutsideReader {
  readonly #deps: Deps;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(markets: readonly number[]): void {
    guarded(this.#deps.logger, 'past of markets', () => this.#readAll(markets))();
  }

  /** Nothing is found any more, also of what is on its way. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** One after the other, in their order; those that could not be told of are asked for again. */
  async #readAll(markets: readonly number[]): Promise<void> {
    const missed: number[] = [];
    let why: unknown;
    for (const market of markets) {
      if (this.#isStopped) return;
      try {
        const bars = await this.#deps.read(market);
        if (bars !== undefined && !this.#isStopped) this.#deps.found(market, bars);
      } catch (error) {
        missed.push(market);
        why = error;
      }
    }
    if (missed.length === 0 || this.#isStopped) return;
    const { logger, retryMs = RETRY_MS } = this.#deps;
    logger.warn({ err: why, markets: missed.length }, 'The past of some markets could not be read; it is tried again');
    this.#timer = setTimeout(
      guarded(logger, 'past of markets', () => this.#readAll(missed)),
      retryMs,
    );
    this.#timer.unref();
  }
}
