/** What the exchange tells a client, kept until it is read. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { rowId } from './fields.ts';

const tag = 'Notifications';

export const NOTIFICATION_TYPES = [
  'deposit',
  'funding',
  'futures',
  'orders',
  'security',
  'support',
  'transfer',
  'withdrawal',
] as const;

export const notification = z.object({
  id: z.number().int(),
  /** 0: unread. */
  status: z.union([z.literal(0), z.literal(1)]),
  type: z.enum(NOTIFICATION_TYPES),
  title: z.string(),
  body: z.string(),
  /** A path of this site that has more, or empty. */
  path: z.string(),
  created_at: z.number().int(),
});

export type Notification = z.infer<typeof notification>;

export const checkNotification = defineCall({
  methods: ['GET'],
  path: '/api/v3/check-notification',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'The newest unread notification, or else the newest; null when there is none at all',
  answer: z.object({ notification: notification.nullable(), unread: z.number().int() }),
});

export const updateNotification = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v3/update-notification',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Mark a notification read; without an id, the newest unread one',
  query: z.object({ id: z.coerce.number().int().min(1).optional() }),
  answer: z.object({ message: z.literal('success'), unread: z.number().int() }),
});

export const notifications = defineCall({
  methods: ['GET'],
  path: '/api/v3/notifications',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Notifications, newest first',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(100).default(30),
    before: z.coerce.number().int().min(1).optional(),
  }),
  answer: z.object({ notifications: z.array(notification), unread: z.number().int() }),
});

export const readAllNotifications = defineCall({
  methods: ['POST'],
  path: '/api/v3/notifications/read-all',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Mark every notification read, or those up to one',
  query: z.object({
    until: z.coerce.number().int().min(1).optional().meta({ description: 'The id of the newest that was seen' }),
  }),
  answer: z.object({ message: z.literal('success') }),
});

/** Lists under Notifications whose entries are kept elsewhere: fills of orders, and alerts that have triggered. */
export const readList = z.enum(['fills', 'alerts']);
export type ReadList = z.infer<typeof readList>;

const marks = z.object({ fills: z.string(), alerts: z.string() });

export const readMarks = defineCall({
  methods: ['GET'],
  path: '/api/v3/notifications/marks',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Ids of the newest fill and the newest triggered alert that have been read; what is newer is unread',
  answer: z.object({ marks }),
});

export const markListRead = defineCall({
  methods: ['POST'],
  path: '/api/v3/notifications/marks',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Mark a list read up to an entry; it never becomes unread again',
  body: z.object({ list: readList, id: rowId }),
  answer: z.object({ message: z.literal('success'), marks }),
});

/** What a client may switch off; the rest concerns their money or their account. On where nothing was chosen. */
const choices = z.object({
  /** One after each interval of funding with an open position. */
  funding: z.boolean(),
});
export type NotificationChoices = z.infer<typeof choices>;

export const notificationChoices = defineCall({
  methods: ['GET'],
  path: '/api/v3/notifications/choices',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Which notifications that may be switched off are on',
  answer: z.object({ choices }),
});

export const changeNotificationChoices = defineCall({
  methods: ['POST'],
  path: '/api/v3/notifications/choices',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Switch notifications on or off, from the next one on',
  body: choices,
  answer: z.object({ message: z.literal('success'), choices }),
});
