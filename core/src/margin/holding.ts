/** What an owner has in one perpetual market: leverage, margin mode, a position, and what its open orders add up to. */
import { copyInt64 } from '../collections/records.ts';
import { int64 } from '../money/amount.ts';
import { share } from '../money/rounding.ts';
import { BUY, type PositionLeg, type Side } from '../terms/order-terms.ts';
import { fundingOwed } from './funding.ts';
import {
  directionIn,
  flagsOf,
  fundingIndexAt,
  type HoldingColumns,
  isHedgedIn,
  isIsolatedIn,
  writeFundingIndex,
} from './holding-columns.ts';
import { HOLDING_INT64S, HoldingDouble, type HoldingFigures, HoldingUnit } from './holding-figures.ts';
import { type Direction, initialMargin, LONG, type PerpetualTerms, SHORT } from './perpetual.ts';
import type { Position } from './position.ts';
import type { PositionTerm } from './term.ts';

/** Of an owner who has chosen none. */
export const DEFAULT_LEVERAGE = 10;

/** What positions of a market are valued by. */
export interface Valuation {
  readonly terms: PerpetualTerms;
  /** Ticks; the last price until a mark was set, 0 before either. */
  readonly mark: number;
  /** Ticks; 0 while it is lost. */
  readonly index: number;
  /** The settlement asset. */
  readonly asset: number;
  /** Billionths of a settlement unit that a long lot has paid since the market began. */
  readonly fundingIndex: bigint;
  /** What open lots are worth at the mark, within int64. */
  atMark(lots: number): bigint;
}

/** What an owner may use, and what positions have won less what they have lost: see `Holding.addCross`. */
export const FREE = 0;
export const PROFIT = 1;

// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const { COST, MARGIN, ORDER_VALUE, INITIAL } = HoldingUnit;
const { LOTS, ORDER_LOTS } = HoldingDouble;
const RECORD = HOLDING_INT64S;
/** Modes: three flags, then the leverage. */
const IS_ISOLATED = 1;
const IS_HEDGED = 2;
const HAS_TERM = 4;
const FLAGS = 7;
const LEVERAGE_SHIFT = 3;

/** An owner's part of one market: in hedge mode one of two, beside NET, which is of the mode alone then. */
export class Holding {
  // What every order asks for comes first, so that it is in one line of the processor's cache.
  /** Owner index. */
  readonly owner: number;
  readonly leg: PositionLeg;
  /** Leverage and flags as one integer. */
  #modes = DEFAULT_LEVERAGE << LEVERAGE_SHIFT;
  /** Where its record begins in the figures, in int64. */
  readonly at: number;
  readonly figures: HoldingFigures;
  /** Another of the owner's, and so around until it is this one again: few markets each. */
  next: Holding;
  readonly valuation: Valuation;
  /** The market's when the position was touched last; 0n without one. */
  fundingIndex = 0n;
  /** The owner's available account of the settlement asset; 0 until it was needed. */
  available = 0;
  /** Whether its account has changed since it was looked at for liquidation. */
  isUnwatched = false;
  readonly market: number;
  #term: PositionTerm | undefined = undefined;
  /** Lots of open orders that only reduce. */
  #reducingBuys = 0;
  #reducingSells = 0;
  /** Counts how often it was watched anew for its liquidation. */
  turn = 0;
  /** Counts how often it was ranked anew for deleveraging. */
  rankTurn = 0;
  /** The direction by which it is listed as open; 0 for not. */
  listed: Direction | 0 = 0;
  /** Its index there. */
  listIndex = 0;

  /** @param other of the owner's, where there is one */
  constructor(
    owner: number,
    market: number,
    leg: PositionLeg,
    valuation: Valuation,
    other: Holding | undefined,
    figures: HoldingFigures,
  ) {
    this.owner = owner;
    this.leg = leg;
    this.at = figures.add();
    this.figures = figures;
    this.next = other?.next ?? this;
    if (other !== undefined) other.next = this;
    this.valuation = valuation;
    this.market = market;
  }

  /** Counts the holdings of an exchange from 0 on, in the order in which they were made. */
  get place(): number {
    return (this.at / RECORD) | 0;
  }

  get leverage(): number {
    return this.#modes >> LEVERAGE_SHIFT;
  }

