/** Orders that are filled, told once each and together where many fill within a moment. */
import type { Order } from '@cambist/contract/trading.ts';

/** What fills with the first is told with it. */
const GATHER_MS = 400;
/** A program that trades without a pause is told about in heaps. */
const REST_MS = 1500;
const MAXIMUM_KNOWN = 1000;

export class FillGathering {
  readonly #tell: (orders: readonly Order[]) => void;
  readonly #known = new Set<string>();
  #gathered: Order[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #restsUntil = 0;

  constructor(tell: (orders: readonly Order[]) => void) {
    this.#tell = tell;
  }

  /** Takes every change of an order; only the one that fills it whole counts. */
  add(order: Order): void {
    if (order.state !== 'APPROVED' || this.#known.has(order.id)) return;
    this.#known.add(order.id);
    const [oldest] = this.#known;
    if (this.#known.size > MAXIMUM_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    this.#gathered.push(order);
    this.#timer ??= setTimeout(() => this.#flush(), Math.max(GATHER_MS, this.#restsUntil - performance.now()));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #flush(): void {
    const orders = this.#gathered;
    this.#gathered = [];
    this.#timer = undefined;
    this.#restsUntil = performance.now() + REST_MS;
    this.#tell(orders);
  }
}
