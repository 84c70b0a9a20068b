/** The security centre. A call that names a step-up is refused with 403 STEP_UP_REQUIRED until `/api/v3/step-up` allows it. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { currentPassword, decimalOut, newPassword, page, rowId, verificationCode } from './fields.ts';

const tag = 'Security';
const success = z.literal('success');
const sent = z.object({ message: success, resend_after_s: z.number().int() });
const codeAnswer = z.object({ message: z.enum(['success', 'CODE_DOES_NOT_MATCH']) });

export const WITHDRAW_LIMITS = [500, 1000, 1500] as const;
/** USDT that may be withdrawn in 24 h without a mailed code, while one-step withdrawal is on. */
export const ONE_STEP_LIMIT_USDT = 10_000;

const hold = z.object({
  id: z.number().int(),
  /** `operator` restrictions are a person's decision; the others follow from a change. */
  kind: z.enum([
    'password',
    'transaction-password',
    'factor',
    'factors-reset',
    'whitelist',
    'withdrawal-rules',
    'operator',
  ]),
  /** In the asker's language; an operator's own words stay as they are. */
  reason: z.string(),
  from: z.number().int(),
  /** Ms since 1970; null is open. */
  until: z.number().int().nullable(),
});

export const securityOverview = defineCall({
  methods: ['GET'],
  path: '/api/v3/security',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Everything that protects the account, a score, and what is missing',
  answer: z.object({
    /** 0 to 100. */
    score: z.number().int(),
    checks: z.array(
      z.object({
        name: z.enum([
          'password',
          'transaction_password',
          'email',
          'two_factor',
          'passkey',
          'mobile',
          'anti_phishing',
          'whitelist_only',
          'withdraw_limit',
        ]),
        done: z.boolean(),
        /** What it adds to the score. */
        points: z.number().int(),
      }),
    ),
    email: z.string(),
    mobile: z.object({ number: z.string(), status: z.enum(['Verified', 'Unverified']) }),
    password_set: z.boolean(),
    transaction_password_set: z.boolean(),
    totp: z.object({
      enabled: z.boolean(),
      enabled_at: z.number().int().nullable(),
      recovery_codes_left: z.number().int(),
    }),
    passkeys: z.number().int(),
    anti_phishing_code: z.string(),
    /** The person's own cap in USDT for 24 h; null while it is not enabled. */
    withdraw_limit: z.literal(WITHDRAW_LIMITS).nullable(),
    one_step: z.object({ enabled: z.boolean(), limit_usdt: decimalOut, used_usdt: decimalOut }),
    whitelist_only: z.boolean(),
    whitelist_count: z.number().int(),
    holds: z.array(hold),
    sessions: z.number().int(),
    last_sign_in: z.object({ at: z.number().int(), place: z.string(), device: z.string() }).nullable(),
  }),
});

export const passwordCode = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v2/get-code-for-password',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Mail the code for a change of password or transaction password',
  answer: sent,
  sensitive: true,
});

/** `dont_match`: 'Old password dont match'. `same_previous_password`: one of the last five. */
const passwordMessage = z.enum([
  'saved',
  'dont_match',
  'same_previous_password',
  'same_as_transaction_password',
  'CODE_DOES_NOT_MATCH',
]);

export const updatePasswordWithCode = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v2/update-password',
  access: 'client',
  keys: 'never',
  stepUpAtTimes: 'password',
  tag,
  summary: 'Change the password with the mailed code (and a step-up, password, of who has a second factor)',
  query: z.object({ oldLoginPassword: currentPassword, password: newPassword, verification_code: verificationCode }),
  answer: z.object({ message: passwordMessage }),
  sensitive: true,
});

export const updatePassword = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v3/update-password',
  access: 'client',
  keys: 'never',
  stepUp: 'password',
  tag,
  summary: 'Change the password after a step-up (password); ends all other sessions and holds withdrawals for 24 h',
  query: z.object({ oldLoginPassword: currentPassword, password: newPassword }),
  answer: z.object({ message: passwordMessage }),
  sensitive: true,
});

export const updateTransactionPassword = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v3/update-transaction-password',
  access: 'client',
  keys: 'never',
  stepUpAtTimes: 'transaction-password',
  tag,
  summary: 'Change the transaction password with the mailed code, or after a step-up (transaction-password)',
  query: z.object({
    id: z.string().max(20).optional(),
    /** Empty only where there is none yet: an account that came by wallet. */
    oldTransactionPassword: z.string().max(256, 'Use at most {{maximum}} characters').default(''),
    transactionPassword: newPassword,
    verification_code: z.string().trim().max(12, 'A code has six digits').optional(),
  }),
  answer: z.object({
    message: z.enum(['saved', 'dont_match', 'same_previous_password', 'same_as_password', 'CODE_DOES_NOT_MATCH']),
  }),
  sensitive: true,
});