  set leverage(leverage: number) {
    this.#modes = (leverage << LEVERAGE_SHIFT) | (this.#modes & FLAGS);
    this.open(this.lots, this.cost);
  }

  /** Whether the position has a margin of its own; otherwise the whole wallet backs it. */
  get isIsolated(): boolean {
    return (this.#modes & IS_ISOLATED) !== 0;
  }

  set isIsolated(isIsolated: boolean) {
    this.#setFlag(IS_ISOLATED, isIsolated);
  }

  /** Of NET: whether the owner has two legs. */
  get isHedged(): boolean {
    return (this.#modes & IS_HEDGED) !== 0;
  }

  set isHedged(isHedged: boolean) {
    this.#setFlag(IS_HEDGED, isHedged);
  }

  get hasTerm(): boolean {
    return (this.#modes & HAS_TERM) !== 0;
  }

  /** Of the position, where it was opened with one. */
  get term(): PositionTerm | undefined {
    return this.#term;
  }

  set term(term: PositionTerm | undefined) {
    this.#term = term;
    this.#setFlag(HAS_TERM, term !== undefined);
  }

  /** Lots that are open, below zero of a short position; 0 without one. */
  get lots(): number {
    return this.figures.doubles[this.at | LOTS]!;
  }

  /** What the open lots were opened for, in settlement units; 0n without a position. */
  get cost(): bigint {
    return this.figures.units[this.at | COST]!;
  }

  /** Of an isolated position, in settlement units; else 0n. */
  get margin(): bigint {
    return this.figures.units[this.at | MARGIN]!;
  }

  set margin(margin: bigint) {
    this.figures.units[this.at | MARGIN] = margin;
  }

  /** The position as an object: for what is not asked with every order. */
  get position(): Position | undefined {
    const { lots, cost } = this;
    return lots === 0 ? undefined : { direction: lots > 0 ? 1 : -1, lots: Math.abs(lots), cost };
  }

  set position(position: Position | undefined) {
    if (position === undefined) this.open(0, 0n);
    else this.open(position.direction * position.lots, position.cost);
  }

  /** @param lots below zero of a short position, 0 of none, which has no cost */
  open(lots: number, cost: bigint): void {
    const { doubles, units } = this.figures;
    doubles[this.at | LOTS] = lots;
    units[this.at | COST] = int64(cost);
    units[this.at | INITIAL] = initialMargin(cost, this.leverage);
  }

  /** Opens lots, below zero of a short position, for an amount of an array. */
  add(lots: number, costs: BigInt64Array, at: number): void {
    const { doubles, units } = this.figures;
    doubles[this.at | LOTS]! += lots;
    units[this.at | COST] = int64(units[this.at | COST]! + costs[at]!);
    units[this.at | INITIAL] = initialMargin(units[this.at | COST]!, this.leverage);
  }

  /**
   * Closes so many of the open lots by a trade in the other direction, and writes what they have cost, rounded against the owner:
   * up of a long position, down of a short one.
   */
  close(direction: Direction, lots: number, to: BigInt64Array, at: number): void {
    const { doubles, units } = this.figures;
    const open = doubles[this.at | LOTS]!;
    const all = Math.abs(open);
    const cost = units[this.at | COST]!;
    if (lots === all) to[at] = cost;
    else to[at] = share(cost, lots, all, ((1 - direction) >> 1) as 0 | 1);
    doubles[this.at | LOTS] = open + direction * lots;
    units[this.at | COST] = BigInt.asIntN(64, cost - to[at]!);
    units[this.at | INITIAL] = initialMargin(units[this.at | COST]!, this.leverage);
  }

  /** Writes what so many of the open lots have cost, rounded for the owner. */
  costOf(lots: number, to: BigInt64Array, at: number): void {
    const cost = this.figures.units[this.at | COST]!;
    const open = this.lots;
    const all = Math.abs(open);
    if (lots === all) to[at] = cost;
    else to[at] = share(cost, lots, all, open > 0 ? 0 : 1);
  }

  /** Takes what a cross position needs out of `FREE`, and adds what it has won or lost to `PROFIT`; writes to an array, as the next. */
  addCross(sums: BigInt64Array): void {
    const { units } = this.figures;
    const { lots, valuation } = this;
    sums[FREE] = int64(sums[FREE]! - units[this.at | INITIAL]!);
    // Each pays its funding when it is touched, whatever the others are to receive.
    if (this.fundingIndex !== valuation.fundingIndex) this.#addOwed(sums);
    if (valuation.mark === 0) return;
    const value = valuation.atMark(Math.abs(lots));
    if (lots > 0) sums[PROFIT] = int64(sums[PROFIT]! + value - units[this.at | COST]!);
    else sums[PROFIT] = int64(sums[PROFIT]! + units[this.at | COST]! - value);
  }

  /** Of open orders of a side that may open a position, as the next. */
  orderLots(side: Side): number {
    return this.figures.doubles[this.at | ORDER_LOTS | side]!;
  }

  /** In settlement units. */
  orderValue(side: Side): bigint {
    return this.figures.units[this.at | ORDER_VALUE | side]!;
  }

  /** Lots of open orders of a side that only reduce. */
  reducingLots(side: Side): number {
    return side === BUY ? this.#reducingBuys : this.#reducingSells;
  }

  /** Adds lots of an order and their value to what orders add up to; lots below zero take both away. */
  addOrder(side: Side, lots: number, values: BigInt64Array, at: number): void {
    const { doubles, units } = this.figures;
    doubles[this.at | ORDER_LOTS | side]! += lots;
    const value = this.at | ORDER_VALUE | side;
    if (lots > 0) units[value] = int64(units[value]! + values[at]!);
    else units[value] = BigInt.asIntN(64, units[value]! - values[at]!);
  }

  /** The same of an order that only reduces. */
  addReducing(side: Side, lots: number): void {
    if (side === BUY) this.#reducingBuys += lots;
    else this.#reducingSells += lots;
  }

  /** Copies cost and margin from array to array, because an int64 that travels through a call becomes an object. */
  copyMoney(to: BigInt64Array, costAt: number, marginAt: number): void {
    const { units } = this.figures;
    to[costAt] = units[this.at | COST]!;
    to[marginAt] = units[this.at | MARGIN]!;
  }

  /** Takes a row of what was saved. */
  take(from: HoldingColumns, at: number): void {
    const { doubles, units, words } = this.figures;
    const flags = from.flags[at]!;
    this.#modes =
      (from.leverage[at]! << LEVERAGE_SHIFT) |
      (isIsolatedIn(flags) ? IS_ISOLATED : 0) |
      (isHedgedIn(flags) ? IS_HEDGED : 0);
    doubles[this.at | LOTS] = directionIn(flags) * from.lots[at]!;
    copyInt64(from.cost.words, at, words, this.at | COST);
    copyInt64(from.margin.words, at, words, this.at | MARGIN);
    units[this.at | INITIAL] = initialMargin(units[this.at | COST]!, this.leverage);
    this.fundingIndex = fundingIndexAt(from, at);
    this.term = from.terms.get(at);
  }

  /** Writes such a row, but for owner and market. */
  write(to: HoldingColumns, at: number): void {
    const { doubles, words } = this.figures;
    const lots = doubles[this.at | LOTS]!;
    to.leverage[at] = this.leverage;
    to.flags[at] = flagsOf(this.leg, Math.sign(lots), this.isIsolated, this.isHedged, this.hasTerm);
    to.lots[at] = Math.abs(lots);
    copyInt64(words, this.at | COST, to.cost.words, at);
    copyInt64(words, this.at | MARGIN, to.margin.words, at);
    if (this.fundingIndex !== 0n) writeFundingIndex(to, at, this.fundingIndex);
    if (this.#term !== undefined) to.terms.set(at, this.#term);
  }

  #setFlag(flag: number, isSet: boolean): void {
    this.#modes = isSet ? this.#modes | flag : this.#modes & ~flag;
  }

  #addOwed(sums: BigInt64Array): void {
    const owed = owedOf(this);
    if (owed > 0n) sums[FREE] = int64(sums[FREE]! - owed);
  }
}

/** Funding that a position owes and has not paid yet, in settlement units; below zero where it is to receive some. */
export function owedOf({ lots, fundingIndex, valuation }: Holding): bigint {
  const to = valuation.fundingIndex;
  if (lots === 0 || fundingIndex === to) return 0n;
  return fundingOwed(lots > 0 ? LONG : SHORT, Math.abs(lots), fundingIndex, to);
}
