/**
 * How lots of positions are closed and opened, and what that moves: profit from the market's clearing account or a loss to it, the
 * fee, what the order had reserved, and the margin of an isolated position.
 */
import { Cause, ChangeFigure } from '../events/position-records.ts';
import { int64 } from '../money/amount.ts';
import { divCeil, shareFloor } from '../money/rounding.ts';
import { BUY, SELL } from '../terms/order-terms.ts';
import { fundingBillionths } from './funding.ts';
import type { Holding } from './holding.ts';
import type { Margins } from './margins.ts';
import { BILLION } from './mark-price.ts';
import type { OrderValues } from './order-values.ts';
import { type Direction, initialMargin, LONG, SHORT } from './perpetual.ts';
import { keptDiscount, type PositionTerm, withDiscount } from './term.ts';

const { AVAILABLE, HELD, MARGIN, REALISED, FEE, FUNDING, INSURANCE, FUNDING_PAID } = ChangeFigure;
/**
 * Of the side of a trade that is settled: the value of all its lots, the fee, what its order had reserved, and the discount that a
 * term may earn with it.
 */
export const SIDE_VALUE = 0;
export const SIDE_FEE = 1;
export const SIDE_RELEASED = 2;
export const SIDE_DISCOUNT = 3;
/** What the lots are worth that are closed or opened, and what those have cost that are closed. */
const PART = 4;
const COST = 5;
const SIDE_FIGURES = 6;
// Constants of this module are folded into the compiled code; what is exported is loaded at every use.
const VALUE = SIDE_VALUE;
const ITS_FEE = SIDE_FEE;
const RELEASED = SIDE_RELEASED;
const DISCOUNT = SIDE_DISCOUNT;

/** Those of a position that is long. By arithmetic: whether one is long is chance, and a branch is guessed wrong half of the time. */
const longLots = (lots: number): number => (Math.abs(lots) + lots) / 2;

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
    const figures = {
      ...{ AVAILABLE: isIsolated ? 0n : -owed, MARGIN: margin - holding.margin },
      ...{ FUNDING: owed - whole, INSURANCE: whole - missing, FUNDING_PAID: owed },
    };
    holding.margin = margin;
    holding.fundingIndex = to;
    this.#margins.change(holding, this.#market.id, Cause.funding, figures);
  }

  /** Closes and opens lots in a direction; value, fee and reserve of the side are known. What is opened has the term. */
  settle(
    holding: Holding,
    direction: Direction,
    ticks: number,
    lots: number,
    cause: number,
    term?: PositionTerm | undefined,
  ): void {
    this.touch(holding);
    const before = holding.lots;
    const opposed = -direction * before;
    const closing = opposed <= 0 ? 0 : Math.min(opposed, lots);
    if (closing > 0 && holding.hasTerm) this.#takeDiscount(holding, closing);
    const margins = this.#margins;
    const records = margins.changes;
    const change = records.reserve();
    const { units } = records;
    const fee = this.side[ITS_FEE]!;
    const released = this.side[RELEASED]!;
    units[change + AVAILABLE] = BigInt.asIntN(64, released - fee);
    units[change + HELD] = BigInt.asIntN(64, -released);
    units[change + MARGIN] = 0n;
    units[change + REALISED] = 0n;
    units[change + FEE] = fee;
    units[change + FUNDING] = 0n;
    units[change + INSURANCE] = 0n;
    units[change + FUNDING_PAID] = 0n;
    if (closing > 0) {
      this.#measurePart(ticks, closing, lots);
      this.#close(holding, direction, closing, units, change);
    }
    if (closing < lots) {
      this.#measurePart(ticks, lots - closing, lots);
      this.#open(holding, direction, lots - closing, term, units, change);
    }
    const after = holding.lots;
    this.openLots += longLots(after) - longLots(before);
    // Opened, closed, or turned round.
    if (before * after <= 0) {
      holding.fundingIndex = after === 0 ? 0n : this.#market.fundingIndex;
      margins.holdings.list(holding);
      if (before !== 0) margins.ended.push({ holding, side: before > 0 ? SELL : BUY });
    }
    margins.traded.push(holding);
    margins.apply(holding, this.#market.id, cause, direction * lots);
  }

  /**
   * After the end of a term its discount pays the fee, as far as it goes. Lots that are closed before the end lose their share of it,
   * whoever closes them: the term was not kept.
   */
  #takeDiscount(holding: Holding, closing: number): void {
    const { term } = holding;
    if (term?.discount === undefined) return;
    const { side } = this;
    const { discount } = term;
    if (this.#margins.time < term.endsAt) {
      holding.term = withDiscount(term, keptDiscount(discount, closing, Math.abs(holding.lots)));
      return;
    }
    const left = discount - side[ITS_FEE]!;
    side[ITS_FEE] = left < 0n ? -left : 0n;
    holding.term = withDiscount(term, left > 0n ? left : 0n);
  }

  /** Notes what some of the lots of the side are worth. */
  #measurePart(ticks: number, part: number, lots: number): void {
    if (part === lots) this.side[PART] = this.side[VALUE]!;
    else this.side[PART] = this.#market.values.ofOpen(ticks, part);
  }

  /**
   * Closes lots, which a trade in a direction does to a position in the other one. Their part of the cost is rounded against the
   * owner, who gets what was rounded back with the last lot: no sequence of partial closes brings more than one close.
   */
  #close(holding: Holding, direction: Direction, closing: number, units: BigInt64Array, change: number): void {
    const { side } = this;
    const all = Math.abs(holding.lots);
    holding.close(direction, closing, side, COST);
    const gain = BigInt.asIntN(64, side[PART]! - side[COST]!);
    units[change + REALISED] = BigInt.asIntN(64, gain * BigInt(-direction | 0));
    if (holding.isIsolated) this.#takeMargin(holding, closing, all, units, change);
    else units[change + AVAILABLE] = int64(units[change + AVAILABLE]! + units[change + REALISED]!);
    if (holding.hasTerm && closing === all) holding.term = undefined;
  }

  /** What a part of an isolated position that was closed brings of its margin. */
  #takeMargin(holding: Holding, closing: number, all: number, units: BigInt64Array, change: number): void {
    const realised = units[change + REALISED]!;
    const { margin } = holding;
    const share = closing === all ? margin : shareFloor(margin, closing, all);
    const back = share + realised;
    let left = margin - share;
    if (back >= 0n) units[change + AVAILABLE]! += back;
    else {
      // A loss beyond the share comes from the rest of the margin, and from nothing else of the owner's.
      const rest = left + back;
      left = rest > 0n ? rest : 0n;
      units[change + INSURANCE] = rest < 0n ? rest : 0n;
    }
    units[change + MARGIN] = left - margin;
    holding.margin = left;
  }

  #open(
    holding: Holding,
    direction: Direction,
    opening: number,
    term: PositionTerm | undefined,
    units: BigInt64Array,
    change: number,
  ): void {
    if (term !== undefined) holding.term = withDiscount(term, (holding.term?.discount ?? 0n) + this.side[DISCOUNT]!);
    holding.add(direction * opening, this.side, PART);
    if (!holding.isIsolated) return;
    const own = initialMargin(this.side[PART]!, holding.leverage);
    units[change + MARGIN]! += own;
    units[change + AVAILABLE]! -= own;
    holding.margin += own;
  }
}
