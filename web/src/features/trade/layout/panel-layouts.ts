/** Where the terminal's panels stand when a person has arranged them; kept on the device. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { msg } from '../../../lib/i18n.ts';
import { followOtherTabs } from '../../../lib/other-tabs.ts';
import { onDevice } from '../../../lib/storage.ts';

export type PanelId = 'markets' | 'chart' | 'tickets' | 'book' | 'trades' | 'account';
/** Wide screens have every panel; on medium ones the book shares its panel with the trades. */
export type ScreenSize = 'wide' | 'medium';

/** In cells of the grid. */
export interface PanelPlace {
  readonly i: PanelId;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export const COLUMNS = 24;
/** At the browser's usual text size. */
export const ROW_PX = 36;

export const PANEL_TITLES: Readonly<Record<PanelId, string>> = {
  markets: msg('Markets'),
  chart: msg('Chart'),
  tickets: msg('Order form'),
  book: msg('Order book'),
  trades: msg('Recent trades'),
  account: msg('Your account'),
};

/** Below these a panel cannot be used. */
export const LEAST: Readonly<Record<PanelId, { w: number; h: number }>> = {
  markets: { w: 4, h: 6 },
  chart: { w: 8, h: 9 },
  tickets: { w: 5, h: 8 },
  book: { w: 4, h: 9 },
  trades: { w: 4, h: 5 },
  account: { w: 8, h: 7 },
};

/** Below it Buy and Sell are not side by side, but one of them is shown at a time. */
const BOTH_SIDES_REM = 32.5;

/** Holds in a window where the place of the order form is too narrow for both of its sides. */
export function narrowTicketQuery(places: readonly PanelPlace[] | undefined): string {
  const width = places?.find(({ i }) => i === 'tickets')?.w ?? 0;
  return width === 0 ? '(width < 0)' : `(width < ${(BOTH_SIDES_REM * COLUMNS) / width}em)`;
}

const place = (i: PanelId, x: number, y: number, w: number, h: number): PanelPlace => ({ i, x, y, w, h });

export interface Preset {
  readonly id: string;
  readonly label: string;
  /** Undefined is the arrangement that fits itself to the window. */
  readonly places: Readonly<Record<ScreenSize, readonly PanelPlace[]>> | undefined;
}

/** What editing starts from while nothing was arranged: the standard picture on the grid. */
export const STANDARD: Readonly<Record<ScreenSize, readonly PanelPlace[]>> = {
  wide: [
    place('markets', 0, 0, 4, 24),
    place('chart', 4, 0, 15, 16),
    place('tickets', 4, 16, 15, 8),
    place('book', 19, 0, 5, 14),
    place('trades', 19, 14, 5, 10),
    place('account', 0, 24, 24, 8),
  ],
  medium: [
    place('chart', 0, 0, 17, 16),
    place('tickets', 0, 16, 17, 8),
    place('book', 17, 0, 7, 24),
    place('account', 0, 24, 24, 8),
  ],
};

export const PRESETS: readonly Preset[] = [
  { id: 'standard', label: msg('Standard'), places: undefined },
  {
    id: 'chart',
    label: msg('Large chart'),
    places: {
      wide: [
        place('chart', 0, 0, 19, 17),
        place('book', 19, 0, 5, 17),
        place('tickets', 0, 17, 14, 10),
        place('trades', 14, 17, 5, 10),
        place('markets', 19, 17, 5, 10),
        place('account', 0, 27, 24, 8),
      ],
      medium: [
        place('chart', 0, 0, 24, 15),
        place('tickets', 0, 15, 16, 10),
        place('book', 16, 15, 8, 18),
        place('account', 0, 25, 16, 8),
      ],
    },
  },
  {
    id: 'ticket',
    label: msg('Order form on the right'),
    places: {
      wide: [
        place('chart', 0, 0, 14, 17),
        place('book', 14, 0, 5, 17),
        place('tickets', 19, 0, 5, 17),
        place('account', 0, 17, 14, 9),
        place('trades', 14, 17, 5, 9),
        place('markets', 19, 17, 5, 9),
      ],
      medium: [
        place('chart', 0, 0, 11, 17),
        place('book', 11, 0, 6, 17),
        place('tickets', 17, 0, 7, 17),
        place('account', 0, 17, 24, 8),
      ],
    },
  },
  {
    id: 'book',
    label: msg('Book on the left'),
    places: {
      wide: [
        place('book', 0, 0, 5, 14),
        place('trades', 0, 14, 5, 10),
        place('chart', 5, 0, 14, 16),
        place('tickets', 5, 16, 14, 8),
        place('markets', 19, 0, 5, 24),
        place('account', 0, 24, 24, 8),
      ],
      medium: [
        place('book', 0, 0, 7, 24),
        place('chart', 7, 0, 17, 16),
        place('tickets', 7, 16, 17, 8),
        place('account', 0, 24, 24, 8),
      ],
    },
  },
];

interface LayoutStore {
  readonly places: Partial<Readonly<Record<ScreenSize, readonly PanelPlace[]>>>;
  readonly editing: boolean;
  arrange(size: ScreenSize, places: readonly PanelPlace[]): void;
  choose(preset: Preset): void;
  edit(editing: boolean): void;
}

export const useLayout = create<LayoutStore>()(
  persist(
    (set) => ({
      places: {},
      editing: false,
      arrange: (size, places) => set((store) => ({ places: { ...store.places, [size]: places } })),
      choose: (preset) => set({ places: preset.places ?? {}, editing: false }),
      edit: (editing) => set({ editing }),
    }),
    { ...onDevice('cambist.layout'), partialize: ({ places }) => ({ places }) },
  ),
);

followOtherTabs(useLayout);
