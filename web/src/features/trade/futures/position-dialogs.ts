/** What is about to be done with which position. */
import { create } from 'zustand';

export type PositionDialog = 'close' | 'reverse' | 'margin' | 'exits';

interface PositionDialogs {
  readonly open: PositionDialog | undefined;
  /** Of the position. */
  readonly id: string;
  show(open: PositionDialog, id: string): void;
  close(): void;
}

export const usePositionDialogs = create<PositionDialogs>()((set) => ({
  open: undefined,
  id: '',
  show: (open, id) => set({ open, id }),
  close: () => set({ open: undefined }),
}));
