/** Transfers between wallets as commands of the exchange. */
import { accountKey, accountParts, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import type { PendingTransfer } from '@cambist/core/ledger/transfers.ts';
import { TRANSFERABLE_WALLETS } from '@cambist/core/ledger/wallet-lists.ts';
import type { TransferableWallet } from '@cambist/core/ledger/wallets.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import {
  type CommandKey,
  type KeyedResult,
  NotAccepted,
  OutcomeUnknown,
  type Submission,
  type Submitted,
} from '../../exchange/engine/service.ts';
import { endPending } from '../../exchange/ledger/service.ts';
import type { Refusal } from '../../platform/calls.ts';
import type { IntentKey } from '../../platform/intent.ts';
import type { Reserved } from './confirmer.ts';
import type { Reservation, TransferLedger, Wish } from './service.ts';
import type { Transfer } from './store.ts';

const REASON = 'wallet-transfer';
const NAMES = new Map<number, TransferableWallet>(TRANSFERABLE_WALLETS.map(({ number, name }) => [number, name]));

type Accounts = Pick<Transfer, 'owner' | 'from' | 'to' | 'asset'>;

/** The accounts that a transfer moves between, and the one that keeps its amount meanwhile. */
export function accountsOf({ owner, from, to, asset }: Accounts) {
  return {
    payer: accountKey(owner, Wallet[from], Bucket.AVAILABLE, asset),
    reserve: accountKey(owner, Wallet[from], Bucket.PENDING, asset),
    receiver: accountKey(owner, Wallet[to], Bucket.AVAILABLE, asset),
  };
}

function reservationOf({ outcome, id, batch, time }: Submitted, wish: Wish, isRepeated: boolean): Reservation {
  if (!outcome.ok) return { kind: outcome.reason === 'INSUFFICIENT_FUNDS' ? 'insufficient' : 'invalid-amount' };
  return isRepeated
    ? { kind: 'repeated', id }
    : { kind: 'reserved', reserved: { id, ...wish, batch, createdAt: time } };
}

const keyedReservation = (result: KeyedResult, wish: Wish): Reservation =>
  result.kind === 'key-reused' ? result : reservationOf(result.submitted, wish, result.repeated);

class InDebt extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super('The owner owes a reversed deposit');
    this.refusal = refusal;
  }
}

async function withoutThrowing<Found extends Reservation | undefined>(
  ask: () => Promise<Found>,
): Promise<Found | Reservation> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof InDebt) return { kind: 'debt', refusal: error.refusal };
    if (error instanceof NotAccepted) return { kind: 'not-accepted' };
    if (error instanceof OutcomeUnknown) return { kind: 'outcome-unknown' };
    throw error;
  }
}

/** What the exchange still knows of a transfer after a restart. The detail is the time at which it was submitted. */
function reservedOf({ transferId, legs, detail }: PendingTransfer, batch: number): Reserved {
  const [leg] = legs;
  if (leg === undefined) throw new Error(`Transfer ${transferId} has no leg`);
  const [payer, receiver] = [accountParts(leg.from), accountParts(leg.to)];
  const [from, to] = [NAMES.get(payer.wallet), NAMES.get(receiver.wallet)];
  if (from === undefined || to === undefined) throw new Error(`Transfer ${transferId} is between other wallets`);
  const { owner, asset } = payer;
  return { id: transferId, owner, from, to, asset, amount: leg.amount, batch, createdAt: Number(detail) };
}

export function createTransferLedger(
  { exchange, sequencer, idempotency }: Pick<Engine, 'exchange' | 'sequencer' | 'idempotency'>,
  clock: { now(): number },
  debtRefusalOf: (owner: number) => Refusal | undefined,
): TransferLedger {
  /** Whether the owner owes anything is asked in the step that queues the command. */
  function queue(submission: Submission, owner: number, key?: CommandKey): Promise<Submitted> {
    const refusal = debtRefusalOf(owner);
    return refusal === undefined ? sequencer.submit(submission, key) : Promise.reject(new InDebt(refusal));
  }

  async function submit(wish: Wish, intent: IntentKey | undefined): Promise<Reservation> {
    const { payer, receiver } = accountsOf(wish);
    const submission: Submission = {
      kind: 'transfer',
      reason: REASON,
      reference: wish.owner,
      isPending: true,
      legs: [{ from: payer, to: receiver, amount: wish.amount }],
      detail: String(clock.now()),
    };
    if (intent === undefined) return reservationOf(await queue(submission, wish.owner), wish, false);
    const result = await idempotency.run(wish.owner, intent.key, intent.fingerprint, () =>
      queue(submission, wish.owner, { owner: wish.owner, ...intent }),
    );
    return keyedReservation(result, wish);
  }

  return {
    reservedBefore: (wish, intent) =>
      withoutThrowing(async () => {
        const earlier = await idempotency.recall(wish.owner, intent.key, intent.fingerprint);
        return earlier && keyedReservation(earlier, wish);
      }),
    reserve: (wish, intent) => withoutThrowing(() => submit(wish, intent)),
    end: (transferId, decision) => endPending(sequencer, transferId, decision),
    pending() {
      // The batch that reserved it is not kept with it; this one is not before it, so it proves no less.
      const { committedBatch } = sequencer;
      const mine = exchange.pendingTransfers().filter(({ reason }) => reason === REASON);
      return mine.map((transfer) => reservedOf(transfer, committedBatch));
    },
  };
}
