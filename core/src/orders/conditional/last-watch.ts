import type { EventLog } from '../../events/event-log.ts';
import { heldPrice, isSamePassed, NONE_PASSED, type PassedPrices, passedAfter } from './passed-prices.ts';
import type { TriggerWatch } from './trigger-watch.ts';
import { type Direction, FALLING, RISING, type Untriggered } from './untriggered.ts';

/** What it reads and keeps of its market. */
interface WatchedMarket {
  readonly spec: { readonly id: number };
  readonly lastPrice: number;
  readonly confirmsTriggers: boolean;
  passed: PassedPrices;
  confirmingPrice(): number;
}

/**
 * The untriggered orders of one market that watch its last price. They are shown only as much of it as is confirmed: as far as the
 * reference has come too, or as far as it has stayed for a while (see `passed-prices.ts`). Trailing orders follow the same.
 */
export class LastWatch {
  readonly #watch: TriggerWatch;
  readonly #market: WatchedMarket;
  readonly #log: EventLog;

  constructor(watch: TriggerWatch, market: WatchedMarket, log: EventLog) {
    this.#watch = watch;
    this.#market = market;
    this.#log = log;
  }

  get size(): number {
    return this.#watch.size;
  }

  add(order: Untriggered): void {
    this.#watch.add(order);
  }

  remove(order: Untriggered): void {
    this.#watch.remove(order);
  }

  /** The last price, which may be the same as before: time may have passed, or the reference moved. */
  observe(last: number): void {
    const market = this.#market;
    if (!market.confirmsTriggers) {
      this.#watch.observe(last, last);
      return;
    }
    const { time } = this.#log;
    const [falling, rising] = market.passed;
    const reference = market.confirmingPrice();
    const fallen = reference === 0 ? Number.POSITIVE_INFINITY : Math.max(last, reference);
    const risen = reference === 0 ? 0 : Math.min(last, reference);
    this.#watch.observe(
      Math.min(fallen, heldPrice(falling, time) ?? Number.POSITIVE_INFINITY),
      Math.max(risen, heldPrice(rising, time) ?? 0),
    );
    this.note(last);
  }

  /** Takes a last price that triggers nothing at once. */
  note(last: number): void {
    const market = this.#market;
    if (!market.confirmsTriggers) return;
    const after = (direction: Direction) =>
      this.#watch.waits(direction, last) ? passedAfter(market.passed[direction], direction, last, this.#log.time) : [];
    this.#become([after(FALLING), after(RISING)]);
  }

  /** Begins anew after a halt or a pause, in which no price was traded. */
  restart(): void {
    if (!this.#market.confirmsTriggers) return;
    this.forget();
    this.observe(this.#market.lastPrice);
  }

  /** Without orders there is nothing to pass. */
  forget(): void {
    this.#become(NONE_PASSED);
  }

  #become(passed: PassedPrices): void {
    const market = this.#market;
    if (isSamePassed(market.passed, passed)) return;
    market.passed = passed;
    this.#log.object({ kind: 'triggers-passed', market: market.spec.id, passed });
  }
}
