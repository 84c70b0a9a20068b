/**
 * Entries whose exits changed without a fill of theirs: an exit that is cancelled or triggered says nothing of its entry
 * in the batch's records, so the entry is taken from memory, and told once what memory held is committed.
 */
import type { ExitPlan } from '@cambist/core/orders/exits/exit-plan.ts';
import type { OrderState } from '@cambist/core/orders/order-state.ts';
import type { OrderView, OrderViews } from '@cambist/core/orders/order-view.ts';
import type { ExchangeView } from '../engine/feed.ts';

interface Waiting {
  readonly order: OrderState;
  /** The newest batch that the order may be of. */
  readonly batch: number;
  readonly time: number;
}

export class EntryNews {
  readonly #view: Pick<ExchangeView, 'openOrder'>;
  readonly #views: Pick<OrderViews, 'ofState'>;
  /** By entry. */
  readonly #waiting = new Map<number, Waiting>();

  constructor(view: Pick<ExchangeView, 'openOrder'>, views: Pick<OrderViews, 'ofState'>) {
    this.#view = view;
    this.#views = views;
  }

  /** @param applied the newest batch that memory has. An entry that is no longer open has its own record. */
  note({ orderId }: ExitPlan, applied: number, time: number): void {
    const open = this.#view.openOrder(orderId);
    if (open === undefined) return;
    const order: OrderState = { ...open, quoteTotal: 0n, status: 'open', reason: 'NONE' };
    this.#waiting.set(orderId, { order, batch: applied, time });
  }

  /** Forgets what has not been told: no subscriber is left. */
  clear(): void {
    this.#waiting.clear();
  }

  /** What is committed by a batch; each entry once. */
  take(batch: number): OrderView[] {
    const due = [...this.#waiting.values()].filter((waiting) => waiting.batch <= batch);
    for (const { order } of due) this.#waiting.delete(order.orderId);
    return due.map(({ order, time }) => this.#views.ofState(order, time));
  }
}
