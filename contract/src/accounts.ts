/** The client and his state; sign-up by mailed code, sign-in, sign-out. More ways in: `sign-in.ts` and its neighbours. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { email, knownEmail, optionalPhone, secondFactor, verificationCode } from './fields.ts';

const tag = 'Accounts';
const secret = z.string().min(1, 'Field is required').max(256, 'Use at most {{maximum}} characters');

export const user = z.object({
  id: z.number().int(),
  email: z.string(),
  account_status: z.enum(['Unverified', 'Verified']),
  user_unique_id: z.string(),
  /** As `+14155550100`; empty while there is none. */
  mobile_number: z.string(),
  /** How the account was made or is connected. */
  provider: z.enum(['email', 'google', 'apple', 'wallet']),
});

/** Why an account or the platform is closed, and where to object. */
export const restriction = z.object({
  reason: z.string(),
  /** Ms since 1970; null is open. */
  until: z.number().int().nullable(),
  /** A path of the site. */
  appeal: z.string(),
});

/** The membership level of fee tier 0. */
export const NO_BADGE = 'NO_BADGE';

export const client = z.object({
  id: z.number().int(),
  status: z.enum(['ACTIVE', 'FREEZE_ACCOUNT']),
  platform_status: z.enum(['active', 'maintenance']),
  /** `NO_BADGE`, or `VIP 1` to `VIP 5` by the fee tier. */
  membership_level: z.string(),
  verified: z.enum(['TRUE', 'FALSE']),
  withdraw_transfer_status: z.enum(['ALLOWED', 'NOT_ALLOWED']),
  /** How long it lasts, such as `23 hours 59 minutes`, in the asker's language; empty while withdrawals are allowed. */
  withdraw_restriction: z.string(),
  /** Ms since 1970 when the last hold ends; null while there is none, or when it has no end. */
  withdraw_restricted_until: z.number().int().nullable(),
  role: z.enum(['client', 'operator']),
  /** With FREEZE_ACCOUNT or maintenance. */
  restriction: restriction.nullable(),
  /** Ms since 1970 when the account will be deleted, as it was asked for; signing in ends that. */
  deletion_at: z.number().int().nullable(),
  user,
});

export const usernameCheck = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v2/username-check',
  access: 'public',
  tag,
  summary: 'Whether an e-mail address already has an account',
  query: z.object({ username: knownEmail }),
  answer: z.object({ message: z.enum(['exist', 'not_exist']) }),
  sensitive: true,
});

export const sendCode = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v2/send-code',
  access: 'public',
  tag,
  summary: 'Mail a six-digit verification code; it lives ten minutes and five tries',
  query: z.object({ email }),
  answer: z.object({ message: z.literal('success'), resend_after_s: z.number().int() }),
  sensitive: true,
});

export const verifyRegisterCode = defineCall({
  methods: ['POST'],
  path: '/api/v3/register-code/verify',
  access: 'public',
  tag,
  summary: 'Whether the mailed code is right; a wrong one costs a try, a right one stays good for registering',
  body: z.object({ email, code: verificationCode }),
  answer: z.object({ message: z.enum(['CODE_DOES_NOT_MATCH', 'SUCCESS']) }),
  sensitive: true,
});

export const register = defineCall({
  methods: ['POST'],
  path: '/api/v2/register',
  access: 'public',
  tag,
  summary: 'Create an account with the mailed code',
  body: z
    .object({
      code: verificationCode,
      username: email,
      mobile_number: optionalPhone.default(''),
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

/**
 * A browser sends here the `device` that a sign-in gave it, with every sign-in and every call about a forgotten
 * password: what strangers guess then does not slow it down. It opens nothing.
 */
export const DEVICE_HEADER = 'x-device-secret';

export const signedIn = z.object({
  status: z.literal(200),
  token: z.string(),
  /** For `x-device-secret`; absent when the one that was sent is still good. */
  device: z.string().optional(),
  user,
  client,
});

export const login = defineCall({
  methods: ['POST'],
  path: '/api/v3/login',
  access: 'public',
  tag,
  summary: 'Sign in with e-mail and password',
  body: z.object({
    username: knownEmail,
    password: z.string().min(6, 'Password must be at least 6 characters').max(256),
    mobile: z.string().max(24).optional(),
    /** Asked for by SECOND_FACTOR_REQUIRED, of those who have one; send the password once more with it. */
    second_factor: secondFactor,
  }),
  answer: signedIn,
  sensitive: true,
});

export const logout = defineCall({
  methods: ['POST'],
  path: '/api/v3/logout',
  access: 'client',
  keys: 'never',
  tag,
  evenWhenBlocked: true,
  summary: 'End this session',
  answer: z.object({ message: z.literal('success') }),
});

export const accountClient = defineCall({
  methods: ['GET'],
  path: '/api/v3/account-client',
  access: 'client',
  keys: 'never',
  tag,
  evenWhenBlocked: true,
  summary: "The signed-in client's state; checked every five minutes",
  answer: z.object({ client }),
});

/** How long a session may stay unlocked for orders and transfers, in minutes. */
export const unlockMinutes = [5, 15, 30, 60] as const;

/**
 * A session may stay unlocked for orders and for transfers between the client's own wallets, so that the transaction
 * password is not asked each time. It ends at its time, with the session and with a changed password; withdrawals,
 * conversions and security changes never accept it.
 */
export const unlockTrading = defineCall({
  methods: ['POST'],
  path: '/api/v3/trading-unlock',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Keep this session unlocked for orders and transfers for some minutes',
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
  keys: 'never',
  tag,
  summary: 'Lock this session for orders again',
  answer: z.object({ message: z.literal('success') }),
});

export const tradingUnlock = defineCall({
  methods: ['GET'],
  path: '/api/v3/trading-unlock',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Until when this session is unlocked for orders; null while it is locked',
  answer: z.object({ unlocked_until: z.number().int().nullable() }),
});
