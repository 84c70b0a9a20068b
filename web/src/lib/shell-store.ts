/** The little state that screens far apart share: which of the shell's dialogs is open. */
import { create } from 'zustand';

interface ShellState {
  readonly fundOpen: boolean;
  readonly chatOpen: boolean;
  setFundOpen(open: boolean): void;
  setChatOpen(open: boolean): void;
}

export const useShell = create<ShellState>()((set) => ({
  fundOpen: false,
  chatOpen: false,
  setFundOpen: (fundOpen) => set({ fundOpen }),
  setChatOpen: (chatOpen) => set({ chatOpen }),
}));
