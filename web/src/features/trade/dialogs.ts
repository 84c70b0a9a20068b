/** The terminal's dialogs that several places open: buttons, keys and the command palette. */
import { create } from 'zustand';

export type DialogName = 'pairs' | 'keys' | 'alerts' | 'cancel-all';

interface DialogStore {
  readonly open: DialogName | undefined;
  /** What a new price alert begins with. */
  readonly alertPrice: string;
  show(name: DialogName): void;
  showAlertAt(price: string): void;
  close(): void;
}

export const useDialogs = create<DialogStore>()((set) => ({
  open: undefined,
  alertPrice: '',
  show: (open) => set({ open, alertPrice: '' }),
  showAlertAt: (alertPrice) => set({ open: 'alerts', alertPrice }),
  close: () => set({ open: undefined }),
}));
