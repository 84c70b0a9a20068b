/**
 * How lots of positions are closed and opened, and what that moves: profit from the market's clearing account or a loss to it, the
 * fee, what the order had reserved, and the margin of an isolated position.
 */
import { Cause, ChangeFigure, Move } from '../events/position-records.ts';
import { int64 } from '../money/amount.ts';
import { divCeil, shareFloor } from '../money/rounding.ts';
import { BUY, SELL } from '../terms/order-terms.ts';
import { fundingBillionths } from './funding.ts';
import type { Holding } from './holding.ts';
import { closableLots } from './holdings.ts';
import type { Margins } from './margins.ts';
import { BILLION } from './mark-price.ts';
import type { OrderValues } from './order-values.ts';
import { type Direction, initialMargin, LONG, SHORT } from './perpetual.ts';
import type { PositionTerm } from './term.ts';

const { AVAILABLE, HELD, MARGIN, CLEARING, FEES, FUNDING, INSURANCE } = Move;
const { REALISED, FEE, FUNDING_PAID } = ChangeFigure;
/** Of the side of a trade that is settled: the value, the fee, and what its order had reserved. */
export const SIDE_VALUE = 0;
export const SIDE_FEE = 1;
export const SIDE_RELEASED = 2;
/** What the lots have cost that are closed or opened. */
const SIDE_COST = 3;
const SIDE_FIGURES = 4;
// Constants of this module are folded into the compiled code; what is exported is loaded at every use.
const ITS_FEE = SIDE_FEE;
const RELEASED = SIDE_RELEASED;

/** What settling asks of the market. */
export interface TradedMarket {
  /** Id. */
  readonly id: number;
  /** The settlement asset. */
  readonly asset: number;
  readonly fundingIndex: bigint;
  readonly values: OrderValues;
}

export class PositionTrades {
  readonly #market: TradedMarket;
  readonly #margins: Margins;
  /** Of the side at hand. An array, so that writing to it costs no object. */
  readonly side = new BigInt64Array(SIDE_FIGURES);
  /** Of all long positions, which is that of all short ones. */
  openLots = 0;

  constructor(market: TradedMarket, margins: Margins) {
    this.#market = market;
    this.#margins = margins;
  }

  /** Settles the funding of a position that was not touched since; comes before each change of its lots or margin. */
  touch(holding: Holding): void {
    const { lots, fundingIndex: from, isIsolated } = holding;
    const to = this.#market.fundingIndex;
    if (lots === 0 || from === to) return;
    const exact = fundingBillionths(lots > 0 ? LONG : SHORT, Math.abs(lots), from, to);
    const owed = divCeil(exact, BILLION);
    const whole = this.#margins.keepDust(this.#market.asset, owed * BILLION - exact);
    const left = holding.margin - owed;
    const margin = isIsolated && left > 0n ? left : 0n;
    // What an isolated position has not got it cannot lose.
    const missing = isIsolated && left < 0n ? -left : 0n;
    const change = this.#margins.begin();
    change[AVAILABLE] = isIsolated ? 0n : -owed;
    change[MARGIN] = margin - holding.margin;
    change[FUNDING] = owed - whole;
    change[INSURANCE] = whole - missing;
    change[FUNDING_PAID] = owed;
    holding.margin = margin;
    holding.fundingIndex = to;
    this.#margins.apply(holding, this.#market.id, Cause.funding);
  }

  /** Closes and opens lots in a direction; fee and reserve of the side are known. What is opened has the term. */
  settle(
    holding: Holding,
    direction: Direction,
    ticks: number,
    lots: number,
    cause: number,
    term?: PositionTerm | undefined,
  ): void {
    this.touch(holding);
    const { change } = this.#margins;
    const fee = this.side[ITS_FEE]!;
    const released = this.side[RELEASED]!;
    change[AVAILABLE] = BigInt.asIntN(64, released - fee);
    change[HELD] = BigInt.asIntN(64, -released);
    change[MARGIN] = 0n;
    change[FEES] = fee;
    change[FUNDING] = 0n;
    change[INSURANCE] = 0n;
    change[REALISED] = 0n;
    change[FEE] = fee;
    change[FUNDING_PAID] = 0n;
    const before = holding.lots;
    const closing = Math.min(lots, closableLots(holding, direction === LONG ? BUY : SELL));
    if (closing > 0) this.#close(holding, ticks, closing);
    change[CLEARING] = BigInt.asIntN(64, -change[REALISED]!);
    if (holding.hasTerm && holding.lots === 0) holding.term = undefined;
    if (lots > closing) this.#open(holding, direction, ticks, lots - closing, term);
    holding.fundingIndex = holding.lots === 0 ? 0n : this.#market.fundingIndex;
    this.openLots += closableLots(holding, SELL) - Math.max(before, 0);
    this.#margins.holdings.list(holding);
    this.#margins.traded.push(holding);
    this.#margins.apply(holding, this.#market.id, cause, direction * lots);
  }

  /**
   * Closes lots at a price. Their part of the cost is rounded against the owner, who gets what was rounded back with the last lot:
   * no sequence of partial closes brings more than one close.
   */
  #close(holding: Holding, ticks: number, closing: number): void {
    const { change } = this.#margins;
    const side = this.side;
    const { lots } = holding;
    const value = this.#market.values.ofOpen(ticks, closing);
    holding.costOf(closing, true, side, SIDE_COST);
    if (lots > 0) change[REALISED] = BigInt.asIntN(64, value - side[SIDE_COST]!);
    else change[REALISED] = BigInt.asIntN(64, side[SIDE_COST]! - value);
    side[SIDE_COST] = BigInt.asIntN(64, -side[SIDE_COST]!);
    holding.trade(lots > 0 ? -closing : closing, side, SIDE_COST);
    if (holding.isIsolated) this.#takeMargin(holding, closing, Math.abs(lots));
    else change[AVAILABLE] = int64(change[AVAILABLE]! + change[REALISED]!);
  }

  /** What a part of an isolated position that was closed brings of its margin. */
  #takeMargin(holding: Holding, closing: number, all: number): void {
    const { change } = this.#margins;
    const realised = change[REALISED]!;
    const { margin } = holding;
    const share = closing === all ? margin : shareFloor(margin, closing, all);
    const back = share + realised;
    let left = margin - share;
    if (back >= 0n) change[AVAILABLE]! += back;
    else {
      // A loss beyond the share comes from the rest of the margin, and from nothing else of the owner's.
      const rest = left + back;
      left = rest > 0n ? rest : 0n;
      change[INSURANCE] = rest < 0n ? rest : 0n;
    }
    change[MARGIN] = left - margin;
    holding.margin = left;
  }

  #open(holding: Holding, direction: Direction, ticks: number, opening: number, term: PositionTerm | undefined): void {
    if (term !== undefined) holding.term ??= term;
    this.side[SIDE_COST] = this.#market.values.ofOpen(ticks, opening);
    holding.trade(direction * opening, this.side, SIDE_COST);
    if (!holding.isIsolated) return;
    const { change } = this.#margins;
    const own = initialMargin(this.side[SIDE_COST]!, holding.leverage);
    change[MARGIN]! += own;
    change[AVAILABLE]! -= own;
    holding.margin += own;
  }
}
