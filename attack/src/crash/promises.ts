/** What one trader was told, by answers and by the stream: all of it must still hold after the server has died. */
import type { Push } from '../stream.ts';

/** An order as the calls show it, as far as it is looked at. */
export interface ShownOrder {
  readonly id: string;
  readonly delegate_type: 'BUY' | 'SELL';
  readonly type: 'limit' | 'market';
  readonly state: 'PENDING' | 'APPROVED' | 'DISSAPROVED';
  readonly number_of_order: string;
  readonly final_price: string;
  readonly filled: string;
  readonly remaining: string;
}

export interface ShownFill {
  readonly id: string;
  readonly order_id: string;
  readonly delegate_type: 'BUY' | 'SELL';
  readonly price: string;
  readonly quantity: string;
  readonly fee: string;
  readonly fee_coin: string;
}

export interface Intent {
  readonly key: string;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body: object | undefined;
}

export interface Acknowledged {
  readonly intent: Intent;
  readonly status: number;
  readonly orders: readonly ShownOrder[];
}

/** How far an order was said to have come. */
export interface Progress {
  readonly id: string;
  readonly filled: string;
  readonly hasEnded: boolean;
}

export class Promises {
  /** In the order in which the answers came. */
  readonly acknowledged: Acknowledged[] = [];
  /** Sent, and nothing came back: done once or not at all. */
  unanswered: Intent[] = [];
  readonly #pushes: Push[] = [];
  #judged = 0;

  keep(intent: Intent, status: number, orders: readonly ShownOrder[]): void {
    this.acknowledged.push({ intent, status, orders });
  }

  hear(pushes: readonly Push[]): void {
    this.#pushes.push(...pushes.filter(({ data }) => data !== undefined));
  }

  /** Acknowledged since this was last asked. */
  sinceLast(): Acknowledged[] {
    const fresh = this.acknowledged.slice(this.#judged);
    this.#judged = this.acknowledged.length;
    return fresh;
  }

  /** Every id that was ever named as the trader's own. */
  orderIds(): Set<string> {
    return new Set(this.acknowledged.flatMap(({ orders }) => orders.map(({ id }) => id)));
  }

  /** The newest of what was said about each order's terms. */
  lastTerms(): Map<string, ShownOrder> {
    return new Map(this.acknowledged.flatMap(({ orders }) => orders.map((order) => [order.id, order] as const)));
  }

  progress(): Progress[] {
    const answered = this.acknowledged.flatMap(({ orders }) =>
      orders.map(({ id, filled, state }) => ({ id, filled, hasEnded: state !== 'PENDING' })),
    );
    const pushed = this.#of('orders').map(({ id = '', filled = '0', state }) => ({
      id,
      filled,
      hasEnded: state !== 'PENDING',
    }));
    return [...answered, ...pushed];
  }

  fills(): ShownFill[] {
    return this.#of('fills') as readonly object[] as ShownFill[];
  }

  #of(channel: string): Readonly<Record<string, string>>[] {
    return this.#pushes.filter(({ arg }) => arg?.channel === channel).flatMap(({ data }) => data ?? []);
  }
}
