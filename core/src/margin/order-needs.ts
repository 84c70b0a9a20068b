/**
 * What an order of a perpetual needs, and whether its owner has it: its margin and its fee, room below the limit of the leverage,
 * and enough that it makes no debt.
 */
import { isReducing, legOf } from '../events/event-record.ts';
import { type AccountTable, HELD_BESIDE } from '../ledger/account-table.ts';
import { feeOf } from '../ledger/fee.ts';
import { int64 } from '../money/amount.ts';
import { shareFloor } from '../money/rounding.ts';
import { BUY, NET, type PositionLeg, type Side } from '../terms/order-terms.ts';
import type { RejectReason } from '../terms/outcome.ts';
import { LOSSES_TOGETHER, OPENS_ABOVE_MAINTENANCE } from '../terms/rules.ts';
import { DEFAULT_LEVERAGE, FREE, type Holding, owedOf, type Valuation } from './holding.ts';
import { HoldingDouble, HoldingUnit } from './holding-figures.ts';
import { closableLots, isOfSide } from './holdings.ts';
import type { Margins } from './margins.ts';
import { isOpenedBelowMaintenance } from './opened-account.ts';
import type { OrderValues } from './order-values.ts';
import { initialMargin, notionalOf } from './perpetual.ts';
import { isWithinBounds, type TermChoice } from './term.ts';

/**
 * Figures of what was measured last: what it is worth, what is reserved for all of it, and what its owner has left beside that. Of
 * the lots of it that close something: what they are worth, and what closing them brings.
 */
export const ORDER_VALUE = 0;
const RESERVE = 1;
const LEFT = 2;
const CLOSED_VALUE = 3;
const CLOSED_PROFIT = 4;
/** What is asked for of what is left. */
const WANTED = 5;
const FIGURES = 6;
/** Five times as much, and what a difference of such amounts may be, is within int64. */
const PLENTY_AT_MOST = 2n ** 60n;
// Constants of this module are folded into the compiled code; what is exported is loaded at every use.
const VALUE = ORDER_VALUE;
const { COST: OPEN_COST, INITIAL: INITIAL_MARGIN, ORDER_VALUE: VALUE_OF_ORDERS } = HoldingUnit;
const { LOTS: OPEN_LOTS } = HoldingDouble;
/** Of the amounts. */
const COST = 0;
/** An order that comes instead of none. */
const NOTHING = { ticks: 0, lots: 0 };

/** What is asked of the market. */
export interface NeedingMarket extends Valuation {
  readonly values: OrderValues;
  readonly state: { readonly index: number };
  /** Ticks; 0 without one. */
  readonly bestBid: number;
  /** The largest value that a position may have, by leverage. */
  readonly largest: BigInt64Array;
  find(owner: number, leg: PositionLeg): Holding | undefined;
}

/** What was measured last. */
interface Measured {
  owner: number;
  /** The owner's of the leg; undefined where it has done nothing yet. */
  holding: Holding | undefined;
  side: Side;
  leg: PositionLeg;
  /** 0 where the order has no price. */
  ticks: number;
  lots: number;
  isReducing: boolean;
}

export class OrderNeeds {
  readonly #market: NeedingMarket;
  readonly #accounts: AccountTable;
  readonly #margins: Margins;
  /** The settlement's: what is taken for the order, which of one that comes instead of another is less than it reserves. */
  readonly #amounts: BigInt64Array;
  readonly measured: Measured = {
    ...{ owner: 0, holding: undefined, side: BUY, leg: NET, ticks: 0, lots: 0, isReducing: false },
  };
  /** Whether the owner has so much that nothing was counted further. */
  #hasPlenty = false;
  /** Arrays, so that writing to them costs no object. */
  readonly figures = new BigInt64Array(FIGURES);

  constructor(market: NeedingMarket, accounts: AccountTable, margins: Margins, amounts: BigInt64Array) {
    this.#market = market;
    this.#accounts = accounts;
    this.#margins = margins;
    this.#amounts = amounts;
  }

  /** Notes an order at a price, what it is worth and what it reserves. */
  measure(side: Side, ticks: number, lots: number, owner: number, terms: number): void {
    const figures = this.figures;
    this.#note(side, ticks, lots, owner, terms);
    figures[VALUE] = this.#market.values.of(ticks, lots);
    if (this.measured.isReducing) figures[RESERVE] = 0n;
    else this.#market.values.reserve(figures, RESERVE, this.#leverage(), ticks, lots);
    this.#amounts[COST] = figures[RESERVE]!;
  }

