/** What a failure is to the caller, and how a refusal goes out: the same over HTTP and over the sockets. */
import { STATUS_CODES } from 'node:http';
import type { Locale } from '@cambist/contract/locales.ts';
import type { Problem } from '@cambist/contract/problem.ts';
import { Refusal } from './calls.ts';
import { AuthorityEnded } from './database.ts';
import type { Logger } from './logger.ts';
import { inLanguage, type LocalizedText, say } from './texts.ts';

/**
 * The refusal as it goes out: in the caller's language. `detail` begins with the field that is wrong, for programs; `message` is the
 * text alone, as the documents have it.
 */
export function problemOf(
  { status, code, detail, errors, members }: Refusal,
  locale: Locale,
  requestId: string,
): Problem {
  const title = STATUS_CODES[status] ?? 'Error';
  const { field: _, ...alone } = typeof detail === 'string' ? say(detail) : detail;
  const texts = { detail: inLanguage(detail, locale), message: inLanguage(alone, locale) };
  const problem = { type: 'about:blank', title, status, code, ...texts, requestId, ...members };
  if (errors === undefined) return problem;
  return { ...problem, errors: errors.map(({ field, message }) => ({ field, message: inLanguage(message, locale) })) };
}

/** An error that says its own status, or none. */
type Failure = Refusal | (Error & { readonly statusCode?: number; readonly code?: string });

/** Errors by name, so that this file knows no business words, that mean: nothing was done, try again. */
const nothingDone: ReadonlySet<string> = new Set(['Overloaded', 'NotAccepted']);
const SUSPECT_SECONDS = '2';

/** What is wrong with a field: with its name for programs, and apart from it for who filled it in. */
export const invalidField = (field: string, detail: LocalizedText): Refusal =>
  new Refusal(422, 'INVALID_FIELD', { ...detail, field }, {}, [{ field, message: detail }]);

/** Nothing was done. */
export function notAccepted(seconds: number): Refusal {
  const text = say('The exchange is busy and nothing was done. Try again in a moment.');
  return new Refusal(503, 'UNAVAILABLE', text, { 'retry-after': String(seconds) });
}

/** It may have been done. */
export function outcomeUnknown(): Refusal {
  const text = say(
    "We can't tell whether this was done. Repeat it with the same Idempotency-Key, or check before you try again.",
  );
  return new Refusal(503, 'OUTCOME_UNKNOWN', text, { 'retry-after': SUSPECT_SECONDS });
}

const badSession = new Refusal(401, 'SESSION_ENDED', 'Your session has ended. Log in again.');
export const outdated = new Refusal(
  409,
  'PROOF_OUTDATED',
  'A security setting of this account has just changed. Try again.',
);

function refusalOf(error: Failure, isRead: boolean): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof AuthorityEnded) return error.what === 'session' ? badSession : outdated;
  if (nothingDone.has(error.name)) return notAccepted((error as { retryAfterSeconds?: number }).retryAfterSeconds ?? 1);
  if (error.name === 'OutcomeUnknown') return outcomeUnknown();
  // What only reads has done nothing; of anything else a part may be done.
  if (error.name === 'DatabaseUnavailable') return isRead ? notAccepted(2) : outcomeUnknown();
  if (error.name === 'UnfitValue') return new Refusal(422, 'INVALID_INPUT', 'Invalid input');
  const status = error.statusCode ?? 500;
  if (status >= 500) return new Refusal(500, 'INTERNAL', 'Something went wrong');
  return new Refusal(status, error.code ?? 'BAD_REQUEST', error.message);
}

/** @returns the refusal; what is a defect of ours is logged */
export function refusalForError(
  error: Failure,
  { isRead, requestId, logger }: { readonly isRead: boolean; readonly requestId: string; readonly logger: Logger },
): Refusal {
  const refusal = refusalOf(error, isRead);
  if (refusal.status === 500) logger.error({ err: error, requestId }, 'A request failed');
  // The schema of its call should have refused it.
  if (!(error instanceof Refusal) && error.name === 'UnfitValue')
    logger.warn({ err: error, requestId }, 'The database refused a value');
  return refusal;
}

export function tooMany(seconds: number): Refusal {
  const text = say('Too many requests. Try again in {{seconds}} s.', { seconds });
  return new Refusal(429, 'TOO_MANY_REQUESTS', text, { 'retry-after': String(seconds) });
}
