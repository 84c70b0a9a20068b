/**
 * Bars of one length without gaps, in typed arrays: minutes in which no price came are flat at the last close. Prices come by trades,
 * and are told where nothing is traded. Prices in ticks, volume in lots, turnover in ticks × lots. When the series is full, its oldest quarter goes.
 */
export interface Bar {
  /** Start, ms. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly turnover: number;
}

const COLUMNS = 6;
/** Bars at first: a market without a past keeps few. */
const FIRST_CAPACITY = 16;
const OPEN = 0;
const HIGH = 1;
const LOW = 2;
const CLOSE = 3;
const VOLUME = 4;
const TURNOVER = 5;

export class BarSeries {
  readonly frameMs: number;
  readonly #capacity: number;
  #cells: Float64Array;
  #start: number;
  #knownFrom: number;
  #length = 0;

  /** @param start of the first bar, a multiple of the frame */
  constructor(frameMs: number, start: number, capacity: number) {
    this.frameMs = frameMs;
    this.#start = start;
    this.#knownFrom = start;
    this.#capacity = capacity;
    this.#cells = new Float64Array(Math.min(capacity, FIRST_CAPACITY) * COLUMNS);
  }

  get length(): number {
    return this.#length;
  }

  /** From here on all bars are known; 0 where there was nothing before the first. */
  get start(): number {
    return this.#knownFrom;
  }

  /** The market began with the first bar: a longer candle in which that lies is whole. */
  beginHere(): void {
    this.#knownFrom = 0;
  }

  /** Start of the bar after the last one. */
  get end(): number {
    return this.#start + this.#length * this.frameMs;
  }

