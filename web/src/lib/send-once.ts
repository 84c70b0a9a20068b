/** Sends what a person wants done exactly once, however often it has to be tried and from whichever screen. */
import { ApiProblem } from './api-problem.ts';

/** Of an answer that decided nothing: the person has mistyped, and the server has kept nothing under the key. */
const MISTYPED: readonly string[] = ['wrong_transaction_password', 'wrong_password', 'wrong_code'];

/** Refused before the exchange has looked whether it was done: a session has ended, too much was asked, a value is impossible. */
const UNLOOKED_STATUSES: readonly number[] = [401, 403, 429];
const UNLOOKED_CODES: readonly string[] = ['INVALID_INPUT', 'INVALID_FIELD'];

function isDecision(error: unknown): boolean {
  if (!(error instanceof ApiProblem) || error.undecided) return false;
  return !UNLOOKED_STATUSES.includes(error.status) && !UNLOOKED_CODES.includes(error.code);
}

/** By then lists and balances have shown whether it was done: what looks the same is another wish. */
const TRIED_AGAIN_WITHIN_MS = 10 * 60_000;

/**
 * The idempotency keys of what is not decided yet, and when each was sent last. Beside the screens: who closes a dialog
 * without an answer and opens it again, or goes away and comes back, tries the same again, and must not do it twice.
 */
const undecided = new Map<string, { readonly key: string; readonly at: number }>();

function keyOf(intent: string): string {
  const last = undecided.get(intent);
  const isRecent = last !== undefined && Date.now() - last.at < TRIED_AGAIN_WITHIN_MS;
  const key = isRecent ? last.key : crypto.randomUUID();
  undecided.set(intent, { key, at: Date.now() });
  return key;
}

/**
 * @param intent what is done with what, such as an order of a side of a pair; one that differs in its amount goes out under the
 * key of the one before it, and is refused if that has arrived after all
 */
export async function sendOnce<Answer extends { readonly message: string } | undefined>(
  intent: string,
  send: (idempotencyKey: string) => Promise<Answer>,
): Promise<Answer> {
  const key = keyOf(intent);
  // A second try that was sent meanwhile may have been decided, and another begun, since.
  const decide = () => undecided.get(intent)?.key === key && undecided.delete(intent);
  try {
    const answer = await send(key);
    if (!MISTYPED.includes(answer?.message ?? '')) decide();
    return answer;
  } catch (error) {
    if (isDecision(error)) decide();
    throw error;
  }
}
