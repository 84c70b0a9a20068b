/**
 * Bars of marks and indexes, in typed arrays. A bar is there only where there was a price: minutes in which the index was
 * lost have none, unlike those in which nothing traded. When the series is full, its oldest quarter goes.
 */
import type { Bar } from './bar-series.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './frames.ts';
import { capacities } from './history.ts';

/** Opening, highest, lowest and closing price in ticks; `time` is the start, ms. */
export type PriceBar = Pick<Bar, 'time' | 'open' | 'high' | 'low' | 'close'>;

const COLUMNS = 5;
const TIME = 0;
const OPEN = 1;
const HIGH = 2;
const LOW = 3;
const CLOSE = 4;
const FIRST_BARS = 64;

export class PriceSeries {
  readonly frameMs: number;
  readonly #capacity: number;
  #cells = new Float64Array(FIRST_BARS * COLUMNS);
  #length = 0;
  #start = 0;

  constructor(frameMs: number, capacity: number) {
    this.frameMs = frameMs;
    this.#capacity = capacity;
  }

  get length(): number {
    return this.#length;
  }

  /** From here on all bars are known; 0 until one was forgotten. */
  get start(): number {
    return this.#start;
  }

  timeAt(index: number): number {
    return this.#cells[index * COLUMNS + TIME]!;
  }

  /** The last bar that starts at or before a time; -1 when there is none. */
  indexOf(time: number): number {
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.timeAt(middle) <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  at(index: number): Bar {
    const cell = index * COLUMNS;
    const cells = this.#cells;
    return {
      time: cells[cell + TIME]!,
      open: cells[cell + OPEN]!,
      high: cells[cell + HIGH]!,
      low: cells[cell + LOW]!,
      close: cells[cell + CLOSE]!,
      volume: 0,
      turnover: 0,
    };
  }

  closeAt(index: number): number {
    return this.#cells[index * COLUMNS + CLOSE]!;
  }

  /** Appends a stored bar; bars come in ascending order of time. */
  put({ time, open, high, low, close }: PriceBar): void {
    this.#makeRoom();
    this.#cells.set([time, open, high, low, close], this.#length * COLUMNS);
    this.#length += 1;
  }

  /** Counts a price in. Times come in ascending order, so it belongs to the last bar or begins the next one. */
  observe(time: number, price: number): void {
    const start = Math.floor(time / this.frameMs) * this.frameMs;
    if (this.#length === 0 || start > this.timeAt(this.#length - 1)) {
      this.put({ time: start, open: price, high: price, low: price, close: price });
      return;
    }
    const cell = (this.#length - 1) * COLUMNS;
    const cells = this.#cells;
    if (price > cells[cell + HIGH]!) cells[cell + HIGH] = price;
    if (price < cells[cell + LOW]!) cells[cell + LOW] = price;
    cells[cell + CLOSE] = price;
  }

  /** Bars before this time are not known, although there may have been some. */
  startAt(time: number): void {
    this.#start = time;
  }

  #makeRoom(): void {
    if (this.#length * COLUMNS < this.#cells.length) return;
    if (this.#length < this.#capacity) {
      const larger = new Float64Array(Math.min(2 * this.#length, this.#capacity) * COLUMNS);
      larger.set(this.#cells);
      this.#cells = larger;
      return;
    }
    const forgotten = Math.max(1, Math.floor(this.#capacity / 4));
    this.#cells.copyWithin(0, forgotten * COLUMNS, this.#length * COLUMNS);
    this.#length -= forgotten;
    this.#start = this.timeAt(0);
  }
}

const makeSeries = () => ({
  minutes: new PriceSeries(MINUTE_MS, capacities.minutes),
  hours: new PriceSeries(HOUR_MS, capacities.hours),
  days: new PriceSeries(DAY_MS, capacities.days),
});

/** What a perpetual has candles of beside its trades. */
export const priceKinds = ['mark', 'index'] as const;
export type PriceKind = (typeof priceKinds)[number];

/** Bars of mark and index of each perpetual. */
export class PriceBars {
  readonly #byMarket = new Map<number, Readonly<Record<PriceKind, ReturnType<typeof makeSeries>>>>();

  of(market: number, kind: PriceKind): ReturnType<typeof makeSeries> {
    let known = this.#byMarket.get(market);
    if (known === undefined) {
      known = { mark: makeSeries(), index: makeSeries() };
      this.#byMarket.set(market, known);
    }
    return known[kind];
  }

  observe(market: number, kind: PriceKind, time: number, price: number): void {
    const { minutes, hours, days } = this.of(market, kind);
    minutes.observe(time, price);
    hours.observe(time, price);
    days.observe(time, price);
  }
}
