/** Quotes on both sides of every market. Knows its open orders from the committed events alone. */

import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import { HOUSE_MAKER } from '@cambist/core/ledger/account.ts';
import { BUY, SELL, type Side } from '@cambist/core/terms/order-terms.ts';
import type { ExchangeView } from '../engine/feed.ts';
import type { MarketInfo } from '../instruments/service.ts';
import type { Random } from '../market-data/service.ts';
import { desiredPrices, planSide, type Quote, shapeOf } from './ladder.ts';
import type { OrderSender } from './order-sender.ts';
import { usdtPerTrade } from './pace.ts';

interface Deps {
  readonly sender: OrderSender;
  readonly view: Pick<ExchangeView, 'openOrdersOf' | 'bandPrice'>;
  readonly clock: { now(): number };
  readonly random: Random;
}

interface OwnOrder extends Quote {
  readonly side: Side;
  /** Lots that were filled. */
  readonly filled: number;
}

interface MarketQuotes {
  readonly orders: Map<number, OwnOrder>;
  /** Orders with a command on its way. */
  readonly busy: Set<number>;
  /** New orders on their way, by side. */
  readonly placing: [number, number];
  /** A refused order is not tried again before this time. */
  refusedUntil: number;
}

/** An ordinary trade empties about half of the best quote; deeper ones are larger. */
const SIZE_IN_TRADES = 1.6;
const GROWTH_PER_GAP = 0.12;
const REFUSED_PAUSE_MS = 3_000;

/** Of the size of an ordinary trade, growing with the distance from the reference, and never below what a market takes. */
function lotsFor(
  { spec, dailyTurnover }: MarketInfo,
  price: number,
  { reference, gap, random }: { readonly reference: number; readonly gap: number; readonly random: Random },
): number {
  const depth = Math.abs(price - reference) / gap;
  const usdt = usdtPerTrade(dailyTurnover) * SIZE_IN_TRADES * (1 + GROWTH_PER_GAP * depth);
  const lots = (usdt * Math.exp(0.7 * random.normal()) * 10 ** (spec.tickScale + spec.lotScale)) / price;
  const notionalFloor = Number(spec.minimumNotional) / 10 ** (spec.quote.scale - spec.tickScale - spec.lotScale);
  const smallest = Math.max(spec.minimumLots, Math.ceil((2 * notionalFloor) / price));
  return Math.min(spec.maximumLots, Math.max(smallest, Math.round(lots)));
}

export class Maker {
  readonly #deps: Deps;
  #quotes = new Map<number, MarketQuotes>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Takes over what is open: after a start, or when the fate of commands is unknown. */
  takeOver(): void {
    this.#quotes = new Map();
    for (const { orderId, market, side, price, quantity, remaining } of this.#deps.view.openOrdersOf(HOUSE_MAKER)) {
      this.#quotesOf(market).orders.set(orderId, { orderId, side, price, filled: quantity - remaining });
    }
  }

  onOrder(events: EventBatch, at: number): void {
    const { orders } = this.#quotesOf(events.market(at));
    const orderId = events.orderId(at);
    const order = { orderId, side: events.side(at), price: events.price(at) };
    if (events.status(at) !== 'open') orders.delete(orderId);
    else orders.set(orderId, { ...order, filled: events.quantity(at) - events.remaining(at) });
  }

