/** Sends what a person wants done exactly once, however often it has to be tried and from whichever screen. */
import { persist } from 'zustand/middleware';
import { createStore } from 'zustand/vanilla';
import { ApiProblem } from './api-problem.ts';
import { inTab } from './storage.ts';

/** Of an answer that decided nothing: the person has mistyped, and the server has kept nothing under the key. */
const MISTYPED: readonly string[] = ['wrong_transaction_password', 'wrong_password', 'wrong_code'];

const isMistyped = (answer: { readonly message?: unknown } | undefined) =>
  MISTYPED.some((text) => text === answer?.message);

/** Refused before the exchange has looked whether it was done: a session has ended, too much was asked, a value is impossible. */
const UNLOOKED_STATUSES: readonly number[] = [401, 403, 429];
const UNLOOKED_CODES: readonly string[] = ['INVALID_INPUT', 'INVALID_FIELD'];

function isDecision(error: unknown): boolean {
  if (!(error instanceof ApiProblem) || error.undecided) return false;
  return !UNLOOKED_STATUSES.includes(error.status) && !UNLOOKED_CODES.includes(error.code);
}

/** By then lists and balances have shown whether it was done: what looks the same is another wish. */
const TRIED_AGAIN_WITHIN_MS = 10 * 60_000;

interface Sent {
  readonly key: string;
  /** When last, in milliseconds. */
  readonly at: number;
}

/**
 * What is not decided yet, by its intent. Beside the screens: who closes a dialog without an answer and opens it again, or goes
 * away and comes back, tries the same again, and must not do it twice. Nor must who loads the page anew, as people do
 * when no answer comes: the tab keeps it, and no other tab, which may want the same for itself.
 */
const undecided = createStore<Readonly<Record<string, Sent>>>()(persist(() => ({}), inTab('cambist.undecided')));

function without(intent: string): Record<string, Sent> {
  const { [intent]: _, ...others } = undecided.getState();
  return others;
}

function keyOf(intent: string): string {
  const last = undecided.getState()[intent];
  const isRecent = last !== undefined && Date.now() - last.at < TRIED_AGAIN_WITHIN_MS;
  const key = isRecent ? last.key : crypto.randomUUID();
  undecided.setState({ [intent]: { key, at: Date.now() } });
  return key;
}

/**
 * @param intent what is done with what, such as an order of a side of a pair; one that differs in its amount goes out under the
 * key of the one before it, and is refused if that has arrived after all
 */
export async function sendOnce<Answer extends object | undefined>(
  intent: string,
  send: (idempotencyKey: string) => Promise<Answer>,
): Promise<Answer> {
  const key = keyOf(intent);
  // A second try that was sent meanwhile may have been decided, and another begun, since.
  const decide = () => {
    if (undecided.getState()[intent]?.key === key) undecided.setState(without(intent), true);
  };
  try {
    const answer = await send(key);
    if (!isMistyped(answer)) decide();
    return answer;
  } catch (error) {
    if (isDecision(error)) decide();
    throw error;
  }
}

async function digestOf(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** What is written is a part of its intent: another message goes out under its own key, whatever became of the one before it. */
export async function sendMessageOnce<Answer extends object>(
  intent: string,
  written: unknown,
  send: (idempotencyKey: string) => Promise<Answer>,
): Promise<Answer> {
  return sendOnce(`${intent} ${await digestOf(JSON.stringify(written))}`, send);
}

/** Of a visitor who has none: the same whenever a message is sent again under its key, and as hard to guess. */
export const visitorTokenOf = (idempotencyKey: string): Promise<string> => digestOf(`visitor ${idempotencyKey}`);
