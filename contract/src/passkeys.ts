/**
 * Passkeys (WebAuthn) to sign in and to confirm. `options` go to `@simplewebauthn/browser` as they are, and what it
 * answers comes back as `response`. A challenge is good once and for five minutes.
 */
import { z } from 'zod';
import { signedIn } from './accounts.ts';
import { defineCall } from './call.ts';
import { rowId } from './fields.ts';

const tag = 'Passkeys';
const text = z.string().max(20_000);
const options = z.record(z.string(), z.unknown());
const label = z.string().trim().min(1, 'Field is required').max(60, 'Use at most {{maximum}} characters');
const challengeId = z.string().regex(/^[\w-]{22,64}$/, 'Unknown challenge');

const credential = {
  id: z.string().max(1400),
  rawId: z.string().max(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  clientExtensionResults: z.record(z.string().max(60), z.unknown()).default({}),
};

/** What `startRegistration` answers. */
const registration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    authenticatorData: z.optional(text),
    transports: z.array(z.string().max(20)).max(10).optional(),
    publicKeyAlgorithm: z.number().int().optional(),
    publicKey: z.optional(text),
  }),
});

/** What `startAuthentication` answers. */
export const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: z.string().max(1400).optional(),
  }),
});

/** A passkey shown as a second factor. */
export const passkeyProof = z.object({ challenge_id: challengeId, response: assertion });

const passkey = z.object({
  id: z.number().int(),
  label: z.string(),
  created_at: z.number().int(),
  last_used_at: z.number().int().nullable(),
  /** Kept by a password manager or cloud, so that losing the device does not lose it. */
  backed_up: z.boolean(),
});

const challenge = z.object({ challenge_id: z.string(), options });

export const passkeys = defineCall({
  methods: ['GET'],
  path: '/api/v3/passkeys',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'The passkeys of this account',
  answer: z.object({ passkeys: z.array(passkey) }),
});

export const passkeyRegistration = defineCall({
  methods: ['POST'],
  path: '/api/v3/passkeys/registration',
  access: 'client',
  keys: 'never',
  stepUp: 'factors',
  tag,
  summary: 'Begin to add a passkey; asks for a step-up (factors)',
  answer: challenge,
  sensitive: true,
});

export const addPasskey = defineCall({
  methods: ['POST'],
  path: '/api/v3/passkeys',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Add the passkey that the browser has made; holds withdrawals for 24 h',
  body: z.object({ label, challenge_id: challengeId, response: registration }),
  answer: z.object({ message: z.literal('success'), passkey }),
  sensitive: true,
});

export const renamePasskey = defineCall({
  methods: ['PATCH'],
  path: '/api/v3/passkeys/:id',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Give a passkey another name',
  params: z.object({ id: rowId }),
  body: z.object({ label }),
  answer: z.object({ message: z.literal('success') }),
});

export const deletePasskey = defineCall({
  methods: ['DELETE'],
  path: '/api/v3/passkeys/:id',
  access: 'client',
  keys: 'never',
  stepUp: 'factors',
  tag,
  summary: 'Take a passkey away; asks for a step-up (factors) and holds withdrawals for 24 h',
  params: z.object({ id: rowId }),
  answer: z.object({ message: z.literal('success') }),
});

export const passkeySignInOptions = defineCall({
  methods: ['POST'],
  path: '/api/v3/passkeys/sign-in/options',
  access: 'public',
  tag,
  summary: 'Begin to sign in with a passkey',
  answer: challenge,
  sensitive: true,
});

export const passkeySignIn = defineCall({
  methods: ['POST'],
  path: '/api/v3/passkeys/sign-in',
  access: 'public',
  tag,
  summary: 'Sign in with a passkey, which counts as both factors',
  body: passkeyProof,
  answer: signedIn,
  sensitive: true,
});

export const passkeyConfirmOptions = defineCall({
  methods: ['POST'],
  path: '/api/v3/passkeys/confirm/options',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Begin to confirm with a passkey, for a step-up',
  answer: challenge,
  sensitive: true,
});
