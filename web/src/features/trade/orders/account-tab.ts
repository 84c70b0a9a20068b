/** Which of the account's lists is open; other parts of the screen can bring one into view. */
import { create } from 'zustand';

export type SpotTab = 'open' | 'orders' | 'trades' | 'funds';
export type FuturesTab = 'positions' | 'open' | 'orders' | 'trades' | 'closed' | 'changes' | 'funding' | 'liquidations';
export type AccountTab = SpotTab | FuturesTab;

interface AccountTabStore {
  /** Undefined until one is chosen. */
  readonly tab: AccountTab | undefined;
  /** How often a list was brought into view. */
  readonly revealed: number;
  choose(tab: AccountTab): void;
  reveal(tab: AccountTab): void;
}

export const useAccountTab = create<AccountTabStore>()((set) => ({
  tab: undefined,
  revealed: 0,
  choose: (tab) => set({ tab }),
  reveal: (tab) => set(({ revealed }) => ({ tab, revealed: revealed + 1 })),
}));
