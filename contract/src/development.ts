/** Calls that exist only in development: mail without a mail server, funds without a chain. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimal } from './fields.ts';

const tag = 'Development';

export const outbox = defineCall({
  methods: ['GET'],
  path: '/api/dev/outbox',
  access: 'public',
  tag,
  summary: 'Mails that would have been sent, newest first',
  query: z.object({ to: z.string().max(254).optional() }),
  answer: z.object({
    messages: z.array(
      z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string(), sentAt: z.string() }),
    ),
  }),
  developmentOnly: true,
});

export const smsOutbox = defineCall({
  methods: ['GET'],
  path: '/api/dev/sms-outbox',
  access: 'public',
  tag,
  summary: 'Text messages that would have been sent, newest first',
  query: z.object({ to: z.string().max(24).optional() }),
  answer: z.object({ messages: z.array(z.object({ to: z.string(), text: z.string(), sentAt: z.string() })) }),
  developmentOnly: true,
});

export const faucet = defineCall({
  methods: ['POST'],
  path: '/api/dev/faucet',
  access: 'trader',
  keys: 'never',
  tag,
  summary: 'Credit development funds to the spot wallet',
  body: z.object({ coin: z.string().trim().min(1).max(12), amount: decimal }),
  answer: z.object({ message: z.literal('success'), coin: z.string(), wallet_balance: z.string() }),
  developmentOnly: true,
});
