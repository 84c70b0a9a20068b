/** The one refusal of every call that wants to see more than a session: what `/api/v3/step-up` must be given, and for what. */
import type { Problem } from '@cambist/contract/problem.ts';
import { Refusal } from './calls.ts';

export type StepUpNeed = NonNullable<Problem['step_up']>;

export function stepUpRequired(step_up: StepUpNeed): Refusal {
  return new Refusal(403, 'STEP_UP_REQUIRED', "Verify it's you.", {}, undefined, { step_up });
}
