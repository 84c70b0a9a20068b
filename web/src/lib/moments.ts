/** Moments of the private stream, as answers, pushes and beginnings of channels carry them; see `MOMENT_HEADER`. */
import type { MOMENT_HEADER } from '@cambist/contract/stream.ts';

/** Undefined where none was said: then nothing is known of the order. */
export type Moment = string | undefined;

function read(moment: Moment): { readonly process: string; readonly at: number } | undefined {
  const end = moment?.lastIndexOf('-') ?? -1;
  const at = Number(moment?.slice(end + 1));
  return moment !== undefined && end > 0 && Number.isSafeInteger(at)
    ? { process: moment.slice(0, end), at }
    : undefined;
}

/** Whether what is of one moment has all that was told up to another. Moments of two processes have no order. */
export function reaches(one: Moment, other: Moment): boolean {
  const [reached, told] = [read(one), read(other)];
  return reached !== undefined && told !== undefined && reached.process === told.process && reached.at >= told.at;
}

/** Up to where both reach; undefined where that is not known. */
export function earlier(one: Moment, other: Moment): Moment {
  if (reaches(one, other)) return other;
  return reaches(other, one) ? one : undefined;
}

/** Of the answers to what was asked for with a signal, the earliest; null where one of them had none. */
const answered = new WeakMap<AbortSignal, string | null>();

export function noteMoment(signal: AbortSignal, answer: Response): void {
  const moment = answer.headers.get('stream-moment' satisfies typeof MOMENT_HEADER) ?? undefined;
  const before = answered.get(signal);
  answered.set(signal, (before === undefined ? moment : earlier(before ?? undefined, moment)) ?? null);
}

/** Of what was read with a signal of its own. */
export const momentOf = (signal: AbortSignal): Moment => answered.get(signal) ?? undefined;
