import type { EventLog } from '../events/event-log.ts';
import { InvariantError, invariant } from '../invariant.ts';
import type { Margins } from '../margin/margins.ts';
import { MAXIMUM_AMOUNT } from '../money/amount.ts';
import { OK, type Outcome, type RejectReason, refused } from '../terms/outcome.ts';
import { accountKey, accountParts, Bucket, isClient, Wallet } from './account.ts';
import type { AccountTable } from './account-table.ts';
import { type Ledger, MAXIMUM_ISSUED } from './ledger.ts';
import type { TransferReason } from './movements.ts';
import {
  areLegsDeclared,
  declarationOf,
  MAXIMUM_DETAIL,
  type Origin,
  type PostPending,
  type Transfer,
  type TransferLeg,
  type VoidPending,
} from './transfer.ts';

/** A transfer that is reserved and neither posted nor voided yet. */
export interface PendingTransfer {
  readonly transferId: number;
  readonly reason: TransferReason;
  readonly reference: number;
  readonly legs: readonly TransferLeg[];
  readonly detail: string;
}

/** Sources are numbered from 1. */
const MAXIMUM_SOURCE = 65_535;

/** Takes transfers: every check first, then every posting. */
export class Transfers {
  readonly #accounts: AccountTable;
  readonly #ledger: Ledger;
  readonly #margins: Margins;
  readonly #log: EventLog;
  readonly #pending = new Map<number, PendingTransfer>();
  /** The last sequence of each source. */
  readonly #sequences = new Map<number, number>();
  lastTransferId = 0;

  constructor(accounts: AccountTable, ledger: Ledger, margins: Margins, log: EventLog) {
    this.#margins = margins;
    this.#accounts = accounts;
    this.#ledger = ledger;
    this.#log = log;
  }

  transfer(command: Transfer): Outcome {
    const { reason, reference, legs, detail, isPending, origin } = command;
    const transferId = command.transferId === 0 ? this.lastTransferId + 1 : command.transferId;
    if (!Number.isSafeInteger(transferId) || transferId <= this.lastTransferId) return refused('DUPLICATE_ID');
    const declaration = declarationOf(reason);
    const isSane = Number.isSafeInteger(reference) && reference >= 0 && detail.length <= MAXIMUM_DETAIL;
    if (declaration === undefined || !isSane || (isPending && !declaration.mayPend)) return refused('INVALID_TRANSFER');
    if (!areLegsDeclared(declaration, legs)) return refused('INVALID_TRANSFER');
    if (legs.some(({ amount }) => amount <= 0n || amount > MAXIMUM_ISSUED)) return refused('INVALID_AMOUNT');
    const problem = this.#originProblem(origin) ?? this.#fundsProblem(legs);
    if (problem !== undefined) return refused(problem);

    this.lastTransferId = transferId;
    this.#take(origin);
    const moves = isPending ? legs.map(reserved) : legs;
    for (const leg of moves) this.#move(leg);
    const facts = { transferId, reason, reference, detail };
    if (isPending) this.#pending.set(transferId, { ...facts, legs });
    this.#log.object({ kind: 'transfer', stage: isPending ? 'pending' : 'posted', ...facts, legs, moves, origin });
    return OK;
  }

  post(command: PostPending): Outcome {
    const pending = this.#pending.get(command.transferId);
    if (pending === undefined) return refused('TRANSFER_NOT_FOUND');
    const amounts = command.amounts ?? pending.legs.map(({ amount }) => amount);
    const fits = pending.legs.every(({ amount }, index) => isWithin(amounts[index], amount));
    if (amounts.length !== pending.legs.length || !fits) return refused('INVALID_AMOUNT');
    const problem = this.#originProblem(command.origin);
    if (problem !== undefined) return refused(problem);
    this.#take(command.origin);
    const moves = pending.legs.flatMap((leg, index) => {
      const posted = amounts[index]!;
      const from = reserved(leg).to;
      const on = { from, to: leg.to, amount: posted };
      const back = { from, to: leg.from, amount: leg.amount - posted };
      return [on, back].filter(({ amount }) => amount > 0n);
    });
    this.#end(pending, 'post', moves, command.origin);
    return OK;
  }