export const antiPhishingGetCode = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v3/get-code/anti-phishing',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Mail the code for setting the anti-phishing code',
  answer: sent,
  sensitive: true,
});

export const setAntiPhishing = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v3/anti-phishing',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Set the words that every mail of ours will carry',
  query: z.object({
    anti_phishing_code: z
      .string()
      .trim()
      .regex(/^[\p{L}\p{N}]{4,20}$/u, 'Please enter 4-20 characters, excluding special symbols'),
    verification_code: verificationCode,
  }),
  answer: codeAnswer,
  sensitive: true,
});

export const updateWithdrawLimit = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v3/update-withdraw-limit',
  access: 'client',
  keys: 'never',
  stepUpAtTimes: 'withdrawal-settings',
  tag,
  summary: 'Enable a cap in USDT on withdrawals in 24 h; to raise it takes a step-up and holds withdrawals for 24 h',
  query: z.object({
    withdraw_limit: z.coerce.number().pipe(z.literal(WITHDRAW_LIMITS, 'Choose one of: {{values}}')).default(500),
  }),
  answer: z.object({ message: success, withdraw_limit: z.literal(WITHDRAW_LIMITS) }),
  sensitive: true,
});

export const updateWithdrawalSettings = defineCall({
  methods: ['PATCH'],
  path: '/api/v3/security/withdrawal',
  access: 'client',
  keys: 'never',
  stepUpAtTimes: 'withdrawal-settings',
  tag,
  summary:
    'One-step withdrawal, whitelist-only, end of the cap; to loosen takes a step-up and holds withdrawals for 24 h',
  body: z.object({
    one_step: z.boolean().optional(),
    whitelist_only: z.boolean().optional(),
    withdraw_limit: z.null().optional(),
  }),
  answer: z.object({
    message: success,
    one_step: z.boolean(),
    whitelist_only: z.boolean(),
    withdraw_limit: z.literal(WITHDRAW_LIMITS).nullable(),
  }),
});

const whitelisted = z.object({
  id: z.number().int(),
  label: z.string(),
  coin: z.string(),
  network: z.string(),
  address: z.string(),
  created_at: z.number().int(),
  /** Ms since 1970, 24 h after it was added: from then on it can be withdrawn to. */
  active_at: z.number().int(),
});

export const whitelist = defineCall({
  methods: ['GET'],
  path: '/api/v3/whitelist',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Addresses that may be withdrawn to, newest first',
  answer: z.object({ addresses: z.array(whitelisted) }),
});

export const addWhitelisted = defineCall({
  methods: ['POST'],
  path: '/api/v3/whitelist',
  access: 'client',
  keys: 'never',
  stepUp: 'whitelist',
  tag,
  summary: 'Add an address, good after 24 h; asks for a step-up (whitelist) and holds withdrawals for 24 h',
  body: z.object({
    label: z.string().trim().min(1, 'Field is required').max(60, 'Use at most {{maximum}} characters'),
    coin: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z0-9]{2,12}$/, 'Name a coin, such as USDT'),
    network: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z0-9]{2,12}$/, 'Name a network, such as TRC20'),
    address: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9]{20,100}$/, 'Not a valid address'),
  }),
  answer: z.object({ message: z.enum(['success', 'exist']), address: whitelisted }),
});

export const removeWhitelisted = defineCall({
  methods: ['DELETE'],
  path: '/api/v3/whitelist/:id',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Take an address away',
  params: z.object({ id: rowId }),
  answer: z.object({ message: success }),
});

export const totpEnrolment = defineCall({
  methods: ['POST'],
  path: '/api/v3/totp/enrolment',
  access: 'client',
  keys: 'never',
  stepUp: 'factors',
  tag,
  summary: 'Begin to connect an authenticator app; asks for a step-up (factors)',
  answer: z.object({ secret: z.string(), uri: z.string() }),
  sensitive: true,
});

const recoveryCodes = z.array(z.string());

export const enableTotp = defineCall({
  methods: ['POST'],
  path: '/api/v3/totp',
  access: 'client',
  keys: 'never',
  stepUp: 'factors',
  tag,
  summary: "Finish with the app's code; answers ten recovery codes, this once, and holds withdrawals for 24 h",
  body: z.object({
    code: z
      .string()
      .trim()
      .regex(/^\d{6}$/, 'A code has six digits'),
  }),
  answer: z.object({ message: z.enum(['success', 'CODE_DOES_NOT_MATCH']), recovery_codes: recoveryCodes }),
  sensitive: true,
});

