/** Confirming that it is the person, for one call that was refused with STEP_UP_REQUIRED. */
import { z } from 'zod';
import { defineCall, STEP_UP_PURPOSES } from './call.ts';
import { currentPassword, secondFactor } from './fields.ts';
import { passkeyProof } from './passkeys.ts';

const tag = 'Security';
const stepUpPurpose = z.enum(STEP_UP_PURPOSES, 'Choose one of: {{values}}');

export const stepUp = defineCall({
  methods: ['POST'],
  path: '/api/v3/step-up',
  access: 'client',
  keys: 'never',
  tag,
  summary:
    'Confirm that it is you for one call that was refused with STEP_UP_REQUIRED; send that call again within ten minutes',
  body: z.object({
    purpose: stepUpPurpose,
    /** Of the refusal. The grant allows that call with those values, once, in this session. */
    act: z.string().regex(/^[\w-]{43}$/, 'Unknown code'),
    transaction_password: currentPassword,
    /** Where `needs` names it: the code that `/api/v3/step-up/code` has mailed. */
    email_code: z.string().trim().max(12, 'A code has six digits').optional(),
    /** For who has an authenticator app or a passkey: one of the two. */
    second_factor: secondFactor,
    passkey: passkeyProof.optional(),
  }),
  answer: z.object({
    /** `used_second_factor`: a right code that was taken already; the next one comes within thirty seconds. */
    message: z.enum([
      'success',
      'wrong_transaction_password',
      'wrong_email_code',
      'wrong_second_factor',
      'used_second_factor',
      'second_factor_required',
    ]),
    /** Ms since 1970; null when it was not given. */
    granted_until: z.number().int().nullable(),
  }),
  sensitive: true,
});

export const stepUpCode = defineCall({
  methods: ['POST'],
  path: '/api/v3/step-up/code',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Mail the code of a step-up whose `needs` name an `email_code`',
  answer: z.object({ message: z.literal('success'), resend_after_s: z.number().int() }),
  sensitive: true,
});
