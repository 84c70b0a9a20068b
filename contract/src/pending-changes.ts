/** Changes that loosen a protection, until a second operator has confirmed them or a day is over. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { page, reason, rowId, timeMs } from './fields.ts';

const tag = 'Operations';
const params = z.object({ id: rowId });

export const PROTECTIONS = [
  'withdrawal-policy',
  'coin-network',
  'wallet-bounds',
  'fraudulent-address',
  'market-limits',
  'perpetual-terms',
] as const;
export type Protection = (typeof PROTECTIONS)[number];

/** The figures that protect clients and the exchange, by their names in the calls that change them. */
export const PROTECTED_FIGURES = [
  ...(['approval_usdt', 'four_eyes_usdt', 'hourly_count', 'median_factor'] as const),
  ...(['credited_at', 'unlocked_at', 'withdraw_confirmations'] as const),
  ...(['low', 'target', 'high'] as const),
  'refused',
  ...(['price_band_percent', 'maximum_quantity'] as const),
  ...(['tiers', 'mark_clamp_percent', 'cap_percent'] as const),
] as const;
export type ProtectedFigure = (typeof PROTECTED_FIGURES)[number];

const figures = z.partialRecord(z.enum(PROTECTED_FIGURES), z.string().nullable());
export type ProtectedFigures = Readonly<z.infer<typeof figures>>;

export const pendingChange = z.object({
  id: z.string(),
  kind: z.enum(PROTECTIONS),
  /** Such as a pair, or a coin on a network; empty where there is only one. */
  subject: z.string(),
  /** The figures that would change, by name; null is none. */
  before: figures,
  after: figures,
  reason: z.string(),
  asked_by: z.string(),
  asked_at: timeMs,
  /** When it takes effect by itself; null where a second operator must confirm it. */
  effective_at: timeMs.nullable(),
  confirmed_by: z.string().nullable(),
  state: z.enum(['WAITING', 'CONFIRMED', 'APPLIED', 'REVOKED', 'FAILED']),
  ended_at: timeMs.nullable(),
  /** Why it failed. */
  failure: z.string(),
  /** Whether the operator who asks may confirm it. */
  can_confirm: z.boolean(),
});
export type PendingChange = z.infer<typeof pendingChange>;

export const pendingChanges = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/pending-changes',
  access: 'operator:administrator',
  audit: 'none',
  tag,
  summary: 'Changes that loosen a protection, newest first: those that wait, and what became of the others',
  query: page,
  answer: z.object({ changes: z.array(pendingChange), waiting: z.number().int() }),
});

export const confirmPendingChange = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/pending-changes/:id/confirm',
  access: 'operator:administrator',
  /** With the act that it confirms. */
  audit: {
    acts: [
      ...(['confirm-change', 'change-withdrawal-policy', 'change-coin-network', 'change-wallet-bounds'] as const),
      ...(['remove-wallet-bounds', 'remove-fraudulent-address', 'change-market', 'change-perpetual'] as const),
    ],
  },
  stepUp: 'treasury',
  tag,
  summary: 'Confirm a change that another operator has asked for; it takes effect at once',
  params,
  answer: z.object({ change: pendingChange }),
});

export const revokePendingChange = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/pending-changes/:id/revoke',
  access: 'operator:administrator',
  audit: { acts: ['revoke-change'] },
  tag,
  summary: 'Revoke a change that waits',
  params,
  body: z.object({ reason }),
  answer: z.object({ change: pendingChange }),
});