export const disableTotp = defineCall({
  methods: ['DELETE'],
  path: '/api/v3/totp',
  access: 'client',
  keys: 'never',
  stepUp: 'factors',
  tag,
  summary: 'Disconnect the authenticator app; asks for a step-up (factors) and holds withdrawals for 24 h',
  answer: z.object({ message: success }),
});

export const renewRecoveryCodes = defineCall({
  methods: ['POST'],
  path: '/api/v3/totp/recovery-codes',
  access: 'client',
  keys: 'never',
  stepUp: 'factors',
  tag,
  summary: 'Ten new recovery codes in place of the old; asks for a step-up (factors)',
  answer: z.object({ message: success, recovery_codes: recoveryCodes }),
  sensitive: true,
});

export const sessions = defineCall({
  methods: ['GET'],
  path: '/api/v3/sessions',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Where the account is signed in, this session first, then by last use',
  answer: z.object({
    sessions: z.array(
      z.object({
        id: z.number().int(),
        is_this: z.boolean(),
        /** Such as `Firefox on Windows`. */
        device: z.string(),
        address: z.string(),
        /** From the operator's proxy (see PLACE_HEADER); `Private network` or `Unknown` without it. */
        place: z.string(),
        way: z.enum(['password', 'google', 'apple', 'wallet', 'passkey']),
        created_at: z.number().int(),
        last_used_at: z.number().int(),
        expires_at: z.number().int(),
      }),
    ),
  }),
});

export const endSession = defineCall({
  methods: ['DELETE'],
  path: '/api/v3/sessions/:id',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Sign out one session',
  params: z.object({ id: rowId }),
  answer: z.object({ message: success }),
});

export const endOtherSessions = defineCall({
  methods: ['POST'],
  path: '/api/v3/sessions/end-others',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Sign out everywhere but here; with this too, here as well',
  body: z.object({ this_too: z.boolean().default(false) }),
  answer: z.object({ message: success, ended: z.number().int() }),
});

const historyEntry = z.object({
  id: z.number().int(),
  at: z.number().int(),
  way: z.enum(['password', 'google', 'apple', 'wallet', 'passkey']),
  outcome: z.enum(['success', 'wrong-password', 'wrong-factor', 'frozen', 'maintenance']),
  device: z.string(),
  address: z.string(),
  place: z.string(),
});

export const signInHistory = defineCall({
  methods: ['GET'],
  path: '/api/v3/sign-in-history',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Who signed in or tried to, newest first',
  query: page,
  answer: z.object({ entries: z.array(historyEntry), next: z.string().nullable() }),
});

/** What acts for the person without his password: API keys, and apps that he gave access to. */
export const appAuthorization = defineCall({
  methods: ['GET'],
  path: '/api/v3/app-authorization',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'API keys and apps with permission; empty when no apps or services have any',
  answer: z.object({
    api_keys: z.array(
      z.object({
        id: z.number().int(),
        label: z.string(),
        /** The first characters; the key itself is shown once, when it is made. */
        prefix: z.string(),
        permissions: z.array(z.enum(['read', 'trade'])),
        /** Addresses and networks from which it is good; empty: from anywhere. */
        networks: z.array(z.string()),
        created_at: z.number().int(),
        last_used_at: z.number().int().nullable(),
        expires_at: z.number().int(),
      }),
    ),
    apps: z.array(
      z.object({ id: z.string(), name: z.string(), permissions: z.array(z.string()), since: z.number().int() }),
    ),
  }),
});

const MAXIMUM_NETWORKS = 20;

const network = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  'Use addresses or networks, such as 203.0.113.7 or 203.0.113.0/24',
);

export const createApiKey = defineCall({
  methods: ['POST'],
  path: '/api/v3/api-keys',
  access: 'client',
  keys: 'never',
  stepUp: 'connections',
  tag,
  summary: 'Make a key that programs send as a bearer token; asks for a step-up (connections)',
  body: z.object({
    label: z.string().trim().min(1, 'Field is required').max(60, 'Use at most {{maximum}} characters'),
    permissions: z
      .array(z.enum(['read', 'trade'], 'Choose one of: {{values}}'))
      .min(1, 'Choose at least one permission')
      .max(2),
    networks: z
      .array(network)
      .max(MAXIMUM_NETWORKS, 'Use at most {{maximum}} addresses')
      .default([])
      .describe('Addresses or networks (CIDR) from which the key is good; empty: from anywhere'),
    days: z.number().int().min(1).max(365).default(90),
  }),
  answer: z.object({ message: success, key: z.string() }),
  sensitive: true,
});

export const revokeApiKey = defineCall({
  methods: ['DELETE'],
  path: '/api/v3/api-keys/:id',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'End a key at once',
  params: z.object({ id: rowId }),
  answer: z.object({ message: success }),
});
