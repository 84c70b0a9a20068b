/** What a failed call throws: the server's own refusal, or a word about the connection. */
import type { Problem } from '@cambist/contract/problem.ts';
import { t } from './i18n.ts';

export class ApiProblem extends Error {
  readonly status: number;
  /** Stable; programs decide by it. `NETWORK` and `BAD_ANSWER` are ours, all others the server's. */
  readonly code: string;
  readonly detail: string;
  readonly fields: ReadonlyMap<string, string>;
  /** With FREEZE_ACCOUNT and MAINTENANCE: why, until when, and where to object. */
  readonly restriction: Problem['restriction'];
  /** With STEP_UP_REQUIRED: what is needed before the same call is let through. */
  readonly stepUp: Problem['step_up'];

  constructor(fields: Pick<Problem, 'status' | 'code' | 'detail' | 'message' | 'errors' | 'restriction' | 'step_up'>) {
    super(fields.message);
    this.name = 'ApiProblem';
    this.status = fields.status;
    this.code = fields.code;
    this.detail = fields.detail;
    this.restriction = fields.restriction;
    this.stepUp = fields.step_up;
    this.fields = new Map((fields.errors ?? []).map((entry) => [entry.field, entry.message]));
  }

  /** Whether the server may have acted without our hearing of it: a retry must carry the same idempotency key. */
  get undecided(): boolean {
    return this.code === 'NETWORK' || this.status >= 500;
  }
}

/** No session stands behind the call. The shell says so, on every screen. */
export const isSignedOut = (problem: unknown): boolean =>
  problem instanceof ApiProblem && ['SESSION_ENDED', 'UNAUTHENTICATED'].includes(problem.code);

/** @param mayBeDone whether the call changes something, once however often it is sent */
export function networkProblem(mayBeDone = false): ApiProblem {
  const message = mayBeDone
    ? t('The exchange gave no answer: this may have been done already. Try again, it is not done twice.')
    : t('The exchange cannot be reached. Check your connection and try again.');
  return new ApiProblem({ status: 0, code: 'NETWORK', detail: message, message });
}

/** By hand: the built client has no schemas. */
function isProblem(answer: unknown): answer is Problem {
  const { status, code, detail, message, errors = [] } = (answer ?? {}) as Partial<Record<keyof Problem, unknown>>;
  const texts = [code, detail, message].every((text) => typeof text === 'string');
  return texts && typeof status === 'number' && Array.isArray(errors);
}

export async function problemFrom(response: Response): Promise<ApiProblem> {
  return problemOf(response.status, await response.json().catch(() => undefined));
}

export function problemOf(status: number, answer: unknown): ApiProblem {
  if (isProblem(answer)) return new ApiProblem(answer);
  const message = t('Something went wrong');
  return new ApiProblem({ status, code: 'BAD_ANSWER', detail: message, message });
}

/**
 * One sentence for a person, whatever was thrown: without the name that a field has in the call. A key that was used before is
 * that of a try without an answer, after which the person wanted something else.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return t('Something went wrong');
  if (error.code === 'IDEMPOTENCY_KEY_REUSED')
    return t('What you sent before has arrived after all. Look at what it did before you send this one too.');
  const [ofField] = error.fields.values();
  return ofField ?? error.message;
}

/** Of a notice: that something failed is said only where it has. @param title where it was refused */
export const titleOf = (error: unknown, title: string): string =>
  error instanceof ApiProblem && error.undecided ? t('Not confirmed') : title;

/** A code that was sent a moment ago is still good: to ask again too early is no failure. */
export async function ensureSent(send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (problem) {
    if (!(problem instanceof ApiProblem) || problem.code !== 'CODE_SENT_RECENTLY') throw problem;
  }
}
