/** The change of an order that a person has begun: from a line on the chart or from the list. */
import type { Order } from '@cambist/contract/trading.ts';
import { create } from 'zustand';

export type AmendField =
  | 'price'
  | 'quantity'
  | 'stop_price'
  | 'stop_limit_price'
  | 'take_profit_price'
  | 'take_profit_limit_price';
export type AmendChanges = Partial<Readonly<Record<AmendField, string>>>;

export interface Amendment {
  readonly order: Order;
  readonly changes: AmendChanges;
  /** The person has already shown what they want by dragging. */
  readonly fromChart: boolean;
}

interface AmendStore {
  readonly amendment: Amendment | undefined;
  begin(amendment: Amendment): void;
  end(): void;
}

export const useAmend = create<AmendStore>()((set) => ({
  amendment: undefined,
  begin: (amendment) => set({ amendment }),
  end: () => set({ amendment: undefined }),
}));
