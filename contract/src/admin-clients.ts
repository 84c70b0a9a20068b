/** What an operator sees and does about clients and the platform. Every act is in the audit log. */
import { z } from 'zod';
import { client } from './accounts.ts';
import { defineCall } from './call.ts';
import { decimalOut, LAST_TIME_MS, page, reason, timeMs } from './fields.ts';

const tag = 'Operator: clients';
const success = z.object({ message: z.literal('success') });
/** How many orders were cancelled. */
const stoppedOrders = z.number().int().min(0);
const params = z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) });
/** Ms since 1970, in the future; left out or null: until an operator ends it. */
const until = z.number().int().min(1).max(LAST_TIME_MS).nullable().default(null);

export const findClients = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/clients',
  access: 'operator:support',
  audit: { reads: 'search-clients' },
  tag,
  summary: 'Clients by part of an e-mail, phone number or UID, or by id, newest first',
  query: page.extend({
    search: z.string().trim().max(120).default(''),
    status: z.enum(['ACTIVE', 'FREEZE_ACCOUNT']).optional(),
  }),
  answer: z.object({
    clients: z.array(
      z.object({
        id: z.number().int(),
        email: z.string(),
        user_unique_id: z.string(),
        mobile_number: z.string(),
        role: z.enum(['client', 'operator']),
        status: z.enum(['ACTIVE', 'FREEZE_ACCOUNT']),
        created_at: z.number().int(),
        last_sign_in_at: z.number().int().nullable(),
      }),
    ),
    next: z.string().nullable(),
  }),
});

export const auditEntry = z.object({
  id: z.number().int(),
  at: z.number().int(),
  /** Null: the exchange itself. */
  actor_id: z.number().int().nullable(),
  actor: z.string(),
  act: z.string(),
  client_id: z.number().int().nullable(),
  client: z.string(),
  reason: z.string(),
  /** What more there is to say, by name. */
  detail: z.record(z.string(), z.unknown()),
  address: z.string(),
});

const signIn = z.object({
  id: z.number().int(),
  at: z.number().int(),
  way: z.string(),
  outcome: z.string(),
  device: z.string(),
  address: z.string(),
  place: z.string(),
});

export const clientDetail = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/clients/:id',
  access: 'operator:support',
  audit: { acts: ['look-at-client'] },
  tag,
  summary: 'One client: state, holds, sessions, the last sign-ins and what operators did; looking is in the audit log',
  params,
  answer: z.object({
    client,
    created_at: z.number().int(),
    two_factor: z.boolean(),
    passkeys: z.number().int(),
    whitelist_only: z.boolean(),
    holds: z.array(
      z.object({
        id: z.number().int(),
        kind: z.string(),
        reason: z.string(),
        from: z.number().int(),
        until: z.number().int().nullable(),
        by: z.string(),
      }),
    ),
    sessions: z.array(
      z.object({
        id: z.number().int(),
        device: z.string(),
        address: z.string(),
        place: z.string(),
        way: z.string(),
        created_at: z.number().int(),
        last_used_at: z.number().int(),
      }),
    ),
    sign_ins: z.array(signIn),
    audit: z.array(auditEntry),
  }),
});

/** Newest first; open orders of one client are limited by the exchange. */
const clientOrder = z.object({
  id: z.number().int(),
  at: timeMs,
  pair: z.string(),
  side: z.enum(['BUY', 'SELL']),
  kind: z.enum(['limit', 'conditional', 'twap']),
  /** Of a conditional order its trigger; empty of one that trails. */
  price: z.string(),
  quantity: decimalOut,
  filled: decimalOut,
});

const clientPosition = z.object({
  pair: z.string(),
  side: z.enum(['LONG', 'SHORT']),
  quantity: decimalOut,
  value: decimalOut,
  profit: decimalOut,
  leverage: z.number().int(),
  margin_mode: z.enum(['cross', 'isolated']),
});

const clientPayment = z.object({
  kind: z.enum(['deposit', 'withdrawal']),
  id: z.string(),
  at: timeMs,
  coin: z.string(),
  network: z.string(),
  amount: decimalOut,
  state: z.string(),
});

export const clientHoldings = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/clients/:id/holdings',
  access: 'operator:support',
  audit: { acts: ['look-at-holdings'] },
  tag,
  summary: 'Balances, open orders, positions and the last payments of a client; looking is in the audit log',
  params,
  answer: z.object({
    balances: z.array(z.object({ wallet: z.string(), coin: z.string(), available: decimalOut, reserved: decimalOut })),
    orders: z.array(clientOrder),
    positions: z.array(clientPosition),
    payments: z.array(clientPayment),
  }),
});

