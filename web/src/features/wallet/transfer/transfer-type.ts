/** The wallet that the transfer screen starts with as its destination; kept on the device until the session ends. */
import type { TransferableWallet } from '@cambist/core/ledger/wallets.ts';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { endWithSession, ofClient } from '../../../lib/kept-answers.ts';

interface TransferTypeState {
  readonly type: TransferableWallet;
  setType(type: TransferableWallet): void;
}

export const useTransferType = create<TransferTypeState>()(
  persist((set) => ({ type: 'FUTURE', setType: (type) => set({ type }) }), ofClient('transfer')),
);

endWithSession(useTransferType);
