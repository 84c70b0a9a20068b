/** What has become of a deposit, step by step, and in the words of a list. */
import type { Deposit } from '@cambist/contract/deposits.ts';
import { compare, decimal } from '../../../lib/decimal.ts';
import { formatDecimal, formatExact } from '../../../lib/format.ts';
import { msg } from '../../../lib/i18n.ts';

const LIST_DIGITS = 3;

/** Three decimals, but nothing that came is shown as nothing. */
export function shownAmount({ recharge_amount: amount }: Pick<Deposit, 'recharge_amount'>): string {
  const exact = decimal(amount);
  const isSmaller = exact.units > 0n && compare(exact, { units: 1n, scale: LIST_DIGITS }) < 0;
  return isSmaller ? formatExact(exact) : formatDecimal(exact, LIST_DIGITS);
}

export type Tone = 'done' | 'pending' | 'failed';

interface Status {
  /** The key of the text. */
  readonly text: string;
  readonly tone: Tone;
}

/** Completed once it is credited, Pending before; what is never credited says so instead of seeming to be on its way. */
export function statusOf({ recharge_status: status, state }: Pick<Deposit, 'recharge_status' | 'state'>): Status {
  if (state === 'REVERSED') return { text: msg('Reversed'), tone: 'failed' };
  if (state === 'BELOW_MINIMUM') return { text: msg('Below minimum'), tone: 'failed' };
  return status === 'APPROVED' ? { text: msg('Completed'), tone: 'done' } : { text: msg('Pending'), tone: 'pending' };
}

/** What is still counted, and up to which number; undefined where nothing is awaited any more. */
export function awaitedOf(deposit: Deposit): { readonly count: number; readonly required: number } | undefined {
  const { state, confirmations, credited_at: credited, unlocked_at: unlocked } = deposit;
  if (state !== 'SEEN' && state !== 'CREDITED') return undefined;
  const required = state === 'SEEN' ? credited : unlocked;
  return { count: Math.min(confirmations, required), required };
}

export type StepName = 'seen' | 'credited' | 'unlocked' | 'below' | 'reversed';

export interface Step {
  readonly name: StepName;
  readonly progress: 'done' | 'current' | 'ahead' | 'failed';
  /** Ms since 1970, where the server says when it was. */
  readonly time?: number;
  /** Confirmations that it has and needs, while it has not all of them. */
  readonly awaited?: { readonly count: number; readonly required: number };
}

/** The way of a deposit: what is behind it, what it waits for, and what comes after. */
export function stepsOf(deposit: Deposit): Step[] {
  const { state, date, response_time: changed } = deposit;
  const seen: Step = { name: 'seen', progress: 'done', time: date };
  if (state === 'BELOW_MINIMUM') return [seen, { name: 'below', progress: 'failed', time: changed }];
  if (state === 'REVERSED') return [seen, { name: 'reversed', progress: 'failed', time: changed }];
  const awaited = awaitedOf(deposit);
  const waiting = awaited ? { awaited } : {};
  if (state === 'SEEN') {
    return [seen, { name: 'credited', progress: 'current', ...waiting }, { name: 'unlocked', progress: 'ahead' }];
  }
  if (state === 'CREDITED') {
    const credited: Step = { name: 'credited', progress: 'done', time: changed };
    return [seen, credited, { name: 'unlocked', progress: 'current', ...waiting }];
  }
  return [seen, { name: 'credited', progress: 'done' }, { name: 'unlocked', progress: 'done', time: changed }];
}
