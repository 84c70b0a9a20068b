/** The support thread as a slice, for customers and for operators. */
import type { Streams } from '../../exchange/streams/service.ts';
import type { AccountService } from '../../identity/accounts/service.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { Notifications } from '../notifications/service.ts';
import { createInbox } from './inbox.ts';
import { createInboxStore } from './inbox-store.ts';
import { serveSupport } from './routes.ts';
import { createSupport, type Support } from './service.ts';
import { createSupportStore, supportTables } from './store.ts';

const DAY_MS = 86_400_000;

export interface SupportParts {
  readonly accounts: Pick<AccountService, 'person'>;
  readonly streams: Pick<Streams, 'push' | 'isHeard' | 'note'>;
  readonly notifications: Pick<Notifications, 'noticeStatement' | 'announce'>;
  readonly audit: AuditLog;
}

export interface SupportSlice extends Slice {
  readonly support: Support;
}

export function createSupportSlice(
  { config, database, outbox, clock, logger }: Platform,
  { accounts, streams, notifications, audit }: SupportParts,
): SupportSlice {
  const shared = {
    store: createSupportStore(database),
    outbox,
    person: accounts.person,
    isHeard: (clientId: number) => streams.isHeard(clientId, 'support'),
    notify: (clientId: number, messages: readonly unknown[]) => streams.push(clientId, 'support', messages),
    noteChange: (clientId: number) => void streams.note(clientId, 'support'),
    siteName: config.SITE_NAME,
    clock,
    logger,
  };
  const support = createSupport(shared);
  const inbox = createInbox({ ...shared, notifications, inboxStore: createInboxStore(database) });
  return {
    support,
    personalData: personalDataOf(database, supportTables),
    routes: (calls) => serveSupport(calls, { support, inbox, audit }),
    jobs: [{ name: 'forget closed support', everyMs: DAY_MS, run: support.forgetOld }],
  };
}
