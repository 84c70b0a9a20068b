/** Margin over all perpetual markets: what is free of a wallet, and what owners change of their positions beside trading. */
import type { EventLog } from '../events/event-log.ts';
import { accountKey, Bucket, type Posting, SystemOwner, Wallet } from '../ledger/account.ts';
import { type AccountTable, HELD_BESIDE } from '../ledger/account-table.ts';
import type { PositionCause } from './event.ts';
import { fundingBillionths } from './funding.ts';
import {
  type Holding,
  type HoldingRecord,
  Holdings,
  isUntouched,
  owedOf,
  profitOf,
  requiredOf,
  Unwatched,
  worthOf,
} from './holdings.ts';
import { BILLION } from './mark-price.ts';
import { initialMargin } from './perpetual.ts';
import { type MarginWallet, type PositionView, positionView } from './view.ts';

/** What a change of a position moved, and why it has come to that. */
export interface PositionChange {
  readonly cause: PositionCause;
  /** Settlement units; below zero for a loss. */
  readonly realised: bigint;
  readonly fee: bigint;
  /** Funding that was paid; below zero where some was received. */
  readonly funding: bigint;
  readonly moves: readonly Posting[];
}

const sumOf = (holdings: readonly Holding[], of: (one: Holding) => bigint): bigint =>
  holdings.reduce((sum, one) => sum + of(one), 0n);

/** Whether a holding is a position that the wallet of an asset backs. */
const isCross = (one: Holding, asset: number): boolean =>
  one.position !== undefined && !one.isIsolated && one.valuation.asset === asset;

export class Margins {
  readonly holdings = new Holdings();
  readonly #accounts: AccountTable;
  readonly #log: EventLog;
  /** Available accounts that fell below zero in the command at hand. */
  readonly short = new Set<number>();
  readonly unwatched = new Unwatched();
  /** Whose account has changed since it was ranked for deleveraging; nothing while no side is ranked. */
  readonly unranked = new Set<Holding>();
  isRanking = false;
  /** Whose lots were traded in the command at hand, in order. */
  readonly traded = new Set<Holding>();
  readonly #dust = new Map<number, bigint>();

  constructor(accounts: AccountTable, log: EventLog) {
    this.#accounts = accounts;
    this.#log = log;
  }

  /** What an owner's cross positions have won less what they have lost, at their marks and with their funding, but for one. */
  crossProfit(owner: number, asset: number, except?: Holding): bigint {
    let sum = 0n;
    for (const one of this.holdings.ofOwner(owner)) if (one !== except && isCross(one, asset)) sum += worthOf(one);
    return sum;
  }

