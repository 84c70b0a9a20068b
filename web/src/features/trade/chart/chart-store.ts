/** What a person has put on the chart of each pair; stays on the device. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
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

const FRESH: PairChart = { indicators: FIRST_INDICATORS, drawings: [] };
const DRAWINGS_KEPT = 100;

interface ChartStore {
  readonly pairs: Readonly<Record<string, PairChart>>;
  /** Own orders and fills on the chart. */
  readonly showOrders: boolean;
  readonly showTools: boolean;
  setIndicators(symbol: string, indicators: readonly IndicatorChoice[]): void;
  setDrawings(symbol: string, drawings: readonly Drawing[]): void;
  setShowOrders(show: boolean): void;
  setShowTools(show: boolean): void;
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
      setIndicators: (symbol, indicators) => set((store) => withPair(store, symbol, { indicators })),
      setDrawings: (symbol, drawings) =>
        set((store) => withPair(store, symbol, { drawings: drawings.slice(-DRAWINGS_KEPT) })),
      setShowOrders: (showOrders) => set({ showOrders }),
      setShowTools: (showTools) => set({ showTools }),
    }),
    { name: 'cambist.chart' },
  ),
);

export function pairChart(store: ChartStore, symbol: string): PairChart {
  return store.pairs[symbol] ?? FRESH;
}
