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
});

export type Problem = z.infer<typeof problem>;
