/** Transfers of the reference exchange: every rule in the plainest words. */
import { accountKey, accountParts, Bucket, Wallet } from '../ledger/account.ts';
import {
  declarationOf,
  type Origin,
  type Transfer,
  type TransferCommand,
  type TransferLeg,
} from '../ledger/transfer.ts';
import type { PendingTransfer } from '../ledger/transfers.ts';
import { ReferencePerpetuals } from './reference-perpetuals.ts';
import { isClient, isWithin, type Refusal } from './reference-rules.ts';
import type { ReferenceState } from './reference-state.ts';

const MAXIMUM_ISSUED = 2n ** 60n;

export class ReferenceTransfers {
  readonly #state: ReferenceState;

  constructor(state: ReferenceState) {
    this.#state = state;
  }

  apply(time: number, command: TransferCommand): Refusal {
    if (command.kind === 'transfer') return this.#transfer(time, command);
    const pending = this.#state.pending.find(({ transferId }) => transferId === command.transferId);
    if (pending === undefined) return 'TRANSFER_NOT_FOUND';
    const isVoid = command.kind === 'void-pending';
    const all = pending.legs.map(({ amount }) => amount);
    const amounts = isVoid ? all.map(() => 0n) : (command.amounts ?? all);
    if (amounts.length !== all.length) return 'INVALID_AMOUNT';
    if (amounts.some((amount, index) => amount < 0n || amount > all[index]!)) return 'INVALID_AMOUNT';
    const problem = this.#origin(command.origin);
    if (problem !== undefined) return problem;
    this.#state.pending = this.#state.pending.filter((other) => other !== pending);
    const moves: TransferLeg[] = [];
    pending.legs.forEach(({ from, to, amount }, index) => {
      const posted = amounts[index]!;
      if (posted > 0n) moves.push({ from: pendingKey(from), to, amount: posted });
      if (amount > posted) moves.push({ from: pendingKey(from), to: from, amount: amount - posted });
    });
    this.#move(time, isVoid ? 'void' : 'post', pending, moves, command.origin);
    return undefined;
  }

  #transfer(time: number, command: Transfer): Refusal {
    const state = this.#state;
    const { reason, reference, legs, detail, isPending } = command;
    const transferId = command.transferId || state.lastTransferId + 1;
    if (!isWithin(transferId, state.lastTransferId + 1, Number.MAX_SAFE_INTEGER)) return 'DUPLICATE_ID';
    const declaration = declarationOf(reason);
    if (declaration === undefined || (isPending && !declaration.mayPend)) return 'INVALID_TRANSFER';
    if (!isWithin(reference, 0, Number.MAX_SAFE_INTEGER) || detail.length > 1000) return 'INVALID_TRANSFER';
    if (legs.length < 1 || legs.length > 8) return 'INVALID_TRANSFER';
    for (const { from, to } of legs) {
      if (![from, to].every((key) => isWithin(key, 0, Number.MAX_SAFE_INTEGER)) || from === to)
        return 'INVALID_TRANSFER';
      const [payer, receiver] = [accountParts(from), accountParts(to)];
      if (payer.asset !== receiver.asset) return 'INVALID_TRANSFER';
      if (declaration.effect === 'own' && payer.owner !== receiver.owner) return 'INVALID_TRANSFER';
      for (const [parts, end] of [[payer, declaration.from] as const, [receiver, declaration.to] as const]) {
        const { owners } = end;
        const isOwner = owners === 'clients' ? isClient(parts.owner) : owners.some((one) => one === parts.owner);
        const isWallet = (end.wallets as readonly number[]).includes(parts.wallet);
        if (!isOwner || !isWallet || parts.bucket !== Bucket.AVAILABLE) return 'INVALID_TRANSFER';
      }
    }
    if (legs.some(({ amount }) => amount < 1n || amount > MAXIMUM_ISSUED)) return 'INVALID_AMOUNT';
    const problem = this.#checkOrigin(command.origin) ?? this.#funds(legs);
    if (problem !== undefined) return problem;
    this.#origin(command.origin);
    state.lastTransferId = transferId;
    const facts = { transferId, reason, reference, detail, legs };
    if (isPending) state.pending.push(facts);
    const reserved = legs.map(({ from, amount }) => ({ from, to: pendingKey(from), amount }));
    this.#move(time, isPending ? 'pending' : 'posted', facts, isPending ? reserved : legs, command.origin);
    return undefined;
  }

  #funds(legs: readonly TransferLeg[]): Refusal {
    const left = new Map<number, bigint>();
    const perpetuals = new ReferencePerpetuals(this.#state);
    const has = (key: number) => {
      const { owner, wallet, asset } = accountParts(key);
      return wallet === Wallet.FUTURE ? perpetuals.free(owner, asset) : this.#state.balance(key);
    };
    for (const { from, amount } of legs) left.set(from, (left.get(from) ?? has(from)) - amount);
    for (const [key, amount] of left) {
      if (!isClient(accountParts(key).owner)) {
        if (amount < -MAXIMUM_ISSUED) return 'INVALID_AMOUNT';
      } else if (amount < 0n) return 'INSUFFICIENT_FUNDS';
    }
    return undefined;
  }

  #move(
    time: number,
    stage: 'posted' | 'pending' | 'post' | 'void',
    transfer: PendingTransfer,
    moves: readonly TransferLeg[],
    origin: Origin | undefined,
  ): void {
    const postings = moves.flatMap(({ from, to, amount }) => [[from, -amount] as const, [to, amount] as const]);
    this.#state.post(postings, false);
    const { transferId, reason, reference, detail, legs } = transfer;
    const facts = { transferId, reason, reference, detail, legs, moves, origin, time };
    this.#state.events.push({ kind: 'transfer', stage, ...facts });
  }

  #checkOrigin(origin: Origin | undefined): Refusal {
    if (origin === undefined) return undefined;
    if (!isWithin(origin.source, 1, 65_535)) return 'OUT_OF_SEQUENCE';
    const last = this.#state.sequences.get(origin.source) ?? 0;
    if (origin.sequence <= last) return 'DUPLICATE_ID';
    return origin.sequence === last + 1 ? undefined : 'OUT_OF_SEQUENCE';
  }

  #origin(origin: Origin | undefined): Refusal {
    const problem = this.#checkOrigin(origin);
    if (problem === undefined && origin !== undefined) this.#state.sequences.set(origin.source, origin.sequence);
    return problem;
  }
}

function pendingKey(available: number): number {
  const { owner, wallet, asset } = accountParts(available);
  return accountKey(owner, wallet, Bucket.PENDING, asset);
}