  void(command: VoidPending): Outcome {
    const pending = this.#pending.get(command.transferId);
    if (pending === undefined) return refused('TRANSFER_NOT_FOUND');
    const problem = this.#originProblem(command.origin);
    if (problem !== undefined) return refused(problem);
    this.#take(command.origin);
    const moves = pending.legs.map((leg) => ({ from: reserved(leg).to, to: leg.from, amount: leg.amount }));
    this.#end(pending, 'void', moves, command.origin);
    return OK;
  }

  pending(): readonly PendingTransfer[] {
    return [...this.#pending.values()].sort((left, right) => left.transferId - right.transferId);
  }

  sequences(): readonly Origin[] {
    const all = [...this.#sequences].map(([source, sequence]) => ({ source, sequence }));
    return all.sort((left, right) => left.source - right.source);
  }

  /** Puts a pending transfer back whose reserved amounts are in the balances already. */
  restorePending(pending: PendingTransfer): void {
    invariant(!this.#pending.has(pending.transferId), 'a pending transfer is restored once');
    this.#pending.set(pending.transferId, pending);
  }

  restoreSequence({ source, sequence }: Origin): void {
    this.#sequences.set(source, sequence);
  }

  #end(
    pending: PendingTransfer,
    stage: 'post' | 'void',
    moves: readonly TransferLeg[],
    origin: Origin | undefined,
  ): void {
    const { transferId, reason, reference, detail, legs } = pending;
    this.#pending.delete(transferId);
    for (const leg of moves) this.#move(leg);
    this.#log.object({ kind: 'transfer', stage, transferId, reason, reference, detail, legs, moves, origin });
  }

  #move({ from, to, amount }: TransferLeg): void {
    const receiver = this.#accounts.account(to);
    this.#ledger.pay(this.#accounts.account(from), receiver, amount);
    const source = accountParts(from);
    if (source.wallet === Wallet.FUTURE) this.#margins.takenOut(this.#accounts.owner(source.owner));
    const { wallet, owner } = accountParts(to);
    if (wallet === Wallet.CREDIT) this.#accounts.giveCredit(this.#accounts.owner(owner));
    if (this.#accounts.balances[receiver]! < 0n && isClient(owner)) {
      throw new InvariantError('a received amount stays within int64', { account: to });
    }
  }

  #originProblem(origin: Origin | undefined): RejectReason | undefined {
    if (origin === undefined) return undefined;
    const { source, sequence } = origin;
    if (!Number.isInteger(source) || source < 1 || source > MAXIMUM_SOURCE) return 'OUT_OF_SEQUENCE';
    const last = this.#sequences.get(source) ?? 0;
    if (sequence <= last) return 'DUPLICATE_ID';
    return sequence === last + 1 ? undefined : 'OUT_OF_SEQUENCE';
  }

  #take(origin: Origin | undefined): void {
    if (origin !== undefined) this.#sequences.set(origin.source, origin.sequence);
  }

  /** What positions leave of a client's balance. */
  #free(key: number): bigint {
    const { owner, wallet, asset } = accountParts(key);
    return wallet === Wallet.FUTURE ? this.#margins.free(this.#accounts.owner(owner), asset) : MAXIMUM_AMOUNT;
  }

  /** Whether every payer has what its legs take together. */
  #fundsProblem(legs: readonly TransferLeg[]): RejectReason | undefined {
    const wanted = new Map<number, bigint>();
    for (const { from, amount } of legs) wanted.set(from, (wanted.get(from) ?? 0n) + amount);
    for (const [key, amount] of wanted) {
      const isClientOwner = isClient(accountParts(key).owner);
      const isKept = isClientOwner && amount > this.#free(key);
      if (
        isKept ||
        amount > MAXIMUM_AMOUNT ||
        !this.#ledger.mayPay(this.#accounts.account(key), amount, isClientOwner)
      ) {
        return isClientOwner ? 'INSUFFICIENT_FUNDS' : 'INVALID_AMOUNT';
      }
    }
    return undefined;
  }
}

/** The first half of a pending leg: from available to pending, of the payer. */
function reserved({ from, amount }: TransferLeg): TransferLeg {
  const { owner, wallet, asset } = accountParts(from);
  return { from, to: accountKey(owner, wallet, Bucket.PENDING, asset), amount };
}

function isWithin(amount: bigint | undefined, most: bigint): boolean {
  return amount !== undefined && amount >= 0n && amount <= most;
}
