/** The one shape of every refusal (RFC 9457), plus `message`, which older clients show as it is. */
import { z } from 'zod';

export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  /** Stable and upper case, such as INSUFFICIENT_FUNDS; programs decide by it. */
  code: z.string(),
  /** What to change, in a sentence. */
  detail: z.string(),
  message: z.string(),
  requestId: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  /** With STEP_UP_REQUIRED: what `/api/v3/step-up` must be asked for, and what it wants to see. */
  step_up: z
    .object({
      purpose: z.string(),
      /** Stands for the refused call and the values of its fields: `/api/v3/step-up` takes it with the proof. */
      act: z.string(),
      needs: z.array(z.enum(['transaction_password', 'email_code', 'second_factor'])),
      second_factors: z.array(z.enum(['totp', 'passkey', 'recovery_code'])),
    })
    .optional(),
  /** With FEE_CHANGED: what it costs now. */
  fee: z.string().optional(),
  /** With FREEZE_ACCOUNT and MAINTENANCE: why, until when (ms since 1970; null is open), and where to object. */
  /** Ms: when a pair goes on that pauses. */
  resume_at: z.number().int().optional(),
  restriction: z.object({ reason: z.string(), until: z.number().int().nullable(), appeal: z.string() }).optional(),
});

export type Problem = z.infer<typeof problem>;
