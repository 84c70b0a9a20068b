/** The terminal's dialogs that several places open: buttons, keys and the command palette. */
import { create } from 'zustand';

export type DialogName = 'pairs' | 'keys' | 'alerts' | 'cancel-all';

interface DialogStore {
  readonly open: DialogName | undefined;
  show(name: DialogName): void;
  close(): void;
}

export const useDialogs = create<DialogStore>()((set) => ({
  open: undefined,
  show: (open) => set({ open }),
  close: () => set({ open: undefined }),
}));
