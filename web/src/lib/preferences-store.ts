/** What a person chose about looks and comfort; stays on the device when they sign out, but for what decides about orders. */
import type { LocaleName } from '@cambist/contract/locales.ts';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { followOtherTabs } from './other-tabs.ts';
import { atSessionEnd } from './session-store.ts';
import { onDevice } from './storage.ts';

export type Scheme = 'dark' | 'light';
export type DirectionColours = 'green-red' | 'blue-orange';

/** Percent from the best price at which a market order warns; 0 never does. */
export const SLIPPAGE_LIMITS = [0.1, 0.5, 1, 3, 0] as const;
export type SlippageLimit = (typeof SLIPPAGE_LIMITS)[number];

interface PreferencesState {
  readonly scheme: Scheme;
  readonly direction: DirectionColours;
  /** While unlocked, orders go out without the summary dialog. */
  readonly skipConfirmation: boolean;
  /** Here and not with the terminal's choices: those are not loaded where a session ends on another screen. */
  readonly slippageLimit: SlippageLimit;
  /** Undefined follows the browser. */
  readonly locale: LocaleName | undefined;
  /** The announcement that the person has closed. */
  readonly closedBanner: string | undefined;
  /** The announcement that has come in here already. */
  readonly shownBanner: string | undefined;
  setScheme(scheme: Scheme): void;
  setDirection(direction: DirectionColours): void;
  setSkipConfirmation(skip: boolean): void;
  setSlippageLimit(limit: SlippageLimit): void;
  setLocale(locale: LocaleName | undefined): void;
  closeBanner(id: string): void;
  showBanner(id: string): void;
}

/** What decides about orders. */
const CAREFUL = { skipConfirmation: false, slippageLimit: 0.5 } as const;

export const usePreferences = create<PreferencesState>()(
  persist(
    (set) => ({
      scheme: 'dark',
      direction: 'green-red',
      ...CAREFUL,
      locale: undefined,
      closedBanner: undefined,
      shownBanner: undefined,
      setScheme: (scheme) => set({ scheme }),
      setDirection: (direction) => set({ direction }),
      setSkipConfirmation: (skipConfirmation) => set({ skipConfirmation }),
      setSlippageLimit: (slippageLimit) => set({ slippageLimit }),
      setLocale: (locale) => set({ locale }),
      closeBanner: (closedBanner) => set({ closedBanner }),
      showBanner: (shownBanner) => set({ shownBanner }),
    }),
    onDevice('cambist.preferences'),
  ),
);

followOtherTabs(usePreferences);

// Whoever signs in next has not chosen that their orders go out unseen, or without a warning.
atSessionEnd(() => usePreferences.setState(CAREFUL));
