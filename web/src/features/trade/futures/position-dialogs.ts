/** What is about to be done with which position. */
import { create } from 'zustand';

export type PositionDialog = 'close' | 'reverse' | 'margin' | 'exits';

interface PositionDialogs {
  readonly open: PositionDialog | undefined;
  /** Of the position: `BTC-USDT-SWAP`. */
  readonly symbol: string;
  show(open: PositionDialog, symbol: string): void;
  close(): void;
}

export const usePositionDialogs = create<PositionDialogs>()((set) => ({
  open: undefined,
  symbol: '',
  show: (open, symbol) => set({ open, symbol }),
  close: () => set({ open: undefined }),
}));