  /**
   * What an owner may use for orders or take out, in units of a settlement asset: what is available, less the initial margin of
   * cross positions at what they have cost, and less what they have lost and owe as funding. What they have won or are to receive is
   * not theirs before it is paid.
   */
  free(owner: number, asset: number): bigint {
    return this.freeOf(owner, this.#accounts.available(owner, Wallet.FUTURE, asset), asset);
  }

  /** The same where the owner's available account is known. */
  freeOf(owner: number, available: number, asset: number): bigint {
    let [free, profit] = [this.#accounts.balances[available]!, 0n];
    for (const one of this.holdings.ofOwner(owner)) {
      const { position } = one;
      if (position === undefined || !isCross(one, asset)) continue;
      free -= initialMargin(position.cost, one.leverage);
      profit += profitOf(one);
      // Each pays its funding when it is touched, whatever the others are to receive.
      const owed = owedOf(one);
      if (owed > 0n) free -= owed;
    }
    return profit < 0n ? free + profit : free;
  }

  /** What an owner has in perpetuals of an asset. */
  wallet(owner: number, asset: number): MarginWallet {
    const available = this.#accounts.available(owner, Wallet.FUTURE, asset);
    const [balance, held] = [this.#accounts.balances[available]!, this.#accounts.balances[available + HELD_BESIDE]!];
    const open = this.holdings
      .ofOwner(owner)
      .filter((one) => one.position !== undefined && one.valuation.asset === asset);
    const [isolated, cross] = [open.filter(({ isIsolated }) => isIsolated), this.#cross(owner, asset)];
    const equity = balance + held + sumOf(cross, worthOf);
    const margin = sumOf(isolated, (one) => one.margin);
    return {
      ...{ balance, held, free: this.free(owner, asset), margin, profit: sumOf(open, worthOf), equity },
      initial: sumOf(cross, ({ position, leverage }) => initialMargin(position?.cost ?? 0n, leverage)),
      required: sumOf(cross, requiredOf),
      total: equity + margin + sumOf(isolated, worthOf),
    };
  }

  /** Also of markets in which only leverage was chosen. */
  views(owner: number, recordOf: (holding: Holding) => HoldingRecord): readonly PositionView[] {
    return this.holdings.ofOwner(owner).map((holding) => {
      const { valuation, isIsolated, margin } = holding;
      const { terms, mark, asset } = valuation;
      const { equity, required } = this.wallet(owner, asset);
      const backing = isIsolated ? margin : equity - worthOf(holding) - (required - requiredOf(holding));
      return positionView({ record: recordOf(holding), terms, mark, owed: owedOf(holding) }, backing);
    });
  }

  /** Something was taken out of an owner's wallet, or may have been. */
  takenOut(owner: number): void {
    for (const holding of this.holdings.ofOwner(owner)) {
      this.unwatched.add(holding);
      if (this.isRanking) this.unranked.add(holding);
    }
  }

  /** Positions of a market must have something else. */
  termsChanged(market: number): void {
    for (const holding of this.holdings.ofMarket(market)) if (!isUntouched(holding)) this.unwatched.add(holding);
  }

  /** Says what has become of a holding. One literal: a spread of each would cost more than the rest of a trade. */
  changed(holding: Holding, market: number, { cause, realised, fee, funding, moves }: PositionChange): void {
    // Margin and fees of one may come out of what backs the others.
    this.takenOut(holding.owner);
    const { leg, position, margin, leverage, isIsolated, isHedged, fundingIndex, term } = holding;
    this.#log.positionChanged({
      kind: 'position-changed',
      owner: this.#accounts.ownerNumber(holding.owner),
      market,
      leg,
      position,
      margin,
      leverage,
      isIsolated,
      isHedged,
      fundingIndex,
      term,
      cause,
      realised,
      fee,
      funding,
      moves,
      time: this.#log.time,
    });
  }

  /** Ascending by owner, then by market, long before short. @param marketOf the id of an index */
  records(marketOf: (index: number) => number): readonly HoldingRecord[] {
    const sorted = this.holdings.sorted((owner) => this.#accounts.ownerNumber(owner), marketOf);
    return sorted.map((holding) => this.record(holding, marketOf));
  }

  record(holding: Holding, marketOf: (index: number) => number): HoldingRecord {
    return {
      owner: this.#accounts.ownerNumber(holding.owner),
      market: marketOf(holding.market),
      leg: holding.leg,
      leverage: holding.leverage,
      isIsolated: holding.isIsolated,
      isHedged: holding.isHedged,
      position: holding.position,
      margin: holding.margin,
      fundingIndex: holding.fundingIndex,
      term: holding.term,
    };
  }

  /**
   * Keeps what a payment of funding was rounded by. What was paid and is owed to no position is below a unit then.
   * @param billionths of a settlement unit, 0n to BILLION
   * @returns units that are whole
   */
  keepDust(asset: number, billionths: bigint): bigint {
    const all = this.#dustOf(asset) + billionths;
    const whole = all / BILLION;
    this.#dust.set(asset, all - whole * BILLION);
    return whole;
  }

  /** Counted once after a start: it follows from balances and positions. */
  #dustOf(asset: number): bigint {
    const known = this.#dust.get(asset);
    if (known !== undefined) return known;
    const account = this.#accounts.findAccount(accountKey(SystemOwner.FUNDING, Wallet.SPOT, Bucket.AVAILABLE, asset));
    let dust = account < 0 ? 0n : this.#accounts.balances[account]! * BILLION;
    for (const { position, fundingIndex, valuation } of this.holdings.all()) {
      if (position === undefined || valuation.asset !== asset) continue;
      dust += fundingBillionths(position.direction, position.lots, fundingIndex, valuation.fundingIndex);
    }
    this.#dust.set(asset, dust);
    return dust;
  }

  #cross(owner: number, asset: number): readonly Holding[] {
    return this.holdings.ofOwner(owner).filter((one) => isCross(one, asset));
  }
}
