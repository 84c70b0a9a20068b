/** What a person chose about the terminal; stays on the device. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { followOtherTabs } from '../../lib/other-tabs.ts';
import { onDevice } from '../../lib/storage.ts';

/** The specification has both: five, and ten in a variant. */
export const PAGE_SIZES = [5, 10] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

/** What the order book shows. */
export const BOOK_SIDES = ['both', 'bids', 'asks'] as const;
export type BookSides = (typeof BOOK_SIDES)[number];

interface TradePreferences {
  readonly pageSize: PageSize;
  readonly bookSides: BookSides;
  /** Whether single keys act on the terminal. */
  readonly keys: boolean;
  set(change: Partial<Pick<TradePreferences, 'pageSize' | 'bookSides' | 'keys'>>): void;
}

export const useTradePreferences = create<TradePreferences>()(
  persist(
    (set) => ({ pageSize: 5, bookSides: 'both', keys: true, set: (change) => set(change) }),
    onDevice('cambist.trade'),
  ),
);

followOtherTabs(useTradePreferences);