  /** As many fills as lots, at most, each of which may round its fee up. */
  measureValue(side: Side, value: bigint, lots: number, owner: number, terms: number): void {
    const figures = this.figures;
    this.#note(side, 0, lots, owner, terms);
    figures[VALUE] = value;
    if (this.measured.isReducing) figures[RESERVE] = 0n;
    else
      figures[RESERVE] =
        initialMargin(value, this.#leverage()) + feeOf(value, this.#market.terms.takerPpm) + BigInt(lots);
    this.#amounts[COST] = figures[RESERVE]!;
  }

  /** Of the leg that was noted last. */
  #leverage(): number {
    return this.measured.holding?.leverage ?? DEFAULT_LEVERAGE;
  }

  /** Why what was measured last cannot be placed. @param replaced what an amended order was before */
  problem(paying: number, replaced = NOTHING): RejectReason | undefined {
    const { holding, isReducing: reduces } = this.measured;
    this.#hasPlenty = false;
    if (!reduces) {
      // What may not be liquidated is not opened either.
      if (this.#market.state.index === 0) return 'NO_INDEX';
      this.#hasPlenty = holding !== undefined && this.#isPlenty(holding, paying);
      if (this.#hasPlenty) return undefined;
    }
    return this.#shortage(paying, replaced);
  }

  /** Whether what was measured last, and is not refused, may be liquidated as soon as it opens. Who has plenty is far from it. */
  get mayOpenBelowMaintenance(): boolean {
    return !this.#hasPlenty && !this.measured.isReducing && this.#margins.rules >= OPENS_ABOVE_MAINTENANCE;
  }

  /**
   * Why what was measured last may not open what it would trade at once.
   * @param lots that trade, for a value, at no price worse than `worst`
   */
  openingProblem(lots: number, value: bigint, worst: number): RejectReason | undefined {
    if (!this.mayOpenBelowMaintenance || lots === 0) return undefined;
    const { owner, holding, side } = this.measured;
    const { wallet, cross } = this.#margins.backing(owner, this.#market.asset);
    const opening = { side, holding, lots, value, worst, wallet, cross };
    return isOpenedBelowMaintenance(this.#market, opening) ? 'BELOW_MAINTENANCE' : undefined;
  }

  /** What is short for what was measured last. */
  #shortage(paying: number, replaced: { readonly ticks: number; readonly lots: number }): RejectReason | undefined {
    const { holding, side, lots, isReducing: reduces } = this.measured;
    // An order has no more lots than an integer has bits for.
    const closing = holding === undefined ? 0 : Math.min(lots, closableLots(holding, side)) | 0;
    if (!reduces) {
      if (this.#isAboveLimit(lots - closing, replaced)) return 'ABOVE_RISK_LIMIT';
      this.#measureLeft(paying);
    }
    if (holding !== undefined && closing > 0) this.#measureClosing(holding, closing);
    if (!reduces && !this.#affords(lots - closing)) return 'INSUFFICIENT_FUNDS';
    return holding !== undefined && closing > 0 && this.#wouldOwe(holding, paying, closing)
      ? 'INSUFFICIENT_FUNDS'
      : undefined;
  }

  /**
   * Each difference is of two amounts that are not below zero, so that none leaves int64.
   * @param opening those of the measured lots that close nothing
   */
  #isAboveLimit(opening: number, replaced: { readonly ticks: number; readonly lots: number }): boolean {
    const { holding, side } = this.measured;
    const figures = this.figures;
    figures[LEFT] = this.#market.largest[this.#leverage()]!;
    if (holding !== undefined) {
      figures[WANTED] = holding.orderValue(side);
      // What is replaced is among what is open.
      if (replaced.lots > 0)
        figures[WANTED] = BigInt.asIntN(64, figures[WANTED]! - this.#market.values.of(replaced.ticks, replaced.lots));
      if (!this.#take(WANTED)) return true;
      if (isOfSide(holding, side)) figures[LEFT] = BigInt.asIntN(64, figures[LEFT]! - holding.cost);
    }
    this.#measureWorth(WANTED, opening);
    return figures[WANTED]! > figures[LEFT]!;
  }

  /** Notes what an owner may use as what is left. */
  #measureLeft(paying: number): void {
    const { holding, owner } = this.measured;
    this.#margins.measureFree(holding ?? this.#margins.holdings.ofOwner(owner)[0], paying, this.#market.asset);
    this.figures[LEFT] = this.#margins.sums[FREE]!;
  }

  /**
   * Whether an owner has so much, and is so far from the limit of the leverage, that nothing can be short for the order: mostly it
   * is so, and then nothing is counted further, nor whether what it opens would be above its maintenance. With the value of the lots at the worst price, an order reserves at most three times
   * that (`OrderValues.reserve`, `measureValue`) and begins with a loss of it at most; what it closes loses no more than the
   * position has cost, or, of a short one, than that value, and closing adds a fee, at most twice the value. A wallet that backs one
   * position alone is free of its initial margin and of what it has lost, at most its cost and what it is worth at the mark together.
   * Closing all of it at the order's price, which is at most twice the worst, loses and costs at most four times what it is worth there.
   */
  #isPlenty(holding: Holding, paying: number): boolean {
    const market = this.#market;
    if (holding.isIsolated || holding.next !== holding || holding.fundingIndex !== market.fundingIndex) return false;
    const { side, ticks, lots } = this.measured;
    const { mark, values } = market;
    const { at } = holding;
    const { units, doubles } = holding.figures;
    const open = Math.abs(doubles[at | OPEN_LOTS]!);
    // For a buy no bid is worse than its price, but asking for its side would cost more than to look at the bid as well.
    const worst = Math.max(ticks, mark, market.bestBid);
    // What both are worth apart is less.
    if (values.isLarge(worst, lots + open)) return false;
    let value = values.of(worst, lots);
    const all = values.of(worst, open);
    if (value > PLENTY_AT_MOST || all > PLENTY_AT_MOST || this.figures[VALUE]! > BigInt.asIntN(64, value * 2n))
      return false;
    if (value < this.figures[VALUE]!) value = this.figures[VALUE]!;
    const cost = units[at | OPEN_COST]!;
    if (value > PLENTY_AT_MOST || cost > PLENTY_AT_MOST) return false;
    const room = BigInt.asIntN(64, market.largest[holding.leverage]! - units[at | VALUE_OF_ORDERS | side]!);
    if (room < cost || BigInt.asIntN(64, room - cost) < value) return false;
    const free = BigInt.asIntN(64, this.#accounts.balances[paying]! - units[at | INITIAL_MARGIN]!);
    const atWorst = BigInt.asIntN(64, free - BigInt.asIntN(64, cost * 2n) - BigInt.asIntN(64, all * 4n));
    return atWorst >= BigInt.asIntN(64, value * 5n);
  }

  /**
   * Whether what is left is what an order reserves and, beyond that, what it needs because the mark is worse than its price, or, of
   * a sell, a bid is better: the margin of the higher value, and for what it opens, the loss that it begins with. What a cross
   * position loses where the order closes it must be available as well.
   */
  #affords(opening: number): boolean {
    const { holding, lots } = this.measured;
    const figures = this.figures;
    figures[WANTED] = this.#amounts[COST]!;
    if (!this.#take(WANTED) || !this.#takeBeyondMark(opening)) return false;
    if (opening === lots || holding?.isIsolated !== false || figures[CLOSED_PROFIT]! >= 0n) return true;
    figures[WANTED] = BigInt.asIntN(64, -figures[CLOSED_PROFIT]!);
    return this.#take(WANTED);
  }

  /** Takes a figure out of what is left. @returns whether there is so much */
  #take(figure: number): boolean {
    const figures = this.figures;
    if (figures[figure]! > figures[LEFT]!) return false;
    figures[LEFT] = BigInt.asIntN(64, figures[LEFT]! - figures[figure]!);
    return true;
  }

  #takeBeyondMark(opening: number): boolean {
    const { side, ticks, lots } = this.measured;
    const { mark } = this.#market;
    if (mark === 0) return true;
    const figures = this.figures;
    const worst = side === BUY ? mark : Math.max(mark, this.#market.bestBid);
    // At a price that is no better than the worst it reserves no less.
    if (ticks < worst) {
      this.#market.values.reserve(figures, WANTED, this.#leverage(), worst, lots);
      figures[WANTED] = BigInt.asIntN(64, figures[WANTED]! - figures[RESERVE]!);
      if (figures[WANTED]! > 0n && !this.#take(WANTED)) return false;
    }
    if (ticks > 0 && (side === BUY ? ticks <= mark : ticks >= mark)) return true;
    const atMark = this.#market.values.of(mark, lots);
    if (side === BUY) figures[WANTED] = BigInt.asIntN(64, figures[VALUE]! - atMark);
    else figures[WANTED] = BigInt.asIntN(64, atMark - figures[VALUE]!);
    if (figures[WANTED]! <= 0n) return true;
    if (opening < lots) figures[WANTED] = shareFloor(figures[WANTED]!, opening, lots);
    return this.#take(WANTED);
  }

  /** Why a term does not fit what was measured last, of which some lots, of a value, would trade. */
  termProblem(term: TermChoice, lots: number, value: bigint): RejectReason | undefined {
    const gained = this.#market.mark === 0 ? 0n : notionalOf(this.#market.terms, this.#market.mark, lots) - value;
    const income = this.measured.side === BUY ? gained : -gained;
    return isWithinBounds(term, initialMargin(value, this.#leverage()), income) ? undefined : 'INVALID_TERM';
  }

  /** What closing lots of a position at the measured value brings. */
  #measureClosing(holding: Holding, closing: number): void {
    const figures = this.figures;
    this.#measureWorth(CLOSED_VALUE, closing);
    holding.costOf(closing, figures, WANTED);
    if (holding.lots > 0) figures[CLOSED_PROFIT] = BigInt.asIntN(64, figures[CLOSED_VALUE]! - figures[WANTED]!);
    else figures[CLOSED_PROFIT] = BigInt.asIntN(64, figures[WANTED]! - figures[CLOSED_VALUE]!);
  }

  /** Makes a figure the measured value of some of the lots. */
  #measureWorth(figure: number, lots: number): void {
    const figures = this.figures;
    if (lots === this.measured.lots) figures[figure] = figures[VALUE]!;
    else if (lots === 0) figures[figure] = 0n;
    else figures[figure] = shareFloor(figures[VALUE]!, lots, this.measured.lots);
  }

  /** Whether closing at such a price would take more than the owner has: trading makes no debt. */
  #wouldOwe(holding: Holding, paying: number, closing: number): boolean {
    if (this.#margins.rules >= LOSSES_TOGETHER) return this.#wouldOweForAll(holding, paying);
    const figures = this.figures;
    if (holding.isIsolated) figures[LEFT] = holding.margin;
    else figures[LEFT] = this.#crossBacking(holding, paying);
    if (holding.fundingIndex !== this.#market.fundingIndex) figures[LEFT] = int64(figures[LEFT]! - owedOf(holding));
    const fee = BigInt.asIntN(64, feeOf(figures[CLOSED_VALUE]!, this.#market.terms.takerPpm) + BigInt(closing | 0));
    const least = BigInt.asIntN(64, fee - figures[LEFT]!);
    // A debt so deep that the difference has left int64.
    if (figures[LEFT]! < 0n && least < 0n) return true;
    return figures[CLOSED_PROFIT]! < least;
  }

  /**
   * The same of all that is open, at the price of the order: a part that is closed must not take what backs the rest, and of several
   * such orders each is asked alone. In bigints of any size, as only orders that close something come here.
   */
  #wouldOweForAll(holding: Holding, paying: number): boolean {
    const { isIsolated, lots, cost, margin } = holding;
    const open = Math.abs(lots);
    const value = (this.figures[VALUE]! * BigInt(open)) / BigInt(this.measured.lots);
    const profit = lots > 0 ? value - cost : cost - value;
    const backing = isIsolated ? margin : this.#crossBacking(holding, paying);
    const fee = feeOf(value, this.#market.terms.takerPpm) + BigInt(open);
    return backing - owedOf(holding) + profit < fee;
  }

  /** What a wallet has for a cross position, with what its other ones have won or lost. */
  #crossBacking(holding: Holding, paying: number): bigint {
    const { balances } = this.#accounts;
    const wallet = BigInt.asIntN(64, balances[paying]! + balances[paying + HELD_BESIDE]!);
    if (holding.next === holding) return wallet;
    return int64(wallet + this.#margins.crossProfit(holding.owner, this.#market.asset, holding));
  }

  #note(side: Side, ticks: number, lots: number, owner: number, terms: number): void {
    const measured = this.measured;
    measured.owner = owner;
    measured.side = side;
    measured.leg = legOf(side, terms);
    measured.holding = this.#market.find(owner, measured.leg);
    measured.ticks = ticks;
    measured.lots = lots;
    measured.isReducing = isReducing(terms);
  }
}
