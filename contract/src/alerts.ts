/** Price alerts: tell a client when a pair trades at or beyond a price. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimal, decimalOut, page, pairName, rowId, timeMs } from './fields.ts';
import { localeName } from './locales.ts';

const tag = 'Alerts';

export const ALERTS_PER_CLIENT = 50;

export const alertDirection = z.enum(['above', 'below']);
/** Where it is told: on the page, by the browser's own notification, by mail. */
export const alertChannel = z.enum(['page', 'browser', 'mail']);

export const priceAlert = z.object({
  id: z.string(),
  /** Such as `BTC-USDT`. */
  symbol: z.string(),
  direction: alertDirection,
  price: decimalOut,
  repeat: z.enum(['once', 'repeating']),
  /** Of a repeating alert: how long it is silent after it has triggered; 0 otherwise. */
  pause_minutes: z.number().int(),
  channels: z.array(alertChannel),
  note: z.string(),
  /** `active`; `paused` after it has triggered and until its pause ends; `done` when a single one has triggered. */
  state: z.enum(['active', 'paused', 'done']),
  paused_until: timeMs.nullable(),
  times_triggered: z.number().int(),
  /** Of the last time, empty and null before. */
  triggered_price: decimalOut,
  triggered_at: timeMs.nullable(),
  created_at: timeMs,
});
export type PriceAlert = z.infer<typeof priceAlert>;

export const createAlert = defineCall({
  methods: ['POST'],
  path: '/api/v3/alerts',
  access: 'holder',
  keys: 'never',
  tag,
  summary: `Be told when a pair trades at a price or beyond it; at most ${ALERTS_PER_CLIENT} that are not done`,
  body: z.object({
    symbol: pairName,
    direction: alertDirection,
    price: decimal,
    repeat: z.enum(['once', 'repeating']).default('once'),
    pause_minutes: z.number().int().min(1, 'Pause at least a minute').max(10_080, 'Pause at most a week').default(60),
    channels: z
      .array(alertChannel)
      .min(1, 'Choose at least one way to be notified')
      .max(3)
      .default(['page'])
      .transform((channels) => [...new Set(channels)]),
    note: z.string().trim().max(80, 'Use at most {{maximum}} characters').default(''),
    /** Of the mail. */
    locale: localeName.default('en'),
  }),
  answer: z.object({ message: z.literal('success'), alert: priceAlert }),
});

export const alerts = defineCall({
  methods: ['GET'],
  path: '/api/v3/alerts',
  access: 'holder',
  keys: 'read',
  tag,
  summary: "The client's price alerts, newest first",
  query: page.extend({ symbol: pairName.optional() }),
  answer: z.object({ alerts: z.array(priceAlert) }),
});

export const deleteAlert = defineCall({
  methods: ['DELETE'],
  path: '/api/v3/alerts/:id',
  access: 'holder',
  keys: 'never',
  tag,
  summary: 'Delete a price alert',
  params: z.object({ id: rowId }),
  answer: z.object({ message: z.literal('success') }),
});

export const triggeredAlerts = defineCall({
  methods: ['GET'],
  path: '/api/v3/alerts/triggered',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'When alerts have triggered, newest first; also those that were deleted since',
  query: page,
  answer: z.object({
    triggerings: z.array(
      z.object({
        id: z.string(),
        alert_id: z.string(),
        symbol: z.string(),
        direction: alertDirection,
        price: decimalOut,
        triggered_price: decimalOut,
        note: z.string(),
        triggered_at: timeMs,
      }),
    ),
  }),
});
