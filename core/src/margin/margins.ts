/** Margin over all perpetual markets: what is free of a wallet, and what owners change of their positions beside trading. */
import type { EventLog } from '../events/event-log.ts';
import { type Posting, Wallet } from '../ledger/account.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import { type Holding, type HoldingRecord, Holdings, profitOf } from './holdings.ts';
import { initialMargin } from './perpetual.ts';

/** What a change of a position moved, and why it has come to that. */
export interface PositionChange {
  /** Settlement units; below zero for a loss. */
  readonly realised: bigint;
  readonly fee: bigint;
  readonly moves: readonly Posting[];
}

export class Margins {
  readonly holdings = new Holdings();
  readonly #accounts: AccountTable;
  readonly #log: EventLog;
  /** Available accounts that fell below zero in the command at hand. */
  readonly short = new Set<number>();

  constructor(accounts: AccountTable, log: EventLog) {
    this.#accounts = accounts;
    this.#log = log;
  }

  /** What an owner's cross positions have won less what they have lost, at their marks, but for one. */
  crossProfit(owner: number, asset: number, except?: Holding): bigint {
    return this.#cross(owner, asset).reduce((sum, one) => (one === except ? sum : sum + profitOf(one)), 0n);
  }

  /**
   * What an owner may use for orders or take out, in units of a settlement asset: what is available, less the initial margin of
   * cross positions at what they have cost, and less what they have lost. What they have won is not theirs before they close.
   */
  free(owner: number, asset: number): bigint {
    const available = this.#accounts.balances[this.#accounts.available(owner, Wallet.FUTURE, asset)]!;
    const cross = this.#cross(owner, asset);
    if (cross.length === 0) return available;
    const margin = cross.reduce(
      (sum, { position, leverage }) => sum + initialMargin(position?.cost ?? 0n, leverage),
      0n,
    );
    const profit = this.crossProfit(owner, asset);
    return available - margin + (profit < 0n ? profit : 0n);
  }

  /** Says what has become of a holding. */
  changed(holding: Holding, market: number, change: PositionChange): void {
    const { position, margin, leverage, isIsolated } = holding;
    const owner = this.#accounts.ownerNumber(holding.owner);
    this.#log.object({ kind: 'position-changed', owner, market, position, margin, leverage, isIsolated, ...change });
  }

  /** Ascending by owner, then by market. @param marketOf the id of an index */
  records(marketOf: (index: number) => number): readonly HoldingRecord[] {
    const records = [...this.holdings.all()].map(({ leverage, isIsolated, position, margin, ...holding }) => {
      const owner = this.#accounts.ownerNumber(holding.owner);
      return { owner, market: marketOf(holding.market), leverage, isIsolated, position, margin };
    });
    return records.sort((left, right) => left.owner - right.owner || left.market - right.market);
  }

  #cross(owner: number, asset: number): readonly Holding[] {
    const isCross = (one: Holding) => one.position !== undefined && !one.isIsolated && one.valuation.asset === asset;
    return this.holdings.ofOwner(owner).filter(isCross);
  }
}
