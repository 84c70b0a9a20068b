/**
 * Sign-in through Google or Apple by OpenID Connect.
 *
 * 1. The page makes a random `verifier`, keeps it in session storage, and sends the browser to
 *    `/api/v3/auth/google?challenge=<base64url of SHA-256 of the verifier>`. To connect an account to the one that is
 *    signed in, `purpose=connect` goes along, and the challenge is that of `<verifier>.<id of the client>`: the code is
 *    then good for this client alone, and never for a sign-in.
 * 2. The server goes to the provider and comes back to `/auth/callback#code=…&email=…`, or to
 *    `/auth/callback#error=…&email=…` (email where it is known), and with `purpose=connect` in the fragment when it was
 *    asked to connect. The fragment never reaches a server or its log.
 * 3. The page sends `username` (the email), `code` and `verifier` to `/api/v3/google-login`. Anything but 200 means:
 *    keep the register flag and the email, and go to `/signup`; but FREEZE_ACCOUNT, MAINTENANCE and
 *    SECOND_FACTOR_REQUIRED (ask, and send the same code again) are shown.
 */
import { z } from 'zod';
import { signedIn } from './accounts.ts';
import { defineCall } from './call.ts';
import { secondFactor } from './fields.ts';

const tag = 'Third-party sign-in';
const secret = z.string().regex(/^[\w-]{43,128}$/, 'Unknown code');
const provider = z.enum(['google', 'apple'], 'Choose one of: {{values}}');

/** Answers by a redirect. */
export const authStart = defineCall({
  methods: ['GET'],
  path: '/api/v3/auth/:provider',
  access: 'public',
  tag,
  summary: 'Send the browser to the provider',
  params: z.object({ provider }),
  query: z.object({
    challenge: secret,
    purpose: z.enum(['sign-in', 'connect']).default('sign-in'),
  }),
  answer: z.object({}),
  sensitive: true,
});

/** Answers by a redirect. */
export const authCallback = defineCall({
  methods: ['GET'],
  path: '/api/v3/auth/:provider/callback',
  access: 'public',
  tag,
  summary: 'Where the provider sends the browser back to',
  params: z.object({ provider }),
  query: z.object({
    state: z.string().max(512).default(''),
    code: z.string().max(4096).optional(),
    error: z.string().max(200).optional(),
    iss: z.string().max(512).optional(),
  }),
  answer: z.object({}),
  sensitive: true,
  changesState: true,
});

export const googleLogin = defineCall({
  methods: ['POST'],
  path: '/api/v3/google-login',
  access: 'public',
  tag,
  summary: 'Finish a third-party sign-in by the one-time code of the return',
  body: z.object({
    username: z.string().trim().max(254),
    code: secret,
    verifier: secret,
    second_factor: secondFactor,
  }),
  answer: signedIn,
  sensitive: true,
});

export const connectProvider = defineCall({
  methods: ['POST'],
  path: '/api/v3/bind-accounts/:provider',
  access: 'client',
  keys: 'never',
  stepUp: 'connections',
  tag,
  summary: 'Connect the account of the return to the one that is signed in',
  params: z.object({ provider }),
  body: z.object({ code: secret, verifier: secret }),
  answer: z.object({ message: z.enum(['success', 'connected_elsewhere']) }),
  sensitive: true,
});

export const disconnectProvider = defineCall({
  methods: ['DELETE'],
  path: '/api/v3/bind-accounts/:provider',
  access: 'client',
  keys: 'never',
  stepUp: 'connections',
  tag,
  summary: 'Take the connection back; asks for a step-up (connections)',
  params: z.object({ provider }),
  answer: z.object({ message: z.literal('success') }),
});
