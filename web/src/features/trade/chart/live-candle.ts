/** The newest candle by stream, by polling while the stream is silent, and the candles that were missed meanwhile. */
import { exchangeTime } from '../../../lib/exchange-time.ts';
import { startPolling } from '../../../lib/polling.ts';
import { POLLING_MS } from '../../../lib/polling-intervals.ts';
import { businessStream } from '../../../lib/streams.ts';
import type { ChartPrice } from './chart-store.ts';
import type { Timeframe } from './timeframes.ts';
import { type Bar, fetchBars } from './udf-client.ts';

/** Who missed more candles than these reads everything again. */
export const MISSED_AT_MOST = 500;

export interface CandleSource {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly price: ChartPrice;
}

export interface CandleListener {
  /** In the order of time; the newest one again with each change. */
  onBar(bar: Bar): void;
  /** More than `MISSED_AT_MOST` candles were missed. */
  onLost(): void;
}

/** Which channel has the newest candle, and under which name; an index has that of the coin's spot market. */
function channelOf({ symbol, timeframe: { channel }, price }: CandleSource) {
  if (price === 'mark') return { channel: `mark-price-${channel}`, instId: symbol };
  if (price === 'index') return { channel: `index-${channel}`, instId: symbol.replace(/-SWAP$/, '') };
  return { channel, instId: symbol };
}

/** A candle of a mark or index: `[ts, o, h, l, c, confirm]`; it has no volume. */
const priceBarOf = (row: readonly string[]): Bar => ({ ...barOf(row), volume: 0 });

/** A candle of the stream: `[ts, o, h, l, c, vol, …]`, all text. */
export function barOf(row: readonly string[]): Bar {
  const [time = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = row.map(Number);
  return { time, open, high, low, close, volume };
}

class LiveCandle {
  readonly #source: CandleSource;
  readonly #listener: CandleListener;
  readonly #read: (row: readonly string[]) => Bar;
  /** Start of the newest candle that was told, ms. */
  #newest: number | undefined;
  /** Whether candles may lie between that and what the stream says next. */
  #mayLack = true;
  /** What the stream said while the missed candles are read. */
  #held: Bar[] = [];
  #endReading: (() => void) | undefined;

  constructor(source: CandleSource, newest: number | undefined, listener: CandleListener) {
    this.#source = source;
    this.#newest = newest;
    this.#listener = listener;
    this.#read = source.price === 'last' ? barOf : priceBarOf;
  }

  /** The stream begins (again). */
  begin(): void {
    this.stop();
    this.#mayLack = true;
  }

  stop(): void {
    this.#endReading?.();
    this.#endReading = undefined;
    this.#held = [];
  }

  push(rows: readonly (readonly string[])[]): void {
    const bars = rows.map(this.#read);
    const [first] = bars;
    if (!first) return;
    if (this.#endReading) {
      this.#held.push(...bars);
      return;
    }
    const lacks = this.#mayLack && this.#newest !== undefined && first.time > this.#newest;
    this.#mayLack = false;
    if (!lacks) {
      this.#tell(bars);
      return;
    }
    this.#held = bars;
    this.#endReading = startPolling(POLLING_MS.chart, (signal) => this.#readMissed(signal, first.time));
  }

  /** What stands in for a silent stream. */
  readonly poll = async (signal: AbortSignal): Promise<void> => this.#tell(await this.#since(signal));

  /** Candles before those of the stream are closed and change no more; the stream's own are as new as can be. */
  async #readMissed(signal: AbortSignal, before: number): Promise<void> {
    const missed = await this.#since(signal);
    const held = this.#held;
    this.stop();
    this.#tell(missed.filter(({ time }) => time < before));
    this.#tell(held);
  }

  /** From the newest candle on that was told, which may have gone on. */
  async #since(signal: AbortSignal): Promise<readonly Bar[]> {
    const { symbol, timeframe, price } = this.#source;
    const now = exchangeTime();
    const begun = this.#newest === undefined ? 0 : Math.ceil((now - this.#newest) / timeframe.lengthMs);
    const isLost = begun > MISSED_AT_MOST;
    const count = isLost ? 2 : Math.max(2, begun + 1);
    const bars = await fetchBars(symbol, timeframe, now + timeframe.lengthMs, count, signal, price);
    // Not before the exchange answers: what is on screen is better than nothing.
    if (isLost) {
      this.#newest = undefined;
      this.#listener.onLost();
    }
    return bars;
  }

  #tell(bars: readonly Bar[]): void {
    for (const bar of bars) {
      if (this.#newest !== undefined && bar.time < this.#newest) continue;
      this.#newest = bar.time;
      this.#listener.onBar(bar);
    }
  }
}

/**
 * @param newest start of the newest candle that is known already, ms
 * @returns ends it
 */
export function followCandle(source: CandleSource, newest: number | undefined, listener: CandleListener): () => void {
  const candle = new LiveCandle(source, newest, listener);
  let endPolling: (() => void) | undefined;
  const followStale = () => {
    endPolling?.();
    endPolling = businessStream.isStale() ? startPolling(POLLING_MS.chart, candle.poll) : undefined;
  };
  const leave = businessStream.subscribe<readonly string[]>(channelOf(source), {
    onPush: ({ data }) => candle.push(data),
    onReset: () => candle.begin(),
  });
  const endWatch = businessStream.watchStale(followStale);
  followStale();
  return () => {
    endPolling?.();
    endWatch();
    leave();
    candle.stop();
  };
}
