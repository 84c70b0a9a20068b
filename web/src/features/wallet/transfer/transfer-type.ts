/** The wallet that the transfer screen starts with as its destination; kept on the device. */
import type { WalletName } from '@cambist/contract/transfers.ts';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { onDevice } from '../../../lib/storage.ts';

interface TransferTypeState {
  readonly type: WalletName;
  setType(type: WalletName): void;
}

export const useTransferType = create<TransferTypeState>()(
  persist((set) => ({ type: 'FUTURE', setType: (type) => set({ type }) }), onDevice('cambist.transfer')),
);
