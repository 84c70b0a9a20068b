/**
 * How long orders took from their arrival to the end of their commit, over the last hour. Times are counted in classes,
 * each 5% wider than the one before, for each minute: constant memory at any rate, and percentiles at most 5% too high.
 */
const MINUTE_MS = 60_000;
const MINUTES = 60;
const FIRST_CLASS_MS = 0.05;
const RATIO = 1.05;
/** The last class begins at 100 s, above what a commit is waited for. */
const CLASSES = 300;

export interface AcknowledgementFigures {
  readonly orders: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const classOf = (tookMs: number): number =>
  Math.min(CLASSES - 1, Math.max(0, Math.ceil(Math.log(tookMs / FIRST_CLASS_MS) / Math.log(RATIO))));
const endOf = (index: number): number => FIRST_CLASS_MS * RATIO ** index;

export class AcknowledgementTimes {
  readonly #counts = new Uint32Array(MINUTES * CLASSES);
  /** The minute that each row of counts is of. */
  readonly #minutes = new Float64Array(MINUTES).fill(-1);

  /** @param nowMs of a clock that never goes back */
  record(nowMs: number, tookMs: number): void {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const row = minute % MINUTES;
    if (this.#minutes[row] !== minute) {
      this.#minutes[row] = minute;
      this.#counts.fill(0, row * CLASSES, (row + 1) * CLASSES);
    }
    this.#counts[row * CLASSES + classOf(tookMs)]! += 1;
  }

  /** @returns undefined when no order came within the hour */
  read(nowMs: number): AcknowledgementFigures | undefined {
    const oldest = Math.floor(nowMs / MINUTE_MS) - MINUTES + 1;
    const sums = new Float64Array(CLASSES);
    let orders = 0;
    for (let row = 0; row < MINUTES; row += 1) {
      if (this.#minutes[row]! < oldest) continue;
      for (let index = 0; index < CLASSES; index += 1) {
        const count = this.#counts[row * CLASSES + index]!;
        sums[index]! += count;
        orders += count;
      }
    }
    if (orders === 0) return undefined;
    const percentile = (share: number): number => {
      let left = Math.ceil(orders * share);
      const index = sums.findIndex((count) => {
        left -= count;
        return left <= 0;
      });
      return endOf(index);
    };
    return { orders, p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
  }
}
