/** Which side is shown where the form has room for one: in the sheet of a phone, and in a narrow panel. */
import { flushSync } from 'react-dom';
import { create } from 'zustand';
import type { Side } from './ticket.ts';

interface ShownSide {
  readonly side: Side;
  /** Of the sheet, which only phones have. */
  readonly opened: boolean;
  choose(side: Side): void;
  open(side: Side): void;
  close(): void;
}

export const useShownSide = create<ShownSide>()((set) => ({
  side: 'BUY',
  opened: false,
  choose: (side) => set({ side }),
  open: (side) => set({ side, opened: true }),
  close: () => set({ opened: false }),
}));

const amountField = (side: Side) => document.querySelector<HTMLInputElement>(`input[data-amount="${side}"]`);

/** To the amount of a side. On a phone the sheet opens, without the keyboard that a focus would bring over it. */
export function goToAmount(side: Side): void {
  flushSync(() => useShownSide.getState().choose(side));
  const field = amountField(side);
  if (!field) useShownSide.getState().open(side);
  field?.focus();
  field?.select();
}
