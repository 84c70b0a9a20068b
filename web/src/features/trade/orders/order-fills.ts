/** The order whose fills are shown. */
import type { Order } from '@cambist/contract/trading.ts';
import { create } from 'zustand';

interface OrderFillsStore {
  readonly order: Order | undefined;
  show(order: Order): void;
  close(): void;
}

export const useOrderFills = create<OrderFillsStore>()((set) => ({
  order: undefined,
  show: (order) => set({ order }),
  close: () => set({ order: undefined }),
}));
