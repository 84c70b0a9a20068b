import * as contract from '@cambist/contract/notifications.ts';
import type { FastifyRequest } from 'fastify';
import type { CallServer } from '../../platform/calls.ts';
import { spoken } from '../../platform/texts.ts';
import type { Notifications } from './service.ts';
import type { Marks, NotificationRow } from './store.ts';

function answerOf(row: NotificationRow, http: FastifyRequest): contract.Notification {
  const { id, type, path, created_at } = row;
  const status = row.is_read ? (1 as const) : (0 as const);
  return { id, status, type, title: spoken(row.title, http), body: spoken(row.body, http), path, created_at };
}

const marksAnswer = ({ fills, alerts }: Marks) => ({ fills: String(fills), alerts: String(alerts) });

export function serveNotifications(calls: CallServer, notifications: Notifications): void {
  calls.serve(contract.checkNotification, async ({ identity, http }) => {
    const newest = await notifications.newest(identity.clientId);
    const unread = await notifications.unread(identity.clientId);
    return { notification: newest ? answerOf(newest, http) : null, unread };
  });

  calls.serve(contract.updateNotification, async ({ identity, query }) => {
    await notifications.markRead(identity.clientId, query.id);
    return { message: 'success' as const, unread: await notifications.unread(identity.clientId) };
  });

  calls.serve(contract.notifications, async ({ identity, query, http }) => {
    const rows = await notifications.list(identity.clientId, query.limit, query.before);
    return {
      notifications: rows.map((row) => answerOf(row, http)),
      unread: await notifications.unread(identity.clientId),
    };
  });

  calls.serve(contract.readAllNotifications, async ({ identity, query }) => {
    await notifications.markAllRead(identity.clientId, query.until);
    return { message: 'success' as const };
  });

  calls.serve(contract.readMarks, async ({ identity }) => ({
    marks: marksAnswer(await notifications.marks(identity.clientId)),
  }));

  calls.serve(contract.markListRead, async ({ identity, body }) => {
    await notifications.markListRead(identity.clientId, body.list, Number(body.id));
    return {
      message: 'success' as const,
      marks: marksAnswer(await notifications.marks(identity.clientId)),
    };
  });

  calls.serve(contract.notificationChoices, async ({ identity }) => ({
    choices: await notifications.choices(identity.clientId),
  }));

  calls.serve(contract.changeNotificationChoices, async ({ identity, body }) => {
    const { clientId } = identity;
    await notifications.choose(clientId, body);
    return { message: 'success' as const, choices: await notifications.choices(clientId) };
  });
}
