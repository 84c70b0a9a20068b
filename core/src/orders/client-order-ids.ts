/** What clients call their orders: kept while an order is open or untriggered, and told by an event when it is placed. */
import type { RejectReason } from '../terms/outcome.ts';

/** Characters of a client order id: as many as a UUID has. */
export const MAXIMUM_CLIENT_ORDER_ID = 36;

export interface ClientOrderId {
  readonly orderId: number;
  readonly owner: number;
  /** 1 to 36 characters; no two open or untriggered orders of an owner have the same. */
  readonly clientOrderId: string;
}

/** An order that is placed now has a client order id. Comes before the order's first event. */
export interface ClientOrderIdGiven extends ClientOrderId {
  readonly kind: 'client-order-id-given';
  readonly time: number;
}

/** By order, and by owner and text. Orders without one cost nothing here. */
export class ClientOrderIds {
  readonly #byOrder = new Map<number, ClientOrderId>();
  readonly #byOwner = new Map<string, number>();

  get size(): number {
    return this.#byOrder.size;
  }

  of(orderId: number): string | undefined {
    return this.#byOrder.get(orderId)?.clientOrderId;
  }

  /** The order of an owner; 0 when none has this client order id now. */
  find(owner: number, clientOrderId: string): number {
    return this.#byOwner.get(keyOf(owner, clientOrderId)) ?? 0;
  }

  /** Why an order can't be placed under its client order id. */
  problem({ owner, clientOrderId }: Placed): RejectReason | undefined {
    if (!clientOrderId) return undefined;
    if (clientOrderId.length > MAXIMUM_CLIENT_ORDER_ID) return 'INVALID_CLIENT_ORDER_ID';
    return this.find(owner, clientOrderId) === 0 ? undefined : 'DUPLICATE_CLIENT_ORDER_ID';
  }

  add(one: ClientOrderId): void {
    this.#byOrder.set(one.orderId, one);
    this.#byOwner.set(keyOf(one.owner, one.clientOrderId), one.orderId);
  }

  /** Ascending by order id. */
  all(): ClientOrderId[] {
    return [...this.#byOrder.values()].sort((left, right) => left.orderId - right.orderId);
  }

  /** Of an order that has ended, with a client order id or without. */
  forget(orderId: number): void {
    const one = this.#byOrder.get(orderId);
    if (one === undefined) return;
    this.#byOrder.delete(orderId);
    this.#byOwner.delete(keyOf(one.owner, one.clientOrderId));
  }
}

/** Of an order that is placed. */
type Placed = { readonly owner: number; readonly clientOrderId?: string | undefined };

const keyOf = (owner: number, clientOrderId: string) => `${owner} ${clientOrderId}`;