  /**
   * Brings the quotes of a market to the reference; the side that moves away goes first, so quotes never meet.
   * @returns how many commands were sent
   */
  quote(market: MarketInfo, reference: number): number {
    const own = [...this.#quotesOf(market.spec.id).orders.values()];
    const bestAsk = Math.min(...own.filter((order) => order.side === SELL).map((order) => order.price));
    const [first, second] = reference >= bestAsk ? ([SELL, BUY] as const) : ([BUY, SELL] as const);
    return this.#quoteSide(market, first, reference) + this.#quoteSide(market, second, reference);
  }

  /** Whether quotes around a price are within the market's band. */
  mayQuote({ spec, dailyVolatility }: MarketInfo, reference: number): boolean {
    const { lowest, highest } = shapeOf(
      reference,
      dailyVolatility,
      this.#deps.view.bandPrice(spec.id),
      spec.priceBandPpm,
    );
    return reference >= lowest && reference <= highest;
  }

  /** Its best quotes, ticks; 0 and infinite where a side has none. */
  best(market: number): { readonly bid: number; readonly ask: number } {
    const own = [...this.#quotesOf(market).orders.values()];
    const pricesOf = (side: Side) => own.filter((order) => order.side === side).map(({ price }) => price);
    return { bid: Math.max(0, ...pricesOf(BUY)), ask: Math.min(...pricesOf(SELL)) };
  }

  /** Takes every quote of a market away. */
  pull(market: number): void {
    const state = this.#quotesOf(market);
    for (const orderId of state.orders.keys()) if (!state.busy.has(orderId)) void this.#cancel(market, orderId);
  }

  /** Takes away the quotes that a price has run past, and all where there is none. */
  async pullStale(market: number, price: number | undefined): Promise<void> {
    const stale = [...this.#quotesOf(market).orders.values()].filter(
      (order) => price === undefined || (order.side === BUY ? order.price > price : order.price < price),
    );
    await Promise.all(stale.map(({ orderId }) => this.#cancel(market, orderId)));
  }

  openQuotes(market: number): number {
    return this.#quotesOf(market).orders.size;
  }

  #quotesOf(market: number): MarketQuotes {
    const known = this.#quotes.get(market) ?? { orders: new Map(), busy: new Set(), placing: [0, 0], refusedUntil: 0 };
    this.#quotes.set(market, known);
    return known;
  }

  #quoteSide(market: MarketInfo, side: Side, reference: number): number {
    const { view, clock, random } = this.#deps;
    const { spec, dailyVolatility } = market;
    const state = this.#quotesOf(spec.id);
    if (state.busy.size > 0 || state.placing[side] > 0 || state.refusedUntil > clock.now()) return 0;
    const shape = shapeOf(reference, dailyVolatility, view.bandPrice(spec.id), spec.priceBandPpm);
    const own = [...state.orders.values()].filter((order) => order.side === side);
    const desired = desiredPrices(side, reference, shape);
    const plan = planSide(desired, own, shape, () => (random.uniform() - 0.5) / 2);
    const lots = (price: number) => lotsFor(market, price, { reference, gap: shape.gap, random });
    for (const orderId of plan.cancels) void this.#cancel(spec.id, orderId);
    for (const { orderId, price } of plan.moves) {
      void this.#move(spec.id, state.orders.get(orderId)!, price, lots(price));
    }
    for (const price of plan.places) void this.#place(market, side, price, lots(price));
    return plan.cancels.length + plan.moves.length + plan.places.length;
  }

  async #place(market: MarketInfo, side: Side, price: number, quantity: number): Promise<void> {
    const state = this.#quotesOf(market.spec.id);
    state.placing[side] += 1;
    const placed = await this.#deps.sender.submit({
      kind: 'place-order',
      owner: HOUSE_MAKER,
      market: market.spec.id,
      side,
      type: 'limit',
      timeInForce: 'GTC',
      price,
      quantity,
      quoteTotal: 0n,
      selfTrade: 'CANCEL_OLDEST',
    });
    state.placing[side] -= 1;
    if (placed?.outcome.ok === false) state.refusedUntil = this.#deps.clock.now() + REFUSED_PAUSE_MS;
  }

  async #cancel(market: number, orderId: number): Promise<void> {
    const state = this.#quotesOf(market);
    state.busy.add(orderId);
    await this.#deps.sender.submit({ kind: 'cancel-order', owner: HOUSE_MAKER, orderId });
    state.busy.delete(orderId);
  }

  /** A quote that can't move, because it would trade, is cancelled; the next round puts a new one that trades. */
  async #move(market: number, order: OwnOrder, price: number, lots: number): Promise<void> {
    const state = this.#quotesOf(market);
    const { orderId } = order;
    state.busy.add(orderId);
    const quantity = lots + order.filled;
    const command = { kind: 'amend-order' as const, owner: HOUSE_MAKER, orderId, price, quantity };
    const moved = await this.#deps.sender.submit(command);
    state.busy.delete(orderId);
    if (moved !== undefined && !moved.outcome.ok && state.orders.has(orderId)) await this.#cancel(market, orderId);
  }
}
