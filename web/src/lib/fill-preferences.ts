/** What a person wants to notice of orders that are filled; stays on the device. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { followOtherTabs } from './other-tabs.ts';
import { onDevice } from './storage.ts';

interface FillPreferences {
  readonly notices: boolean;
  readonly sound: boolean;
  set(change: Partial<Pick<FillPreferences, 'notices' | 'sound'>>): void;
}

export const useFillPreferences = create<FillPreferences>()(
  persist((set) => ({ notices: true, sound: false, set: (change) => set(change) }), onDevice('cambist.fills')),
);

followOtherTabs(useFillPreferences);
