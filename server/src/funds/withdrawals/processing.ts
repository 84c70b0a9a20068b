/**
 * Brings each withdrawal to its end. What happens next follows from its row, the ledger and its payout alone, so a process
 * may end anywhere and the next one goes on. Every step asks in its transaction for the stage that it is from: of two that
 * want different things at once, such as a cancellation and the signing, one comes first and the other does nothing. How
 * it ends is in the row before the ledger is told.
 */

import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { WithdrawalStage } from '@cambist/contract/withdrawals.ts';
import type { Statement } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import { say } from '../../platform/texts.ts';
import type { Deposited } from '../deposits/service.ts';
import type { Payment, Payout, PayoutState, Payouts } from '../payouts/service.ts';
import type { WithdrawalLedger } from './ledger.ts';
import type { Notices } from './notices.ts';
import type { OwnerQueue } from './owner-queue.ts';
import type { Change, StageStore } from './stage-store.ts';
import { LEAVING, type Said, type Withdrawal, type WithdrawalStore } from './store.ts';

export interface ProcessingDeps {
  readonly store: Pick<WithdrawalStore, 'find' | 'byIds' | 'openAfter'>;
  readonly stages: Pick<StageStore, 'move'>;
  readonly ledger: Pick<WithdrawalLedger, 'held' | 'end'>;
  /** Undefined where nothing can be sent by any chain. */
  readonly payouts: Payouts | undefined;
  readonly notices: Notices;
  /** Clients of whom a request is between its row and the ledger. */
  readonly queue: Pick<OwnerQueue, 'isBusy'>;
  /** Fail the transaction that lets a client's withdrawal leave. */
  readonly unrestricted: (owner: number) => Statement;
  readonly withoutDebt: (owner: number) => Statement;
  /** Whether the account of a receiver has ended. */
  readonly isErased: (clientId: number) => Promise<boolean>;
  /** Whether nothing is sent to an address any more. */
  readonly isFraudulent: (network: NetworkName, address: string) => Promise<boolean>;
  /** Writes down what another client receives. */
  readonly receiving: Deposited['receiving'];
  /** What is to be paid on the chain. */
  readonly paymentOf: (withdrawal: Withdrawal) => Promise<Payment>;
  /** Called with each withdrawal that has changed. Must not throw. */
  readonly onChange: (withdrawal: Withdrawal) => void;
  readonly alarm: (kind: string, detail: string) => Promise<void>;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

/** The stage of a withdrawal whose payout is underway. */
const stageOf: Readonly<Record<Exclude<PayoutState, 'FINAL' | 'FAILED'>, WithdrawalStage>> = {
  PLANNED: 'SIGNING',
  SIGNED: 'SIGNING',
  BROADCAST: 'BROADCAST',
  MINED: 'CONFIRMED',
};

/** What a stage says in the history of a withdrawal. */
const stageTexts = {
  APPROVAL: say('The amount is held. We review the withdrawal before it leaves.'),
  APPROVED: say('The amount is held. Nothing stands in the way.'),
  SIGNING: say('It is being signed and can no longer be cancelled.'),
  BROADCAST: say('It was sent to the network.'),
  CONFIRMED: say('It is in a block of the network.'),
  SETTLED: say('It is complete.'),
} as const;

const backInBroadcast = say('The network has set its block aside. It waits for another one.');
const nothingTaken = say('It could not be carried out. Nothing was taken.');
const notPaid = say('The network did not carry it out.');
const receiverGone = say('The account of the receiver has been closed.');
const fraudulent = say('This address is fraudulent. Do not send funds to it.');
const owing = say('A deposit was taken back by its network, so nothing can leave until it is made good.');

type Step = Omit<Change, 'id' | 'from' | 'now' | 'actor'> & Partial<Pick<Change, 'from' | 'actor'>>;

/** How long one of a restricted client is let alone before it is tried again. */
const RESTRICTED_MS = 10_000;

export class Processing {
  readonly #deps: ProcessingDeps;
  /** Until when those of restricted clients are let alone, by id; each round forgets those that are over. */
  readonly #restricted = new Map<number, number>();

  /** Transfers of which an alarm was raised. */
  readonly #orphans = new Set<number>();

  constructor(deps: ProcessingDeps) {
    this.#deps = deps;
  }