  /** The bar that holds a time; below 0 or from `length` on when there is none. */
  indexOf(time: number): number {
    return Math.floor((time - this.#start) / this.frameMs);
  }

  timeAt(index: number): number {
    return this.#start + index * this.frameMs;
  }

  at(index: number): Bar {
    const cell = index * COLUMNS;
    const cells = this.#cells;
    return {
      time: this.timeAt(index),
      open: cells[cell + OPEN]!,
      high: cells[cell + HIGH]!,
      low: cells[cell + LOW]!,
      close: cells[cell + CLOSE]!,
      volume: cells[cell + VOLUME]!,
      turnover: cells[cell + TURNOVER]!,
    };
  }

  closeAt(index: number): number {
    return this.#cells[index * COLUMNS + CLOSE]!;
  }

  get lastClose(): number {
    return this.#length === 0 ? 0 : this.closeAt(this.#length - 1);
  }

  append(open: number, high: number, low: number, close: number, volume: number, turnover: number): void {
    if (this.#length === this.#capacity) this.#forgetOldest();
    if (this.#length * COLUMNS === this.#cells.length) this.#grow();
    this.#length += 1;
    this.#write(this.#length - 1, open, high, low, close, volume, turnover);
  }

  /** Adds flat bars until the one that holds `time` is there. */
  extendTo(time: number): void {
    if (this.#length === 0) return;
    const close = this.lastClose;
    // Nothing of what is here would be left: one as long as may be kept, without the years between.
    if (this.indexOf(time) - this.#length >= this.#capacity) this.#beginAt(this.indexOf(time) - this.#capacity + 1);
    while (this.end <= time) this.append(close, close, close, close, 0, 0);
  }

  #beginAt(index: number): void {
    this.#start = this.timeAt(index);
    this.#knownFrom = this.#start;
    this.#length = 0;
  }

  /** Puts a bar as it was stored; bars between the last one and it are flat. The first one is where an empty series begins. */
  put(bar: Bar): void {
    if (this.#length === 0) {
      this.#start = this.timeAt(this.indexOf(bar.time));
      this.#knownFrom = this.#start;
      this.append(bar.open, bar.high, bar.low, bar.close, bar.volume, bar.turnover);
      return;
    }
    this.extendTo(bar.time);
    const index = this.indexOf(bar.time);
    if (index < 0) return;
    const before = this.closeAt(index);
    this.#write(index, bar.open, bar.high, bar.low, bar.close, bar.volume, bar.turnover);
    this.#carryClose(index, before);
  }

  /** Counts a trade in, or with a quantity of 0 a price that was told. A time before the first bar is forgotten history. */
  trade(time: number, price: number, quantity: number): void {
    this.extendTo(time);
    const index = this.indexOf(time);
    if (index < 0) return;
    const cell = index * COLUMNS;
    const cells = this.#cells;
    const before = cells[cell + CLOSE]!;
    const isFirst = this.#isEmpty(index, index === 0 ? before : this.closeAt(index - 1));
    if (isFirst) cells[cell + OPEN] = price;
    cells[cell + HIGH] = isFirst ? price : Math.max(cells[cell + HIGH]!, price);
    cells[cell + LOW] = isFirst ? price : Math.min(cells[cell + LOW]!, price);
    cells[cell + CLOSE] = price;
    cells[cell + VOLUME]! += quantity;
    cells[cell + TURNOVER]! += price * quantity;
    this.#carryClose(index, before);
  }

  /** Whether no price came in a bar, so that it is flat at the close before it. */
  #isEmpty(index: number, before: number): boolean {
    const cell = index * COLUMNS;
    const cells = this.#cells;
    return cells[cell + VOLUME] === 0 && cells[cell + HIGH] === cells[cell + LOW] && cells[cell + CLOSE] === before;
  }

  /** Flat bars that were added while an earlier one was still open follow its close. @param before where it closed until now */
  #carryClose(index: number, before: number): void {
    const close = this.closeAt(index);
    for (let next = index + 1; next < this.#length && this.#isEmpty(next, before); next += 1) {
      this.#write(next, close, close, close, close, 0, 0);
    }
  }

  #write(
    index: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
    turnover: number,
  ): void {
    const cell = index * COLUMNS;
    const cells = this.#cells;
    cells[cell + OPEN] = open;
    cells[cell + HIGH] = high;
    cells[cell + LOW] = low;
    cells[cell + CLOSE] = close;
    cells[cell + VOLUME] = volume;
    cells[cell + TURNOVER] = turnover;
  }

  /** Bars of elsewhere come in beneath: they hold where no price came here. Who has this series goes on with it. */
  underlay(past: BarSeries): void {
    const { frameMs } = this;
    const end = Math.max(this.end, past.end);
    const from = Math.max(Math.min(this.#start, past.#start), end - this.#capacity * frameMs);
    const merged = new BarSeries(frameMs, from, this.#capacity);
    for (let time = from; time < end; time += frameMs) {
      const here = this.#barOf(time);
      const bar = (this.#hasPrice(time) ? here : undefined) ?? past.#barOf(time);
      const known = bar ?? (merged.length === 0 ? here : undefined);
      if (known !== undefined) merged.put(known);
    }
    merged.extendTo(end - frameMs);
    const first = past.#start < this.#start ? past : this;
    this.#knownFrom = from > first.#start ? merged.#start : first.#knownFrom;
    this.#start = merged.#start;
    this.#cells = merged.#cells;
    this.#length = merged.#length;
  }

  #hasPrice(time: number): boolean {
    const index = this.indexOf(time);
    if (index < 0 || index >= this.#length) return false;
    return !this.#isEmpty(index, this.closeAt(Math.max(0, index - 1)));
  }

  #barOf(time: number): Bar | undefined {
    const index = this.indexOf(time);
    return index >= 0 && index < this.#length ? this.at(index) : undefined;
  }

  #grow(): void {
    const wider = new Float64Array(Math.min(this.#cells.length * 2, this.#capacity * COLUMNS));
    wider.set(this.#cells);
    this.#cells = wider;
  }

  #forgetOldest(): void {
    const forgotten = Math.max(1, Math.floor(this.#capacity / 4));
    this.#cells.copyWithin(0, forgotten * COLUMNS, this.#length * COLUMNS);
    this.#length -= forgotten;
    this.#start += forgotten * this.frameMs;
    this.#knownFrom = this.#start;
  }
}
