/** What each address of a development chain has, by its blocks: kept as they come, and taken back as they go. */
import type { DevelopmentTransaction } from './development-transaction.ts';
import type { BlockHeader, Payment } from './service.ts';

/** A signed transaction in a block. */
export interface Mined extends DevelopmentTransaction {
  /** Undone by the chain: it has paid nothing but its fee. */
  readonly isUndone: boolean;
}

export interface DevelopmentBlock extends BlockHeader {
  /** From outside, and by signed transactions. */
  readonly payments: readonly Payment[];
  /** Absent in blocks of older files. */
  readonly transactions?: readonly Mined[];
}

const keyOf = (address: string, contract: string | null) => `${address} ${contract ?? ''}`;

export class DevelopmentAccounts {
  readonly #balances = new Map<string, bigint>();
  readonly #nonces = new Map<string, number>();

  balance(address: string, contract: string | null): bigint {
    return this.#balances.get(keyOf(address, contract)) ?? 0n;
  }

  /** The nonce that the address has not used. */
  nonce(address: string): number {
    return this.#nonces.get(address) ?? 0;
  }

  /** @param sign 1 for a block that comes, −1 for one that goes */
  count({ payments, transactions = [] }: Pick<DevelopmentBlock, 'payments' | 'transactions'>, sign: 1n | -1n): void {
    for (const { address, contract, units } of payments) this.#add(address, contract, sign * units);
    for (const { from, fee, outputs, isUndone, nonce } of transactions) {
      this.#add(from, null, -sign * fee);
      if (!isUndone) for (const { contract, units } of outputs) this.#add(from, contract, -sign * units);
      this.#nonces.set(from, sign === 1n ? nonce + 1 : nonce);
    }
  }

  #add(address: string, contract: string | null, units: bigint): void {
    this.#balances.set(keyOf(address, contract), this.balance(address, contract) + units);
  }
}

/**
 * The transactions of the pool that the next block takes in: each sender's in the order of their nonces, without a gap, as
 * long as they offer the fee and can pay it. Those that cannot pay what they send, or are not taken, are undone.
 */
export function selectTransactions(
  pool: Iterable<DevelopmentTransaction>,
  accounts: DevelopmentAccounts,
  baseFee: bigint,
  isRefused: (name: string) => boolean,
): Mined[] {
  const chosen: Mined[] = [];
  const spent = new DevelopmentAccounts();
  const stopped = new Set<string>();
  const left = (from: string, contract: string | null) =>
    accounts.balance(from, contract) + spent.balance(from, contract);
  for (const transaction of [...pool].sort((one, other) => one.nonce - other.nonce)) {
    const { from, nonce, fee, outputs } = transaction;
    const [output] = outputs;
    if (output === undefined || stopped.has(from)) continue;
    const expected = Math.max(accounts.nonce(from), spent.nonce(from));
    const needed = fee + (output.contract === null ? output.units : 0n);
    if (nonce !== expected || fee < baseFee || left(from, null) < needed) {
      stopped.add(from);
      continue;
    }
    const isShort = output.contract !== null && left(from, output.contract) < output.units;
    const isUndone = isShort || isRefused(output.address) || (output.contract !== null && isRefused(output.contract));
    const mined = { ...transaction, isUndone };
    spent.count({ payments: [], transactions: [mined] }, 1n);
    chosen.push(mined);
  }
  return chosen;
}
