/** What a person has put on the chart of each pair; stays on the device. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { followOtherTabs } from '../../../lib/other-tabs.ts';
import { onDevice } from '../../../lib/storage.ts';
import { FIRST_INDICATORS, type IndicatorChoice } from './indicators.ts';

export interface DrawingPoint {
  readonly timestamp: number;
  readonly value: number;
}

export interface Drawing {
  readonly id: string;
  /** Of the tool. */
  readonly name: string;
  readonly points: readonly Partial<DrawingPoint>[];
}

interface PairChart {
  readonly indicators: readonly IndicatorChoice[];
  readonly drawings: readonly Drawing[];
}

/** How the prices are drawn. */
export const CHART_KINDS = ['candles', 'hollow', 'line', 'heikin-ashi'] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

/** Which price of a perpetual is drawn; a spot market has the last alone. */
export const CHART_PRICES = ['last', 'mark', 'index'] as const;
export type ChartPrice = (typeof CHART_PRICES)[number];

const FRESH: PairChart = { indicators: FIRST_INDICATORS, drawings: [] };
const DRAWINGS_KEPT = 100;

interface ChartStore {
  readonly pairs: Readonly<Record<string, PairChart>>;
  /** Own orders and fills on the chart. */
  readonly showOrders: boolean;
  readonly showTools: boolean;
  readonly kind: ChartKind;
  readonly price: ChartPrice;
  /** Of the axis of prices; even otherwise. */
  readonly logarithmic: boolean;
  /** By pair, which other one is drawn over it in percent. */
  readonly compared: Readonly<Record<string, string | undefined>>;
  setIndicators(symbol: string, indicators: readonly IndicatorChoice[]): void;
  setDrawings(symbol: string, drawings: readonly Drawing[]): void;
  setShowOrders(show: boolean): void;
  setShowTools(show: boolean): void;
  setKind(kind: ChartKind): void;
  setPrice(price: ChartPrice): void;
  setLogarithmic(logarithmic: boolean): void;
  compare(symbol: string, other: string | undefined): void;
}

function withPair(store: ChartStore, symbol: string, change: Partial<PairChart>) {
  return { pairs: { ...store.pairs, [symbol]: { ...(store.pairs[symbol] ?? FRESH), ...change } } };
}

export const useChartStore = create<ChartStore>()(
  persist(
    (set) => ({
      pairs: {},
      showOrders: true,
      showTools: false,
      kind: 'candles',
      price: 'last',
      logarithmic: false,
      compared: {},
      setIndicators: (symbol, indicators) => set((store) => withPair(store, symbol, { indicators })),
      setDrawings: (symbol, drawings) =>
        set((store) => withPair(store, symbol, { drawings: drawings.slice(-DRAWINGS_KEPT) })),
      setShowOrders: (showOrders) => set({ showOrders }),
      setShowTools: (showTools) => set({ showTools }),
      setKind: (kind) => set({ kind }),
      setPrice: (price) => set({ price }),
      setLogarithmic: (logarithmic) => set({ logarithmic }),
      compare: (symbol, other) => set(({ compared }) => ({ compared: { ...compared, [symbol]: other } })),
    }),
    onDevice('cambist.chart'),
  ),
);

// Who trades two pairs has two tabs, and draws in both.
followOtherTabs(useChartStore);

/** Candles on an even scale, and nothing compared: what the chart is without its other looks. */
export function isPlain(store: ChartStore, symbol: string): boolean {
  return store.kind === 'candles' && !store.logarithmic && store.compared[symbol] === undefined;
}

export function pairChart(store: ChartStore, symbol: string): PairChart {
  return store.pairs[symbol] ?? FRESH;
}
