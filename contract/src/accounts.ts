/** Identity, as much as trading needs: sign-up by emailed code, sign-in, sign-out, the account's state. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { email } from './fields.ts';

const tag = 'Accounts';
const secret = z.string().min(1, 'Field is required').max(256, 'Use at most {{maximum}} characters');

export const user = z.object({
  id: z.number().int(),
  email: z.string(),
  account_status: z.enum(['Unverified', 'Verified']),
  user_unique_id: z.string(),
  mobile_number: z.string(),
  provider: z.string(),
});

export const client = z.object({
  id: z.number().int(),
  status: z.enum(['ACTIVE', 'FREEZE_ACCOUNT']),
  platform_status: z.enum(['active', 'maintenance']),
  membership_level: z.string(),
  verified: z.enum(['TRUE', 'FALSE']),
  withdraw_transfer_status: z.enum(['ALLOWED', 'NOT_ALLOWED']),
  withdraw_restriction: z.string(),
  role: z.enum(['client', 'operator']),
  user,
});

export const usernameCheck = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v2/username-check',
  access: 'anyone',
  tag,
  summary: 'Whether an e-mail address already has an account',
  query: z.object({ username: email }),
  answer: z.object({ message: z.enum(['exist', 'not_exist']) }),
  sensitive: true,
});

export const sendCode = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v2/send-code',
  access: 'anyone',
  tag,
  summary: 'Mail a six-digit verification code; it lives ten minutes and five tries',
  query: z.object({ email }),
  answer: z.object({ message: z.literal('success'), resend_after_s: z.number().int() }),
  sensitive: true,
});

export const register = defineCall({
  methods: ['POST'],
  path: '/api/v2/register',
  access: 'anyone',
  tag,
  summary: 'Create an account with the mailed code',
  body: z
    .object({
      code: z.string().trim().min(1, 'This field is required').max(12),
      username: email,
      mobile_number: z.string().trim().max(20).default(''),
      referral: z.string().trim().max(40).default(''),
      password: z.string().min(9, 'Password must be at least 9 characters').max(256),
      password_confirmation: z.string().max(256),
      transaction_password: z.string().min(6, 'Transaction password must be at least 6 characters').max(256),
    })
    .refine((body) => body.password === body.password_confirmation, {
      path: ['password_confirmation'],
      message: 'Password does not match',
    })
    .refine((body) => body.password !== body.transaction_password, {
      path: ['transaction_password'],
      message: 'The transaction password may not equal the password',
    }),
  answer: z.object({ message: z.enum(['CODE_DOES_NOT_MATCH', 'USER_ALREADY_EXIST', 'SUCCESS']) }),
  sensitive: true,
});

export const signedIn = z.object({ status: z.literal(200), token: z.string(), user, client });

export const login = defineCall({
  methods: ['POST'],
  path: '/api/v3/login',
  access: 'anyone',
  tag,
  summary: 'Sign in with e-mail and password',
  body: z.object({
    username: email,
    password: z.string().min(6, 'Password must be at least 6 characters').max(256),
    mobile: z.string().max(20).optional(),
  }),
  answer: signedIn,
  sensitive: true,
});

export const logout = defineCall({
  methods: ['POST'],
  path: '/api/v3/logout',
  access: 'client',
  tag,
  summary: 'End this session',
  answer: z.object({ message: z.literal('success') }),
});

export const accountClient = defineCall({
  methods: ['GET'],
  path: '/api/v3/account-client',
  access: 'client',
  tag,
  summary: "The signed-in client's state; checked every five minutes",
  answer: z.object({ client }),
});

/** How long a session may stay unlocked for orders, in minutes. */
export const unlockMinutes = [5, 15, 30, 60] as const;

/**
 * A session may stay unlocked for orders on this device, so that the transaction password is not asked each time. It
 * ends at its time, with the session and with a changed password; withdrawals and security changes never accept it.
 */
export const unlockTrading = defineCall({
  methods: ['POST'],
  path: '/api/v3/trading-unlock',
  access: 'client',
  tag,
  summary: 'Keep this session unlocked for orders for some minutes',
  body: z.object({
    transaction_password: secret,
    minutes: z.literal(unlockMinutes, 'Choose 5, 15, 30 or 60 minutes').default(15),
  }),
  answer: z.object({
    message: z.enum(['success', 'wrong_transaction_password']),
    /** Ms since 1970. */
    unlocked_until: z.number().int().nullable(),
  }),
  sensitive: true,
});

export const lockTrading = defineCall({
  methods: ['DELETE'],
  path: '/api/v3/trading-unlock',
  access: 'client',
  tag,
  summary: 'Lock this session for orders again',
  answer: z.object({ message: z.literal('success') }),
});

export const tradingUnlock = defineCall({
  methods: ['GET'],
  path: '/api/v3/trading-unlock',
  access: 'client',
  tag,
  summary: 'Until when this session is unlocked for orders; null while it is locked',
  answer: z.object({ unlocked_until: z.number().int().nullable() }),
});
