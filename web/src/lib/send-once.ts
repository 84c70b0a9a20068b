/** Sends what a person wants done exactly once, however often it has to be tried and from whichever screen. */
import { ApiProblem } from './api-problem.ts';

/** Of an answer that decided nothing: the person has mistyped, and the server has kept nothing under the key. */
const MISTYPED: readonly string[] = ['wrong_transaction_password', 'wrong_password', 'wrong_code'];

/**
 * The idempotency keys of what is not decided yet. Beside the screens: who closes a dialog without an answer and opens it
 * again, or goes away and comes back, tries the same again, and must not do it twice.
 */
const undecided = new Map<string, string>();

/**
 * @param intent what is done with what, such as an order of a side of a pair; one that differs in its amount goes out under the
 * key of the one before it, and is refused if that has arrived after all
 */
export async function sendOnce<Answer extends { readonly message: string } | undefined>(
  intent: string,
  send: (idempotencyKey: string) => Promise<Answer>,
): Promise<Answer> {
  const key = undecided.get(intent) ?? crypto.randomUUID();
  undecided.set(intent, key);
  // A second try that was sent meanwhile may have been decided, and another begun, since.
  const decide = () => undecided.get(intent) === key && undecided.delete(intent);
  try {
    const answer = await send(key);
    if (!MISTYPED.includes(answer?.message ?? '')) decide();
    return answer;
  } catch (error) {
    if (error instanceof ApiProblem && !error.undecided) decide();
    throw error;
  }
}
