/** What has become of a deposit, step by step, and in the words of a list. */
import type { Deposit } from '@cambist/contract/deposits.ts';
import { msg } from '../../../lib/i18n.ts';
import { listAmount, type Tone } from '../history/movement-list.tsx';
import type { Awaited, Progress } from '../timeline.tsx';

export const shownAmount = ({ recharge_amount: amount }: Pick<Deposit, 'recharge_amount'>) => listAmount(amount);

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
export function awaitedOf(deposit: Deposit): Awaited | undefined {
  const { state, confirmations, credited_at: credited, unlocked_at: unlocked } = deposit;
  if (state !== 'SEEN' && state !== 'CREDITED') return undefined;
  const required = state === 'SEEN' ? credited : unlocked;
  return { count: Math.min(confirmations, required), required };
}

export type StepName = 'received' | 'seen' | 'credited' | 'unlocked' | 'below' | 'reversed';

export interface Step {
  readonly name: StepName;
  readonly progress: Progress;
  /** Ms since 1970, where the server says when it was. */
  readonly time?: number;
  /** Confirmations that it has and needs, while it has not all of them. */
  readonly awaited?: Awaited;
}

/** The way of a deposit: what is behind it, what it waits for, and what comes after. */
export function stepsOf(deposit: Deposit): Step[] {
  const { state, date, response_time: changed } = deposit;
  if (deposit.is_internal) {
    const received: Step = { name: 'received', progress: 'done', time: date };
    return [received, { name: 'credited', progress: 'done' }, { name: 'unlocked', progress: 'done' }];
  }
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
