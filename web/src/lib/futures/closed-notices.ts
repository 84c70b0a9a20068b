/** What was closed, as the positions panel states it until the person dismisses it. Kept until the session ends. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { t } from '../i18n.ts';
import { endWithSession, ofClient } from '../kept-answers.ts';

export interface ClosedNotice {
  readonly id: string;
  readonly pair: string;
  /** The amount with its coin. */
  readonly size: string;
}

/** More would push the open positions out of the panel; the trade history has every close. */
const SHOWN = 3;

interface ClosedNotices {
  readonly notices: readonly ClosedNotice[];
  add(notice: Omit<ClosedNotice, 'id'>): void;
  dismiss(id: string): void;
}

export const useClosedNotices = create<ClosedNotices>()(
  persist(
    (set) => ({
      notices: [],
      add: (notice) =>
        set(({ notices }) => ({ notices: [...notices, { ...notice, id: crypto.randomUUID() }].slice(-SHOWN) })),
      dismiss: (id) => set(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) })),
    }),
    ofClient('closed-positions'),
  ),
);

endWithSession(useClosedNotices);

/** The notices as a panel shows them. */
export function useClosedTexts() {
  const { notices, dismiss } = useClosedNotices();
  const texts = notices.map(({ id, pair, size }) => ({
    id,
    title: t('Close Position Success'),
    text: [pair, size].filter((part) => part !== '').join(' · '),
  }));
  return { notices: texts, onDismiss: dismiss };
}
