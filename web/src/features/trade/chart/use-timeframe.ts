import { create } from 'zustand';
import { storedTimeframe, storeTimeframe, type Timeframe } from './timeframes.ts';

interface TimeframeStore {
  readonly timeframe: Timeframe;
  choose(timeframe: Timeframe): void;
}

/** One for the whole screen, so that keys and buttons set the same; kept for the session. */
export const useTimeframe = create<TimeframeStore>()((set) => ({
  timeframe: storedTimeframe(),
  choose: (timeframe) => {
    storeTimeframe(timeframe);
    set({ timeframe });
  },
}));
