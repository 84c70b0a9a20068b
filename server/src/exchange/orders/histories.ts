/** A client's ended orders and fills: pages of them, and all of them one after another for a file. */
import type { Fill, Order } from '@cambist/contract/trading.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import type { Pages } from '../../platform/files.ts';
import type { Engine } from '../engine/engine.ts';
import { describeFill, describeOrder } from './describe.ts';
import type { OrderError } from './errors.ts';
import type { FillStore, Walked } from './fill-store.ts';
import type { OrderStore } from './order-store.ts';
import type { MarketLookup } from './service.ts';
import type { WantedMarkets } from './wanted.ts';

export interface HistoryDeps {
  readonly engine: Pick<Engine, 'projector'>;
  readonly markets: Pick<MarketLookup, 'wanted' | 'byId'>;
  readonly orders: Pick<OrderStore, 'ended' | 'order'>;
  readonly fills: FillStore;
}

interface When extends WantedMarkets {
  readonly side?: 'BUY' | 'SELL' | undefined;
  /** Ms since 1970, both included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly before?: string | undefined;
}

export interface OrderQuery extends When {
  readonly type?: 'limit' | 'market' | 'conditional' | 'twap' | 'convert' | undefined;
  readonly state?: 'APPROVED' | 'DISSAPROVED' | undefined;
}

export interface FillQuery extends When {
  readonly role?: 'maker' | 'taker' | undefined;
  readonly order_id?: string | undefined;
}

interface Range {
  readonly first: number;
  readonly before: number;
}

/** How many rows of a client one statement looks at, however few of them are wanted: it stays short. */
export interface Stride {
  readonly first: number;
  readonly most: number;
}

const MOST_AT_ONCE = 2000;
const BEYOND_ALL = Number.MAX_SAFE_INTEGER;

const sideOf = (side: 'BUY' | 'SELL' | undefined) => (side === undefined ? undefined : side === 'BUY' ? BUY : SELL);

export class Histories {
  readonly #deps: HistoryDeps;

  constructor(deps: HistoryDeps) {
    this.#deps = deps;
  }

  async orders(owner: number, query: OrderQuery, stride: Stride): Promise<Pages<Order> | OrderError> {
    await this.#deps.engine.projector.caughtUp();
    const markets = this.#deps.markets.wanted(query);
    if (markets === undefined) return { kind: 'unknown-pair', name: query.symbol ?? '' };
    const state = query.state && (query.state === 'APPROVED' ? ('filled' as const) : ('cancelled' as const));
    const filter = { owner, markets, side: sideOf(query.side), type: query.type, state };
    const range = await this.#rangeOf('orders', query);
    return this.#walk('orders', owner, range, stride, async (span) => {
      const views = await this.#deps.orders.ended({ ...filter, ...span });
      return views.map((view) => describeOrder(this.#deps.markets.byId(view.market), view));
    });
  }

  async fills(owner: number, query: FillQuery, stride: Stride): Promise<Pages<Fill> | OrderError> {
    await this.#deps.engine.projector.caughtUp();
    const { symbol, market, order_id: named } = query;
    // An order is of one market, which need not be said again.
    const markets = this.#deps.markets.wanted({ symbol, market: market ?? (named === undefined ? 'spot' : 'all') });
    if (markets === undefined) return { kind: 'unknown-pair', name: symbol ?? '' };
    const order = named === undefined ? undefined : await this.#deps.orders.order(owner, Number(named));
    if (named !== undefined && order === undefined) return { kind: 'order-not-found' };
    // An order's fills lie between its placing and its last change.
    const within = order && {
      from: Math.max(query.from ?? 0, order.createdAt),
      to: Math.min(query.to ?? BEYOND_ALL, order.updatedAt),
    };
    const range = await this.#rangeOf('fills', { ...query, ...within });
    const filter = { owner, markets, side: sideOf(query.side), role: query.role, order: order?.orderId };
    return this.#walk('fills', owner, range, stride, async (span) => {
      const rows = await this.#deps.fills.fills({ ...filter, ...span });
      return rows.map((row) => describeFill(this.#deps.markets.byId(row.market), row));
    });
  }

  async #rangeOf(walked: Walked, { from, to, before }: When): Promise<Range> {
    const [first, end] = await Promise.all([
      from === undefined ? 0 : this.#deps.fills.firstAt(walked, from),
      to === undefined || to === BEYOND_ALL ? BEYOND_ALL : this.#deps.fills.firstAt(walked, to + 1),
    ]);
    return { first, before: Math.min(end, before === undefined ? BEYOND_ALL : Number(before)) };
  }

  /** By ids, so that rows which are new meanwhile move none of those that follow. */
  async *#walk<Row>(
    walked: Walked,
    owner: number,
    { first, before: end }: Range,
    { first: firstSize, most }: Stride,
    read: (span: Range) => Promise<readonly Row[]>,
  ): Pages<Row> {
    let before = end;
    for (let size = firstSize; before > first; size = Math.min(most, size * 2)) {
      const span = await this.#deps.fills.span(walked, owner, first, before, size);
      if (span === undefined) return;
      yield await read({ first: span.first, before });
      if (span.count < size) return;
      before = span.first;
    }
  }
}

/** For a list that ends soon unless its filters leave most out. */
export const listStride = (limit: number): Stride => ({ first: limit, most: MOST_AT_ONCE });

/** The first rows of a history. */
export async function firstRows<Row>(pages: Pages<Row>, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) {
    rows.push(...page.slice(0, limit - rows.length));
    if (rows.length >= limit) break;
  }
  return rows;
}
