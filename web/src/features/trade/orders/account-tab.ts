/** Which of the account's lists is open; other parts of the screen can bring one into view. */
import { create } from 'zustand';

export type AccountTab = 'open' | 'orders' | 'trades' | 'funds';

interface AccountTabStore {
  readonly tab: AccountTab;
  /** How often a list was brought into view. */
  readonly revealed: number;
  choose(tab: AccountTab): void;
  reveal(tab: AccountTab): void;
}

export const useAccountTab = create<AccountTabStore>()((set) => ({
  tab: 'open',
  revealed: 0,
  choose: (tab) => set({ tab }),
  reveal: (tab) => set(({ revealed }) => ({ tab, revealed: revealed + 1 })),
}));