export const freezeClient = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/clients/:id/freeze',
  access: 'operator:compliance',
  audit: { acts: ['freeze-account'] },
  tag,
  summary: 'Freeze an account; the person sees why, until when and how to object',
  params,
  /** Unless it says otherwise the account's orders are stopped as by `stopClientOrders`; nothing else of it is. */
  body: z.object({ reason, until, stop_orders: z.boolean().default(true) }),
  answer: success.extend({ stopped_orders: stoppedOrders }),
});

/** Open positions, and what can only reduce them, such as their stops, stay: a client who is frozen could not place another one. */
export const stopClientOrders = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/clients/:id/stop-orders',
  access: 'operator:compliance',
  audit: { acts: ['stop-orders'] },
  tag,
  summary: 'Cancel the orders of a client, triggered ones and TWAPs among them, but for what only reduces a position',
  params,
  body: z.object({ reason }),
  answer: success.extend({ stopped_orders: stoppedOrders }),
});

export const unfreezeClient = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/clients/:id/unfreeze',
  access: 'operator:compliance',
  audit: { acts: ['unfreeze-account'] },
  stepUp: 'clients',
  tag,
  summary: 'End a freeze',
  params,
  body: z.object({ reason }),
  answer: success,
});

export const restrictWithdrawals = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/clients/:id/restrict-withdrawals',
  access: 'operator:compliance',
  audit: { acts: ['restrict-withdrawals'] },
  tag,
  summary: "Hold a client's withdrawals; the person sees why and until when",
  params,
  body: z.object({ reason, until }),
  answer: z.object({ message: z.literal('success'), hold_id: z.number().int() }),
});

export const liftHold = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/holds/:id/lift',
  access: 'operator:compliance',
  audit: { acts: ['lift-hold'] },
  stepUp: 'clients',
  tag,
  summary: 'End a hold of withdrawals before its time',
  params,
  body: z.object({ reason }),
  answer: success,
});

export const endClientSessions = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/clients/:id/end-sessions',
  access: 'operator:support',
  audit: { acts: ['end-sessions'] },
  tag,
  summary: 'Sign a client out everywhere',
  params,
  body: z.object({ reason }),
  answer: z.object({ message: z.literal('success'), ended: z.number().int() }),
});

export const resetFactors = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/clients/:id/reset-factors',
  access: 'operator:compliance',
  audit: { acts: ['reset-factors'] },
  stepUp: 'clients',
  tag,
  summary:
    'For a client who has lost them: remove the authenticator app, recovery codes and passkeys, end all sessions, and hold withdrawals for 72 hours',
  params,
  body: z.object({ reason }),
  answer: success,
});

const maintenanceState = z.object({
  on: z.boolean(),
  reason: z.string(),
  until: z.number().int().nullable(),
  since: z.number().int().nullable(),
  by: z.string(),
  /** Pairs that maintenance has halted and that do not trade yet. */
  halted_pairs: z.number().int(),
  /** Ms since 1970: when these trade again; null while it lasts, or where there are none. */
  resume_at: z.number().int().nullable(),
});

export const maintenance = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/maintenance',
  access: 'operator:administrator',
  audit: 'none',
  tag,
  summary: 'Whether the exchange is being maintained',
  answer: z.object({ maintenance: maintenanceState }),
});

export const setMaintenance = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/maintenance',
  access: 'operator:administrator',
  audit: { acts: ['begin-maintenance', 'end-maintenance'] },
  stepUpAtTimes: 'markets',
  tag,
  summary: 'Begin or end maintenance: all clients are signed out and cannot sign in. To end it takes a step-up',
  /**
   * Unless it says otherwise all pairs are halted when it begins, and trade again a minute after its end, so that clients can cancel
   * before. One that an operator halts or resumes meanwhile is left as it is.
   */
  body: z.object({ on: z.boolean(), reason, until, halt_pairs: z.boolean().default(true) }),
  answer: z.object({ message: z.literal('success'), maintenance: maintenanceState }),
});

export const resumePairs = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/maintenance/resume-pairs',
  access: 'operator:administrator',
  audit: { acts: ['resume-pairs', 'resume-market'] },
  stepUp: 'markets',
  tag,
  summary: 'Let the pairs trade at once that maintenance has halted',
  body: z.object({ reason }),
  answer: z.object({ message: z.literal('success'), maintenance: maintenanceState }),
});

export const auditLog = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/audit',
  access: 'operator:administrator',
  audit: { reads: 'read-audit-log' },
  tag,
  summary: 'The audit log, newest first; it cannot be changed',
  query: page.extend({
    client_id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
    actor_id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
    act: z.string().trim().max(60).optional(),
  }),
  answer: z.object({ entries: z.array(auditEntry), next: z.string().nullable() }),
});
