/** What has become of a withdrawal, step by step, and in the words of a list. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { readWithdrawal, Withdrawal, WithdrawalStage } from '@cambist/contract/withdrawals.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { listAmount, type Tone } from '../history/movement-list.tsx';
import type { Awaited, TimelineStep } from '../timeline.tsx';

export type WithdrawalEvent = AnswerOf<typeof readWithdrawal>['events'][number];

export const shownAmount = ({ withdraw_amount: amount }: Pick<Withdrawal, 'withdraw_amount'>) => listAmount(amount);

interface Status {
  /** The key of the text. */
  readonly text: string;
  readonly tone: Tone;
}

const STATUS: Readonly<Record<Withdrawal['state'], Status>> = {
  PROCEED: { text: msg('Completed'), tone: 'done' },
  ONHOLD: { text: msg('Pending'), tone: 'pending' },
  FREEZE: { text: msg('Freeze'), tone: 'failed' },
  REFUSED: { text: msg('Refused'), tone: 'failed' },
  CANCELLED: { text: msg('Cancelled'), tone: 'failed' },
  FAILED: { text: msg('Failed'), tone: 'failed' },
};

export const statusOf = ({ state }: Pick<Withdrawal, 'state'>): Status => STATUS[state];

/** What is still counted once it is on its chain; undefined before and afterwards. */
export function awaitedOf(withdrawal: Withdrawal): Awaited | undefined {
  const { stage, confirmations, confirmations_required: required, is_internal: isInternal } = withdrawal;
  if (isInternal || required === 0 || (stage !== 'BROADCAST' && stage !== 'CONFIRMED')) return undefined;
  return { count: Math.min(confirmations, required), required };
}

const ACTORS: Readonly<Record<WithdrawalEvent['actor'], string>> = {
  CLIENT: msg('You'),
  EXCHANGE: msg('Cambist'),
  OPERATOR: msg('Operator'),
  CHAIN: msg('Network'),
};

/** What lies ahead, each with the stages that are before it. */
const AHEAD: readonly { readonly stage: WithdrawalStage; readonly text: string }[] = [
  { stage: 'APPROVED', text: msg('Approved') },
  { stage: 'BROADCAST', text: msg('Sent to the network') },
  { stage: 'CONFIRMED', text: msg('Included in a block') },
  { stage: 'SETTLED', text: msg('Completed') },
];
const ORDER: readonly WithdrawalStage[] = [
  'REQUESTED',
  'APPROVAL',
  'APPROVED',
  'SIGNING',
  'BROADCAST',
  'CONFIRMED',
  'SETTLED',
];
const ENDED: ReadonlySet<WithdrawalStage> = new Set(['SETTLED', 'REFUSED', 'CANCELLED', 'FAILED']);
const STOPPED: ReadonlySet<WithdrawalStage> = new Set(['REFUSED', 'CANCELLED', 'FAILED']);

export const hasEnded = ({ stage }: Pick<Withdrawal, 'stage'>): boolean => ENDED.has(stage);

function aheadOf(withdrawal: Withdrawal): TimelineStep[] {
  if (hasEnded(withdrawal)) return [];
  const reached = ORDER.indexOf(withdrawal.stage);
  // One within the exchange has no chain to go through.
  const left = AHEAD.filter(
    ({ stage }) => ORDER.indexOf(stage) > reached && (!withdrawal.is_internal || stage === 'SETTLED'),
  );
  const awaited = awaitedOf(withdrawal);
  return left.map(({ stage, text }, at) => ({
    key: `ahead-${stage}`,
    text: t(text, { context: 'withdrawal' }),
    progress: at === 0 ? 'current' : 'ahead',
    ...(at === 0 && awaited ? { awaited } : {}),
  }));
}

/** The way of a withdrawal: everything that has happened to it, and what comes next. */
export function stepsOf(withdrawal: Withdrawal, events: readonly WithdrawalEvent[]): TimelineStep[] {
  const past = events.map(
    ({ stage, at, actor, text }, index): TimelineStep => ({
      key: `event-${index}`,
      text,
      progress: STOPPED.has(stage) ? 'failed' : 'done',
      actor: t(ACTORS[actor]),
      time: at,
    }),
  );
  return [...past, ...aheadOf(withdrawal)];
}
