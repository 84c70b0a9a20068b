/** Ways in besides e-mail and password: by phone, and back in after a forgotten password. */
import { z } from 'zod';
import { restriction, signedIn } from './accounts.ts';
import { defineCall } from './call.ts';
import { currentPassword, email, knownEmail, newPassword, phone, secondFactor, verificationCode } from './fields.ts';
import { localeName } from './locales.ts';

const tag = 'Sign-in';

/** What is there to sign in with, before anybody has. */
export const waysIn = defineCall({
  methods: ['GET'],
  path: '/api/v3/sign-in-ways',
  access: 'public',
  tag,
  summary: 'Which ways of signing in the operator has set up, and whether the exchange is being maintained',
  answer: z.object({
    google: z.boolean(),
    apple: z.boolean(),
    wallet: z.boolean(),
    passkey: z.boolean(),
    sms: z.boolean(),
    platform_status: z.enum(['active', 'maintenance']),
    maintenance: restriction.nullable(),
  }),
});

export const countries = defineCall({
  methods: ['GET'],
  path: '/api/v3/countries',
  access: 'public',
  tag,
  summary: 'Countries with their dial codes, sorted by name in the language asked for',
  query: z.object({ locale: localeName.default('en') }),
  answer: z.object({
    countries: z.array(
      z.object({
        /** ISO 3166-1 alpha-2. */
        code: z.string(),
        name: z.string(),
        /** Digits without a plus. */
        dial_code: z.string(),
      }),
    ),
  }),
  cacheSeconds: 86_400,
});

export const mobileCheck = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v2/mobile-check',
  access: 'public',
  tag,
  summary: 'Whether a phone number already has an account',
  query: z.object({ username: phone }),
  answer: z.object({ message: z.enum(['exist', 'not_exist']) }),
  sensitive: true,
});

export const mobileLogin = defineCall({
  methods: ['POST'],
  path: '/api/v3/mobile-login',
  access: 'public',
  tag,
  summary: 'Sign in with phone number and password; the number comes in mobile or in username',
  body: z
    .object({
      username: z.string().trim().max(254).optional(),
      mobile: phone.optional(),
      password: z.string().min(6, 'Password must be at least 6 characters').max(256),
      second_factor: secondFactor,
    })
    .refine((body) => body.mobile !== undefined || phone.safeParse(body.username).success, {
      path: ['mobile'],
      message: 'Please enter a valid phone number',
    }),
  answer: signedIn,
  sensitive: true,
});

export const forgotSendCode = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v3/forgot-password/send-code',
  access: 'public',
  tag,
  summary: 'Mail a code to set a new password; answers alike whether the address has an account or not',
  query: z.object({ email: knownEmail }),
  answer: z.object({ message: z.literal('success'), resend_after_s: z.number().int() }),
  sensitive: true,
});

export const forgotVerify = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v3/forget-password-code/verify',
  access: 'public',
  tag,
  summary: 'Check the mailed code; after it a new password can be set once, for ten minutes',
  query: z.object({ email: knownEmail, code: verificationCode }),
  answer: z.object({
    message: z.enum(['success', 'CODE_DOES_NOT_MATCH']),
    /** The secret that `reset-password` asks for. */
    reset_token: z.string().optional(),
  }),
  sensitive: true,
});

export const resetPassword = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v3/reset-password',
  access: 'public',
  tag,
  summary:
    'Set the new password, once, by the token that checking the code gave; ends every session and holds withdrawals for 24 h',
  query: z.object({
    email: knownEmail,
    password: newPassword,
    /** Of the answer to the code, which stands for it; good once, until another code is checked or the password changes. */
    reset_token: z.string().max(64).default(''),
    second_factor: secondFactor,
  }),
  answer: z.object({ message: z.enum(['success', 'same_as_transaction_password']) }),
  sensitive: true,
});

/** Those who came by wallet have no address until they give one. */
export const bindEmailCode = defineCall({
  methods: ['POST'],
  path: '/api/v3/bind-email/send-code',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Mail a code to an address that this account, which has none yet, wants to have',
  body: z.object({ email }),
  answer: z.object({ message: z.literal('success'), resend_after_s: z.number().int() }),
  sensitive: true,
});

export const bindEmail = defineCall({
  methods: ['POST'],
  path: '/api/v3/bind-email',
  access: 'client',
  keys: 'never',
  stepUpAtTimes: 'connections',
  tag,
  summary:
    'Give the account its e-mail address and a password to sign in with; with a transaction password it asks for a step-up (connections)',
  body: z.object({ email, code: verificationCode, password: newPassword }),
  answer: z.object({ message: z.enum(['success', 'CODE_DOES_NOT_MATCH', 'USER_ALREADY_EXIST']) }),
  sensitive: true,
});

export const checkPassword = defineCall({
  methods: ['POST'],
  path: '/api/v3/password-check',
  access: 'public',
  tag,
  summary: 'Whether a password is on the list of stolen ones, before it is chosen',
  body: z.object({ password: currentPassword }),
  answer: z.object({ stolen: z.boolean() }),
  sensitive: true,
});
