/**
 * Debts of clients whose deposits a reorganization took back, in memory, so that a command is refused in the step in which it
 * is queued. A new debt is noted before the store is asked, and every round of crediting reads the table again.
 */
import { formatBriefly } from '@cambist/core/money/amount.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import type { Refusal } from '../../platform/calls.ts';
import type { Debt } from './crediting-store.ts';
import { debtRefusal } from './refusals.ts';

/** Coins that a refusal names, at most. */
const NAMED = 10;
const NOTHING: ReadonlyMap<number, bigint> = new Map();

export class Debts {
  readonly #assetById: (id: number) => Asset | undefined;
  #owed = new Map<number, Map<number, bigint>>();

  constructor(assetById: (id: number) => Asset | undefined) {
    this.#assetById = assetById;
  }

  /** Replaces all debts by those of the table. */
  restore(debts: readonly Debt[]): void {
    this.#owed = new Map();
    this.add(debts);
  }

  add(debts: readonly Debt[]): void {
    for (const { owner, asset, amount } of debts) {
      const owed = this.#owed.get(owner) ?? new Map<number, bigint>();
      owed.set(asset, (owed.get(asset) ?? 0n) + amount);
      this.#owed.set(owner, owed);
    }
  }

  debtors(): Iterable<number> {
    return this.#owed.keys();
  }

  readonly has = (owner: number): boolean => this.#owed.has(owner);

  readonly owedBy = (owner: number): ReadonlySet<number> => new Set((this.#owed.get(owner) ?? NOTHING).keys());

  readonly refusalOf = (owner: number): Refusal | undefined => {
    const owed = this.#owed.get(owner);
    if (owed === undefined) return undefined;
    const coins = [...owed].slice(0, NAMED).map(([asset, amount]) => {
      const { code = '', scale = 0 } = this.#assetById(asset) ?? {};
      return `${formatBriefly(amount, scale)} ${code}`;
    });
    return debtRefusal(coins);
  };
}
