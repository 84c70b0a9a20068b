/** The little state that screens far apart share: which of the shell's dialogs is open. */
import type { TransferableWallet } from '@cambist/core/ledger/wallets.ts';
import { create } from 'zustand';
import { t } from './i18n.ts';
import { atSessionEnd } from './session-store.ts';

interface TransferRequest {
  readonly coin?: string;
  /** Where the funds are wanted; the wallet of the last transfer where absent. */
  readonly to?: TransferableWallet;
}

interface ShellState {
  readonly fundOpen: boolean;
  /** What the transfer dialog begins with; undefined while it is closed. */
  readonly transfer: TransferRequest | undefined;
  /** Whether there has been a notice yet; what shows them is only mounted then. */
  readonly noticed: boolean;
  readonly chatOpen: boolean;
  /** Messages of the support that the person has not seen. */
  readonly chatUnread: number;
  /** Notifications that were neither announced here nor seen in their list. */
  readonly unread: number;
  setFundOpen(open: boolean): void;
  openTransfer(request: TransferRequest): void;
  closeTransfer(): void;
  setChatOpen(open: boolean): void;
  setChatUnread(count: number): void;
}

export const useShell = create<ShellState>()((set) => ({
  fundOpen: false,
  transfer: undefined,
  noticed: false,
  chatOpen: false,
  chatUnread: 0,
  unread: 0,
  setFundOpen: (fundOpen) => set({ fundOpen }),
  openTransfer: (transfer) => set({ transfer }),
  closeTransfer: () => set({ transfer: undefined }),
  setChatOpen: (chatOpen) => set({ chatOpen }),
  setChatUnread: (chatUnread) => set({ chatUnread }),
}));

atSessionEnd(() => useShell.getState().closeTransfer());

/** What leads to the notifications says. */
export const notificationsLabel = (unread: number): string =>
  unread > 0 ? t('Notifications, {{count}} unread', { count: unread }) : t('Notifications');

/** What a button that opens the chat says. */
export const chatLabel = (unread: number): string =>
  unread > 0 ? t('Live chat, {{count}} unread', { count: unread }) : t('Live chat');
