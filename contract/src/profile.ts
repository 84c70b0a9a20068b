/** Who the person is, what he may move in a day, and what is connected to the account. */
import { z } from 'zod';
import { client } from './accounts.ts';
import { defineCall } from './call.ts';
import { visibleText } from './email.ts';
import { decimalOut, phone, timeMs, verificationCode } from './fields.ts';

const tag = 'Profile';

export const profileView = z.object({
  id: z.number().int(),
  /** Empty values read 'Not Set'. */
  name: z.string(),
  gender: z.enum(['', 'Male', 'Female']),
  /** `1990-12-31`, or empty. */
  date_of_birth: z.string(),
  address: z.string(),
  email: z.string(),
  membership_level: z.string(),
  mobile_number: z.string(),
});

const isDay = (text: string) => {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

/** What is left out stays as it is. `client_id` of older clients is not looked at: the token says who it is. */
const edited = z.object({
  client_id: z.string().max(20).optional(),
  name: z.string().trim().max(120, 'Use at most {{maximum}} characters').transform(visibleText).optional(),
  gender: z.enum(['', 'Male', 'Female'], 'Choose one of: {{values}}').optional(),
  date_of_birth: z
    .string()
    .trim()
    .refine(
      (text) => text === '' || (/^(19|20)\d\d-\d\d-\d\d$/.test(text) && isDay(text)),
      'Enter a date such as 1990-12-31',
    )
    .optional(),
  address: z.string().trim().max(300, 'Use at most {{maximum}} characters').optional(),
});

export const clients = defineCall({
  methods: ['GET'],
  path: '/api/v3/clients',
  access: 'client',
  keys: 'never',
  tag,
  summary: "The client's record; verified FALSE means unverified",
  query: z.object({ client_id: z.string().max(20).optional() }),
  answer: z.object({ clients: client, verified: z.enum(['TRUE', 'FALSE']) }),
});

export const profile = defineCall({
  methods: ['GET'],
  path: '/api/v3/profile',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Personal information',
  answer: z.object({ profile: profileView }),
});

export const updateProfile = defineCall({
  methods: ['POST'],
  path: '/api/v3/update-profile',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Change personal information',
  body: edited,
  answer: z.object({ message: z.literal('success'), profile: profileView }),
});

/** The older spelling of the same. */
export const myProfile = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v3/my-profile',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Change personal information, as older clients do',
  query: edited,
  answer: z.object({ message: z.literal('success'), profile: profileView }),
  sensitive: true,
});

export const accountSummary = defineCall({
  methods: ['GET'],
  path: '/api/v3/account-summary',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'The head of the profile: chips, numbers, level',
  answer: z.object({
    email: z.string(),
    account_status: z.enum(['Unverified', 'Verified']),
    membership_level: z.string(),
    user_unique_id: z.string(),
    /** 0 is regular. */
    vip_level: z.number().int(),
    user_type: z.enum(['Personal', 'Operator']),
    mobile_number: z.string(),
    joined_at: z.number().int(),
    last_sign_in: z.object({ at: z.number().int(), place: z.string(), device: z.string() }).nullable(),
  }),
});

/**
 * `limit` null is unlimited. The counts begin at midnight UTC, but that of withdrawals, which is what their limit asks: the
 * worth of those of the last 24 hours.
 */
const dailyLimit = z.object({
  name: z.enum(['fiat', 'crypto_deposit', 'crypto_withdrawal', 'p2p']),
  limit: decimalOut.nullable(),
  unit: z.enum(['USD', 'USDT']),
  used_today: decimalOut,
  /** When there is more again: midnight UTC, or when the oldest withdrawal is 24 hours old; null while none counts. */
  resets_at: timeMs.nullable(),
});

export const accountLimits = defineCall({
  methods: ['GET'],
  path: '/api/v3/account-limits',
  access: 'client',
  keys: 'never',
  tag,
  summary: "What may move in a day by the person's tier, and what has moved today, which begins anew at `resets_at`",
  answer: z.object({ tier: z.number().int(), limits: z.array(dailyLimit), resets_at: timeMs }),
});

const connection = z.object({
  email: z.string(),
  status: z.enum(['Connected', 'Not connected', 'Not available']),
});

export const bindAccounts = defineCall({
  methods: ['GET'],
  path: '/api/v3/bind-accounts',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'What is connected: Google, Apple, the mobile number, a wallet',
  answer: z.object({
    gmail: connection,
    apple: connection,
    mobile: z.object({ status: z.enum(['Verified', 'Unverified']), email: z.string(), number: z.string() }),
    wallet: z.object({ status: z.enum(['Connected', 'Not connected']), address: z.string() }),
  }),
});

export const sendSmsCode = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v3/sendSMSCode',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Send a six-digit code to a mobile number; it lives ten minutes and five tries',
  query: z.object({
    type: z.literal('REGISTER', 'Choose one of: {{values}}').default('REGISTER'),
    mobile_number: phone,
  }),
  answer: z.object({ message: z.literal('success'), resend_after_s: z.number().int() }),
  sensitive: true,
});

export const verifyMobile = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v3/verify-mobile',
  access: 'client',
  keys: 'never',
  stepUpAtTimes: 'connections',
  tag,
  summary: 'Bind the mobile number that the code came to; replacing one asks for a step-up (connections)',
  query: z.object({ verification_code: verificationCode, mobile_number: phone }),
  answer: z.object({ message: z.enum(['success', 'CODE_DOES_NOT_MATCH']) }),
  sensitive: true,
});
