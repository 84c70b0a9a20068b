/** Where the menu of the price pane is open, and what it offers at a price. */
import { create } from 'zustand';
import { compare, type Decimal, decimal } from '../../../lib/decimal.ts';
import { goToAmount } from '../ticket/shown-side.ts';
import type { Side } from '../ticket/ticket.ts';
import { useTicket } from '../ticket/use-ticket.ts';

/** A point of the window, in its pixels. */
export interface ClientPoint {
  readonly x: number;
  readonly y: number;
}

interface ChartMenuStore {
  /** `keyboard`: at the price under the pointer if it is over the chart, else at the last one. */
  readonly at: ClientPoint | 'keyboard' | undefined;
  open(at: ClientPoint | 'keyboard'): void;
  close(): void;
}

export const useChartMenu = create<ChartMenuStore>()((set) => ({
  at: undefined,
  open: (at) => set({ at }),
  close: () => set({ at: undefined }),
}));

type Box = Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>;

/** Where in the pane a point is, from the pane's corner. The axis to its right counts as a part of it. */
export function pointInPane(pane: Box, axisPx: number, { x, y }: ClientPoint): ClientPoint | undefined {
  const inside = { x: x - pane.left, y: y - pane.top };
  const isInside = inside.x >= 0 && inside.x < pane.width + axisPx && inside.y >= 0 && inside.y < pane.height;
  return isInside ? inside : undefined;
}

/** A height of the chart as a price of the market: whole ticks, and at least one. */
export function priceOf(value: number | undefined, scale: number): string | undefined {
  if (value === undefined || !Number.isFinite(value)) return undefined;
  const price = value.toFixed(scale);
  return decimal(price).units > 0n ? price : undefined;
}

export interface TradeAt {
  readonly side: Side;
  readonly type: 'limit' | 'stop_market';
}

/**
 * What can be placed at a price: below the market a purchase waits in the book and a sale stops a loss, above it the
 * other way round. The other limits would trade at once, at a price that was not pointed at.
 */
export function tradesAt(price: string, last: string): readonly TradeAt[] {
  const [here, market]: Decimal[] = [decimal(price), decimal(last)];
  if (!here || !market) return [];
  const below = compare(here, market) <= 0;
  return [
    { side: below ? 'BUY' : 'SELL', type: 'limit' },
    { side: below ? 'SELL' : 'BUY', type: 'stop_market' },
  ];
}

/**
 * Fills the order form instead of placing an order: a price that was pointed at has no amount yet, and the form says what
 * it costs, what is wrong with it and how far it is from the market. From there it is confirmed as every other order is.
 */
export function prefill({ side, type }: TradeAt, price: string): void {
  const { dispatch } = useTicket.getState();
  dispatch({ kind: 'type', type });
  dispatch({ kind: 'price', side, name: type === 'limit' ? 'price' : 'stop', price });
  goToAmount(side);
}
