/** What an operator sees and does about the running exchange. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { page, pairName, reason, rowId } from './fields.ts';

const tag = 'Operations';

export const alarm = z.object({
  id: z.number().int(),
  kind: z.string(),
  detail: z.string(),
  raised_at: z.number().int(),
  acknowledged_at: z.number().int().nullable(),
});

export const alarms = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/alarms',
  access: 'operator:treasury',
  audit: 'none',
  tag,
  summary: 'What the reconciler found, open alarms first',
  answer: z.object({ alarms: z.array(alarm) }),
});

export const acknowledgeAlarm = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/alarms/:id/acknowledge',
  access: 'operator:treasury',
  audit: { acts: ['acknowledge-alarm'] },
  tag,
  summary: 'Say that an alarm was seen; the same finding raises a new one',
  params: z.object({ id: z.coerce.number().int().min(1) }),
  answer: z.object({ message: z.literal('success') }),
});

export const setFeeTier = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/fee-tier',
  access: 'operator:treasury',
  audit: { acts: ['set-fee-tier'] },
  stepUp: 'treasury',
  tag,
  summary: 'Move a client to another fee tier, 0 (regular) to 5; it holds from the next trade on',
  body: z.object({ client_id: z.number().int().min(1), tier: z.number().int().min(0).max(5) }),
  answer: z.object({
    message: z.literal('success'),
    maker_fee_percent: z.string(),
    taker_fee_percent: z.string(),
  }),
});

export const haltMarket = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/halt',
  access: 'operator:markets',
  audit: { acts: ['halt-market', 'resume-market'] },
  stepUpAtTimes: 'markets',
  tag,
  summary: 'Halt or resume trading in a pair; orders can be cancelled while it is halted. To resume takes a step-up',
  body: z.object({ symbol: pairName, halted: z.boolean(), reason: reason.optional() }),
  answer: z.object({ message: z.literal('success'), symbol: z.string(), halted: z.boolean() }),
});

export const unsentMessages = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/outbox',
  access: 'operator:administrator',
  audit: { reads: 'read-outbox' },
  tag,
  summary: 'Mails and text messages that could not be sent, newest first',
  query: page,
  answer: z.object({
    messages: z.array(
      z.object({
        id: z.string(),
        channel: z.string(),
        /** An address, a number, or `client:<id>`. */
        recipient: z.string(),
        /** What it is about. */
        kind: z.string(),
        attempts: z.number().int(),
        /** What the last attempt came to. */
        error: z.string(),
        created_at: z.number().int(),
        /** False once its text is gone, because it came too late. */
        can_retry: z.boolean(),
      }),
    ),
  }),
});

export const retryMessage = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/outbox/:id/retry',
  access: 'operator:administrator',
  audit: { acts: ['retry-message'] },
  tag,
  summary: 'Try to send a message again, eight times at most',
  params: z.object({ id: rowId }),
  answer: z.object({ message: z.literal('success') }),
});