  /** Does all that there is to do now. */
  readonly run = oneAtATime(async () => {
    await this.#release();
    const now = this.#deps.clock.now();
    for (const [id, until] of this.#restricted) if (until <= now) this.#restricted.delete(id);
    let after = 0;
    for (;;) {
      const page = await this.#deps.store.openAfter(after);
      const last = page.at(-1);
      if (last === undefined) return;
      const payouts = await this.#payoutsOf(page);
      for (const withdrawal of page) await this.#guarded(withdrawal, payouts.get(withdrawal.id));
      after = last.id;
    }
  });

  /** The ledger holds the amount: the withdrawal goes to an operator, or on. @returns it as it is now */
  async held(withdrawal: Withdrawal, transfer: number): Promise<Withdrawal> {
    const to = withdrawal.approvalsRequired > 0 ? 'APPROVAL' : 'APPROVED';
    const effects = this.#deps.notices.of('requested', withdrawal);
    return this.#move(withdrawal, { to, transfer, detail: stageTexts[to], effects });
  }

  /** Nothing is held, and nothing will be. */
  async notHeld(withdrawal: Withdrawal): Promise<Withdrawal> {
    return this.#move(withdrawal, { to: 'FAILED', reason: nothingTaken, detail: nothingTaken, freesKey: true });
  }

  /** What the ledger says of one that is only requested, while no request of its client can be at it. */
  async found(withdrawal: Withdrawal): Promise<Withdrawal> {
    const found = (await this.#deps.ledger.held()).find((one) => one.withdrawal === withdrawal.id);
    return found === undefined ? this.notHeld(withdrawal) : this.held(withdrawal, found.transfer);
  }

  /** Gives back what is held, for a withdrawal whose row says so. Where the ledger does not take it, the next round does. */
  async giveBack({ id, transfer, decision }: Withdrawal): Promise<void> {
    if (decision !== 'void' || transfer === null) return;
    await this.#deps.ledger.end(transfer, 'void').catch((err: unknown) => {
      this.#deps.logger.warn({ err, withdrawal: id }, 'What a withdrawal holds is given back later');
    });
  }

  async #guarded(withdrawal: Withdrawal, payout: Payout | undefined): Promise<void> {
    try {
      await this.#advance(withdrawal, payout);
    } catch (err) {
      const facts = { err, withdrawal: withdrawal.id };
      this.#deps.logger.warn(facts, 'A withdrawal could not be brought on; it is tried again');
    }
  }

