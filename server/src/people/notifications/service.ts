/** Tells clients what has happened to them: kept until read, and said at once to their open pages. */
import type { Notification } from '@cambist/contract/notifications.ts';
import type { Statement } from '../../platform/database.ts';
import type { LocalizedText } from '../../platform/texts.ts';
import { insertStatement, type NotificationRow, type NotificationStore } from './store.ts';

export { createNotificationStore } from './store.ts';

export interface Notice {
  readonly type: Notification['type'];
  readonly title: LocalizedText;
  readonly body: LocalizedText;
  /** A path of the web client that has more. */
  readonly path?: string;
}

export interface NotificationDeps {
  readonly store: NotificationStore;
  /** Tells a client's open pages that there is something new; they ask for it in their own language. */
  readonly push: (clientId: number, news: { readonly id: number; readonly type: Notification['type'] }) => void;
  /** Of what is not pushed and stands in a client's lists: a page that comes back to its stream reads them again. */
  readonly noteChange: (clientId: number) => void;
  readonly clock: { now(): number };
}

const KEPT_MS = 180 * 86_400_000;
/** There are several a day, and the history of funding has their figures for good. */
const FUNDING_KEPT_MS = 30 * 86_400_000;

export function createNotifications({ store, push, noteChange, clock }: NotificationDeps) {
  /** @param change of the client that it is given first */
  const noted =
    <Rest extends unknown[]>(change: (clientId: number, ...rest: Rest) => Promise<unknown>) =>
    async (clientId: number, ...rest: Rest): Promise<void> => {
      await change(clientId, ...rest);
      noteChange(clientId);
    };

  return {
    async tell(clientId: number, { type, title, body, path = '' }: Notice): Promise<void> {
      const row = await store.add({ client_id: clientId, type, title, body, path, created_at: clock.now() });
      if (row) push(clientId, { id: row.id, type });
    },
    /**
     * For a transaction that writes what the notices are about; call `announce` after it.
     * @param change where it returns no row, there are no notices
     */
    noticeStatement: (notices: readonly (Notice & { readonly clientId: number })[], change?: Statement): Statement =>
      insertStatement(
        notices.map(({ clientId, type, title, body, path = '' }) => ({
          ...{ client_id: clientId, type, title, body, path, created_at: clock.now() },
        })),
        change,
      ),
    /** Tells the open pages of some clients of the newest notice of each. */
    async announce(clientIds: readonly number[]): Promise<void> {
      if (clientIds.length === 0) return;
      for (const { client_id, id, type } of await store.newestOf(clientIds)) push(client_id, { id, type });
    },
    list: (clientId: number, limit: number, before = Number.MAX_SAFE_INTEGER): Promise<NotificationRow[]> =>
      store.list(clientId, limit, before),
    newest: store.newest,
    unread: store.unread,
    markRead: noted(store.markRead),
    markAllRead: noted(store.markAllRead),
    marks: store.marks,
    markListRead: noted(store.markListRead),
    choices: store.choices,
    choose: noted(store.choose),
    forgetOld: () => store.deleteBefore(clock.now() - KEPT_MS, clock.now() - FUNDING_KEPT_MS),
  };
}

export type Notifications = ReturnType<typeof createNotifications>;
