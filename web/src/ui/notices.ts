/**
 * Short notices in the lower left, where what shows them is fetched with the first. How long each stays is the
 * specification's. What a person has to keep is in a list or in the panel that it belongs to, not here.
 */
import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { persist } from '../lib/persist.ts';
import { useShell } from '../lib/shell-store.ts';

export const NOTICE_MS = {
  default: 6_000,
  success: 2_000,
  /** Orders, conversions, transfers and what else the trading screens do. */
  trade: 3_000,
} as const;

/** Notices shown at once. */
export const MAX_NOTICES = 3;

interface Shown {
  readonly id?: string;
  readonly color?: string;
  readonly autoClose?: number | boolean;
}

/**
 * The notice that closes early for a new one: the oldest success, or the oldest error. Notices without a timer wait for
 * room instead, and come back.
 * @param shown all notices, the oldest first
 */
export function givesWay<Each extends Shown>(shown: readonly Each[]): Each | undefined {
  const timed = shown.filter(({ autoClose }) => autoClose !== false);
  if (timed.length < MAX_NOTICES) return undefined;
  return timed.find(({ color }) => color !== 'red') ?? timed[0];
}

/** A higher one is shown before those without a timer. */
const TIMED_PRIORITY = 1;

interface Notice {
  readonly title: string;
  readonly message: string;
  readonly color: 'teal' | 'red';
  readonly autoClose: number;
  /** What it is about: said once, whoever says it first. */
  readonly id?: string;
}

/** A notice that cannot be shown now, for want of a connection, is shown with it. */
const loadNotices = () => persist(() => import('@mantine/notifications'));

async function show(notice: Notice): Promise<void> {
  useShell.setState({ noticed: true });
  const { notifications, notificationsStore } = await loadNotices();
  const state = notificationsStore.getState();
  const old = givesWay([...state.notifications, ...state.queue]);
  if (old?.id !== undefined && old.id !== notice.id) notifications.hide(old.id);
  // A message of several lines keeps them.
  const styles = { description: { whiteSpace: 'pre-line' } } as const;
  notifications.show({
    ...notice,
    styles,
    priority: TIMED_PRIORITY,
    withBorder: true,
    closeButtonProps: { 'aria-label': t('Dismiss') },
  });
}

export function noticeSuccess(
  title: string,
  message: string,
  autoClose: number = NOTICE_MS.success,
  id?: string,
): void {
  void show({ title, message, autoClose, color: 'teal', ...(id !== undefined && { id }) });
}

export function noticeError(title: string, message: string, autoClose: number = NOTICE_MS.default, id?: string): void {
  void show({ title, message, autoClose, color: 'red', ...(id !== undefined && { id }) });
}

/** What is shown of something that takes its time; the same id is the same notice. */
interface ProgressNotice {
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
  /** It stays until it is closed, and for a while after it is done. */
  readonly isDone: boolean;
}

/** Shows the notice, or changes it where it still stands; one that was closed does not come back. */
export async function noticeProgress({ id, title, body, isDone }: ProgressNotice, isNew: boolean): Promise<void> {
  useShell.setState({ noticed: true });
  const { notifications } = await loadNotices();
  const notice = {
    id,
    title,
    message: body,
    color: isDone ? 'teal' : 'accent',
    autoClose: isDone ? NOTICE_MS.default : (false as const),
    withBorder: true,
    closeButtonProps: { 'aria-label': t('Dismiss') },
  };
  if (isNew) notifications.show(notice);
  else notifications.update(notice);
}

export async function closeNotice(id: string): Promise<void> {
  if (!useShell.getState().noticed) return;
  const { notifications } = await loadNotices();
  notifications.hide(id);
}