  async #payoutsOf(page: readonly Withdrawal[]): Promise<ReadonlyMap<number, Payout>> {
    const ids = page.filter(isLeaving).map(({ id }) => id);
    const found = ids.length === 0 ? [] : await this.#deps.payouts?.byReferences('withdrawal', ids);
    return new Map((found ?? []).map((payout) => [payout.reference, payout]));
  }

  async #advance(withdrawal: Withdrawal, payout: Payout | undefined): Promise<void> {
    if (withdrawal.decision === 'post') return this.#complete(withdrawal);
    if (withdrawal.stage === 'REQUESTED') return this.#find(withdrawal);
    if (withdrawal.stage === 'APPROVED' && !this.#restricted.has(withdrawal.id)) return this.#leave(withdrawal);
    if (isLeaving(withdrawal) && payout !== undefined) return this.#follow(withdrawal, payout);
  }

  /** A row of which the ledger may or may not have heard. */
  async #find(withdrawal: Withdrawal): Promise<void> {
    // Its own request goes on. What has ended meanwhile is no longer at this stage.
    if (!this.#deps.queue.isBusy(withdrawal.owner)) await this.found(withdrawal);
  }

  /** The last step that can be refused: from here on it leaves. */
  async #leave(withdrawal: Withdrawal): Promise<void> {
    const { payouts, unrestricted, withoutDebt, paymentOf, clock } = this.#deps;
    const { owner, network, address, receiver } = withdrawal;
    const conditions = [unrestricted(owner), withoutDebt(owner)];
    // What was known when it was asked for may be long ago: it may have waited for an operator, a restriction, or its network.
    if (await this.#deps.isFraudulent(network, address)) return this.#fail(withdrawal, fraudulent, 'EXCHANGE');
    if (receiver !== null) {
      if (await this.#deps.isErased(receiver)) return this.#fail(withdrawal, receiverGone, 'EXCHANGE');
      const decided = await this.#try(withdrawal, { to: 'APPROVED', decision: 'post', conditions });
      return decided && this.#complete(decided);
    }
    if (payouts === undefined || !payouts.serves(network) || payouts.trouble(network) !== null) return;
    const payment = await paymentOf(withdrawal);
    const planned = payouts.planning(payment, withdrawal.confirmationsRequired, clock.now());
    const step = { to: 'SIGNING', conditions, effects: [planned], detail: stageTexts.SIGNING } as const;
    if ((await this.#try(withdrawal, step)) !== undefined) payouts.wake();
  }

  /** @returns undefined while something stands in the way; one of a client who owes is given back */
  async #try(withdrawal: Withdrawal, step: Step): Promise<Withdrawal | undefined> {
    const moved = await this.#attempt(withdrawal, step);
    if (typeof moved !== 'string') return moved;
    if (moved === 'restricted') this.#restricted.set(withdrawal.id, this.#deps.clock.now() + RESTRICTED_MS);
    if (moved === 'debt') await this.#fail(withdrawal, owing, 'EXCHANGE');
    return undefined;
  }

  async #follow(withdrawal: Withdrawal, payout: Payout): Promise<void> {
    const { state, transaction } = payout;
    if (state === 'FAILED') return this.#fail(withdrawal, notPaid, 'CHAIN');
    const confirmations = Math.min(payout.confirmations, withdrawal.confirmationsRequired);
    const facts = { transaction, confirmations, from: LEAVING, actor: 'CHAIN' } as const;
    if (state === 'FINAL') {
      const isNews = withdrawal.stage !== 'CONFIRMED';
      const step = { ...facts, to: 'CONFIRMED', decision: 'post' } as const;
      const decided = await this.#move(withdrawal, isNews ? { ...step, detail: stageTexts.CONFIRMED } : step);
      return this.#complete(decided);
    }
    const to = stageOf[state];
    const isSame = to === withdrawal.stage && transaction === withdrawal.transaction;
    if (isSame && confirmations === withdrawal.confirmations) return;
    const detail = detailOf(withdrawal.stage, to);
    await this.#move(withdrawal, { ...facts, to, ...(detail === undefined ? {} : { detail }) });
  }

  async #fail(withdrawal: Withdrawal, reason: Said, actor: 'EXCHANGE' | 'CHAIN'): Promise<void> {
    const effects = this.#deps.notices.of('failed', withdrawal, reason);
    const step = { to: 'FAILED', decision: 'void', reason, detail: reason, actor, effects } as const;
    await this.giveBack(await this.#move(withdrawal, step));
  }

  /** It has left, or is to be the receiver's: what is held goes on. */
  async #complete(withdrawal: Withdrawal): Promise<void> {
    const { ledger, notices } = this.#deps;
    const { transfer, stage, decision } = withdrawal;
    if (decision !== 'post' || transfer === null) return;
    await ledger.end(transfer, 'post');
    const effects = [...notices.of('completed', withdrawal), ...this.#receiptOf(withdrawal)];
    const step = { from: [stage], decided: 'post', to: 'SETTLED', detail: stageTexts.SETTLED, effects } as const;
    await this.#move(withdrawal, step);
  }

  #receiptOf({ id, receiver, amount, fee, ...rest }: Withdrawal): readonly Statement[] {
    if (receiver === null) return [];
    const receipt = { ...rest, withdrawal: id, owner: receiver, amount: amount - fee };
    return [this.#deps.receiving(receipt, this.#deps.clock.now())];
  }

  /** Gives back what the ledger still holds for withdrawals that have ended without leaving. */
  async #release(): Promise<void> {
    const { ledger, store, queue } = this.#deps;
    const held = await ledger.held();
    if (held.length === 0) return;
    const rows = new Map((await store.byIds(held.map((one) => one.withdrawal))).map((row) => [row.id, row]));
    for (const { transfer, withdrawal: id } of held) {
      const row = rows.get(id);
      if (row === undefined) await this.#orphan(id, transfer);
      else if (row.decision === 'void') await this.giveBack(row);
      // The ledger has taken it after all, when it was given up.
      else if (row.stage === 'FAILED' && row.transfer === null && !queue.isBusy(row.owner)) {
        await this.giveBack(await this.#move(row, { to: 'FAILED', transfer, decision: 'void' }));
      }
    }
  }

  /** Once for each: it is there in every round. */
  async #orphan(id: number, transfer: number): Promise<void> {
    if (this.#orphans.has(transfer)) return;
    await this.#deps.alarm(
      'hold-without-withdrawal',
      `Transfer ${transfer} holds an amount for withdrawal ${id}, which has no row`,
    );
    this.#orphans.add(transfer);
  }

  async #attempt(withdrawal: Withdrawal, step: Step): Promise<Withdrawal | string> {
    const { stages, clock, onChange } = this.#deps;
    const { id, stage } = withdrawal;
    const moved = await stages.move({ from: [stage], actor: 'EXCHANGE', ...step, id, now: clock.now() });
    if (typeof moved !== 'string') onChange(moved);
    return moved;
  }

  /** @returns it as it is now, also where something else was first */
  async #move(withdrawal: Withdrawal, step: Step): Promise<Withdrawal> {
    const moved = await this.#attempt(withdrawal, step);
    if (typeof moved !== 'string') return moved;
    const found = await this.#deps.store.find(withdrawal.id);
    if (found === undefined) throw new Error(`Withdrawal ${withdrawal.id} is gone`);
    return found;
  }
}

const isLeaving = ({ stage }: Withdrawal) => (LEAVING as readonly WithdrawalStage[]).includes(stage);

function detailOf(from: WithdrawalStage, to: WithdrawalStage): Said | undefined {
  if (from === to || to === 'SIGNING') return undefined;
  if (from === 'CONFIRMED' && to === 'BROADCAST') return backInBroadcast;
  return to === 'BROADCAST' || to === 'CONFIRMED' ? stageTexts[to] : undefined;
}
