/** Withdrawals as operators see them: each with why it waits, who has approved it, and what it has cost. */

import type { adminWithdrawals } from '@cambist/contract/admin-withdrawals.ts';
import type { AuditAct } from '@cambist/contract/audit-acts.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Locale } from '@cambist/contract/locales.ts';
import type { WithdrawalStage } from '@cambist/contract/withdrawals.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import { type Authority, holdAuthority } from '../../platform/authority.ts';
import { say } from '../../platform/texts.ts';
import { NATIVE_COINS } from '../chains/service.ts';
import type { Payout, Payouts } from '../payouts/service.ts';
import type { Notices } from './notices.ts';
import type { Processing } from './processing.ts';
import { type createDescribe, textOf } from './service.ts';
import type { StageStore } from './stage-store.ts';
import { CANCELLABLE, type Withdrawal, type WithdrawalStore } from './store.ts';

export type Reviewed = AnswerOf<typeof adminWithdrawals>['withdrawals'][number];

/** Who does it, and from where. */
export interface Operator {
  readonly by: Authority;
  readonly address: string;
}

export interface ReviewDeps {
  readonly store: WithdrawalStore;
  readonly stages: StageStore;
  readonly notices: Notices;
  readonly processing: Pick<Processing, 'giveBack'>;
  readonly payouts: Payouts | undefined;
  readonly audit: AuditLog;
  readonly describe: ReturnType<typeof createDescribe>;
  readonly person: (clientId: number) => Promise<{ readonly unique_id: string; readonly email: string } | undefined>;
  readonly isRestricted: (clientId: number) => Promise<boolean>;
  /** Of units of the quote asset. */
  readonly shown: (units: bigint) => string;
  readonly onChange: (withdrawal: Withdrawal) => void;
  readonly clock: { now(): number };
}

function costOf(network: NetworkName, payout: Payout | undefined) {
  const { coin, scale } = NATIVE_COINS[network];
  return payout?.cost == null ? null : { coin, amount: formatAmount(payout.cost, scale) };
}

async function byId<Value>(ids: readonly number[], read: (id: number) => Promise<Value>): Promise<Map<number, Value>> {
  return new Map(await Promise.all([...new Set(ids)].map(async (id) => [id, await read(id)] as const)));
}

function createDescribing({ store, payouts, describe, person, isRestricted, shown }: ReviewDeps) {
  return async (found: readonly Withdrawal[], locale: Locale): Promise<Reviewed[]> => {
    const ids = found.map(({ id }) => id);
    const [events, approvals, paid] = await Promise.all([
      store.events(ids),
      store.approvals(ids),
      payouts?.byReferences('withdrawal', ids) ?? [],
    ]);
    const owners = found.map(({ owner }) => owner);
    const people = await byId([...owners, ...approvals.map(({ operator }) => operator)], person);
    const restricted = await byId(owners, isRestricted);
    return found.map((withdrawal) => {
      const { id, owner, network } = withdrawal;
      const mine = <Row extends { readonly withdrawal: number }>(rows: readonly Row[]) =>
        rows.filter((row) => row.withdrawal === id);
      return {
        ...describe(withdrawal, restricted.get(owner) ?? false, locale),
        client: { id: owner, unique_id: people.get(owner)?.unique_id ?? '', email: people.get(owner)?.email ?? '' },
        worth_usdt: shown(withdrawal.worth),
        reasons: [...withdrawal.reasons],
        approvals_required: withdrawal.approvalsRequired,
        approvals: mine(approvals).map(({ operator, at }) => ({ by: people.get(operator)?.email ?? '', at })),
        network_cost: costOf(
          network,
          paid.find(({ reference }) => reference === id),
        ),
        events: mine(events).map(({ stage, at, actor, detail }) => ({
          stage,
          at,
          actor,
          text: textOf(detail, locale),
        })),
      };
    });
  };
}

export function createReview(deps: ReviewDeps) {
  const { store, stages, notices, processing, audit, onChange, clock } = deps;
  const describing = createDescribing(deps);

  async function record(operator: Operator, act: AuditAct, { id, owner }: Withdrawal, reason: string): Promise<void> {
    const { by, address } = operator;
    await audit.record({ actorId: by.clientId, act, clientId: owner, reason, address, detail: { withdrawal: id } });
  }

  return {
    find: store.find,
    describe: async (withdrawal: Withdrawal, locale: Locale) => (await describing([withdrawal], locale))[0]!,

    async list(before: number | undefined, limit: number, stage: WithdrawalStage | undefined, locale: Locale) {
      const [found, open] = await Promise.all([store.listAll(before, limit, stage), store.openCounts()]);
      const waiting = open.find((one) => one.stage === 'APPROVAL')?.count ?? 0;
      return { withdrawals: await describing(found, locale), waiting };
    },

    /** @returns why not: `twice` for an operator who has approved it before */
    async approve(operator: Operator, withdrawal: Withdrawal, note: string): Promise<Withdrawal | 'stage' | 'twice'> {
      const approved = (await store.approvals([withdrawal.id])).some((one) => one.operator === operator.by.clientId);
      if (approved) return 'twice';
      if (withdrawal.stage !== 'APPROVAL') return 'stage';
      await record(operator, 'approve-withdrawal', withdrawal, note);
      const changed = await stages.approve(
        withdrawal.id,
        operator.by,
        say('An operator has approved it.'),
        clock.now(),
      );
      if (typeof changed !== 'string') onChange(changed);
      return changed;
    },

    /** @returns undefined where it is too late */
    async refuse(operator: Operator, withdrawal: Withdrawal, reason: string): Promise<Withdrawal | undefined> {
      if (!CANCELLABLE.some((stage) => stage === withdrawal.stage)) return undefined;
      await record(operator, 'refuse-withdrawal', withdrawal, reason);
      const refused = await stages.move({
        id: withdrawal.id,
        from: CANCELLABLE,
        to: 'REFUSED',
        decision: 'void',
        reason: { words: reason },
        actor: 'OPERATOR',
        actorId: operator.by.clientId,
        detail: { words: reason },
        now: clock.now(),
        conditions: [holdAuthority(operator.by)],
        effects: notices.of('refused', withdrawal, { words: reason }),
      });
      if (typeof refused === 'string') return undefined;
      onChange(refused);
      await processing.giveBack(refused);
      return refused;
    },
  };
}

export type Review = ReturnType<typeof createReview>;
