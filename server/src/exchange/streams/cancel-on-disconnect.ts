/**
 * Cancels the orders that were placed on a socket, some time after the socket has ended, where its client has asked for
 * it. It is kept in memory alone: a restart of the server forgets it.
 */
import type { Order } from '@cambist/contract/trading.ts';
import type { Logger } from 'pino';
import { guarded } from '../../platform/guarded.ts';
import type { Connection } from './connection.ts';

/** What it needs of orders. */
export interface OrderCanceller {
  /** @returns whether it is open or untriggered */
  isOpen(orderId: string): boolean;
  /** @returns the orders that could not be taken just now; the others are cancelled, or had ended */
  cancelOrders(owner: number, orderIds: readonly string[]): Promise<string[]>;
}

interface Deps {
  readonly orders: OrderCanceller;
  readonly logger: Logger;
}

/** The orders of one socket, which a later socket of the same session may take over. */
interface Placed {
  readonly owner: number;
  readonly session: number;
  readonly orders: Set<string>;
  /** How many orders were open when ended ones were last left out. */
  kept: number;
  timeoutMs: number | null;
  timer: ReturnType<typeof setTimeout> | undefined;
  state: 'connected' | 'waiting' | 'due' | 'forgotten';
  heir: Placed | undefined;
}

const PRUNE_ABOVE = 256;
const AT_ONCE = 20;
const RETRY_MS = 1000;
/** With a database that is away the process ends sooner. */
const MAXIMUM_TRIES = 120;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());

export class CancelOnDisconnect {
  readonly #deps: Deps;
  readonly #placed = new WeakMap<Connection, Placed>();
  readonly #waiting = new Set<Placed>();
  #isClosed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @param timeoutMs after the socket's end; null for never */
  set(connection: Connection, timeoutMs: number | null): void {
    const own = this.#placedOf(connection);
    if (own === undefined) return;
    own.timeoutMs = timeoutMs;
    if (own.state !== 'connected') return;
    for (const earlier of [...this.#waiting]) {
      if (earlier.owner !== own.owner || earlier.session !== own.session) continue;
      clearTimeout(earlier.timer);
      this.#waiting.delete(earlier);
      earlier.heir = own;
      this.#add(own, [...earlier.orders]);
    }
  }

  /** Orders that were placed on a socket, which may have ended meanwhile. */
  note(connection: Connection, orders: readonly Order[]): void {
    let placed = this.#placedOf(connection);
    while (placed?.heir !== undefined) placed = placed.heir;
    const ids = orders.filter(({ state }) => state === 'PENDING').map(({ id }) => id);
    if (placed === undefined || ids.length === 0) return;
    if (placed.state === 'due') void this.#cancel(placed.owner, ids);
    else if (placed.state !== 'forgotten') this.#add(placed, ids);
  }

  /** The socket has ended. */
  end(connection: Connection): void {
    const placed = this.#placedOf(connection);
    if (placed?.state !== 'connected') return;
    const { timeoutMs } = placed;
    placed.state = timeoutMs === null || this.#isClosed ? 'forgotten' : 'waiting';
    if (placed.state === 'forgotten' || timeoutMs === null) return;
    this.#waiting.add(placed);
    const due = () => this.#due(placed);
    placed.timer = setTimeout(guarded(this.#deps.logger, 'cancel on disconnect', due), timeoutMs);
    placed.timer.unref();
  }

  close(): void {
    this.#isClosed = true;
    for (const { timer } of this.#waiting) clearTimeout(timer);
    this.#waiting.clear();
  }

  #placedOf(connection: Connection): Placed | undefined {
    const known = this.#placed.get(connection);
    if (known !== undefined || connection.login === undefined) return known;
    const { clientId: owner, sessionId: session } = connection.login;
    const orders = new Set<string>();
    const fresh = { owner, session, orders, kept: 0, timeoutMs: null, timer: undefined, heir: undefined };
    const placed: Placed = { ...fresh, state: 'connected' };
    this.#placed.set(connection, placed);
    return placed;
  }

  /** Ended orders are left out whenever the set has doubled, so that it stays as large as what is open. */
  #add(placed: Placed, ids: readonly string[]): void {
    const { orders } = placed;
    for (const id of ids) orders.add(id);
    if (orders.size < PRUNE_ABOVE || orders.size < 2 * placed.kept) return;
    for (const id of orders) if (!this.#deps.orders.isOpen(id)) orders.delete(id);
    placed.kept = orders.size;
  }

  #due(placed: Placed): void {
    this.#waiting.delete(placed);
    placed.state = 'due';
    void this.#cancel(placed.owner, [...placed.orders]);
  }

  async #cancel(owner: number, orderIds: readonly string[]): Promise<void> {
    const { orders, logger } = this.#deps;
    try {
      let left = orderIds.filter((id) => orders.isOpen(id));
      for (let tries = 0; left.length > 0 && tries < MAXIMUM_TRIES && !this.#isClosed; tries += 1) {
        if (tries > 0) await pause(RETRY_MS);
        const refused: string[] = [];
        for (let at = 0; at < left.length; at += AT_ONCE) {
          refused.push(...(await orders.cancelOrders(owner, left.slice(at, at + AT_ONCE))));
        }
        left = refused;
      }
      if (left.length > 0) logger.error({ owner, orders: left.length }, 'Orders of an ended socket were not cancelled');
    } catch (error) {
      logger.error({ err: error, owner }, 'Orders of an ended socket could not be cancelled');
    }
  }
}
