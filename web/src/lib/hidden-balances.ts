/** Whether amounts are covered on this device, for who is not alone before the screen; it stays over visits. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { followOtherTabs } from './other-tabs.ts';
import { onDevice } from './storage.ts';

interface HiddenBalancesState {
  readonly areHidden: boolean;
  toggle(): void;
}

export const useHiddenBalances = create<HiddenBalancesState>()(
  persist(
    (set) => ({ areHidden: false, toggle: () => set(({ areHidden }) => ({ areHidden: !areHidden })) }),
    onDevice('cambist.hidden-balances'),
  ),
);

followOtherTabs(useHiddenBalances);
