/**
 * How orders and trades of a perpetual move money. A trade moves positions; money moves where one becomes smaller: its profit
 * comes from the market's clearing account, or its loss goes there, so that the account always holds what all open positions
 * together have won, and both sides of a trade need not close at once.
 *
 * An order reserves its initial margin and its fee, lot by lot and rounded up, so that a part of it releases a part; one that
 * only reduces reserves nothing. A cross position keeps its margin in the available balance, of which less is free then
 * (`Margins.free`); an isolated one has a margin of its own, in an account of its own, and can lose no more.
 */
import { isReducing, legOf } from '../events/event-record.ts';
import { Cause } from '../events/position-records.ts';
import { Wallet } from '../ledger/account.ts';
import { type AccountTable, HELD_BESIDE } from '../ledger/account-table.ts';
import { feeOf } from '../ledger/fee.ts';
import { type Ledger, TradeAmount } from '../ledger/ledger.ts';
import { int64 } from '../money/amount.ts';
import type { MarketSpec, PerpetualSpec } from '../money/market.ts';
import { shareFloor } from '../money/rounding.ts';
import type { Party, Settlement } from '../orders/settlement.ts';
import { BUY, NET, type PositionLeg, SELL, type Side } from '../terms/order-terms.ts';
import type { RejectReason } from '../terms/outcome.ts';
import { DEFAULT_LEVERAGE, FREE, type Holding, owedOf, type Valuation } from './holding.ts';
import { type HoldingColumns, legIn } from './holding-columns.ts';
import { closableLots, isBound } from './holdings.ts';
import type { Margins } from './margins.ts';
import { OrderValues } from './order-values.ts';
import {
  initialMargin,
  LONG,
  largestByLeverage,
  notionalOf,
  type PerpetualTerms,
  perpetualTerms,
  SHORT,
} from './perpetual.ts';
import { PositionTrades, SIDE_FEE, SIDE_RELEASED, SIDE_VALUE, type TradedMarket } from './position-trades.ts';
import { INITIAL_PERPETUAL_STATE, type PerpetualState } from './pricing.ts';
import { isWithinBounds, type PositionTerm, type TermChoice } from './term.ts';

const { trade: TRADE, liquidation: LIQUIDATION } = Cause;
const { QUOTE, BASE, BUYER_FEE, SELLER_FEE, BUYER_CREDIT, SELLER_CREDIT } = TradeAmount;
const COST = 0;
/**
 * Figures of what was measured last: what it is worth, what is reserved for all of it, and what its owner has left beside that. Of
 * the lots of it that close something: what they are worth, and what closing them brings.
 */
const VALUE = 0;
const RESERVE = 1;
const LEFT = 2;
const CLOSED_VALUE = 3;
const CLOSED_PROFIT = 4;
/** What is asked for of what is left. */
const WANTED = 5;
const FIGURES = 6;
/** Five times as much is within int64. */
const PLENTY_AT_MOST = 2n ** 60n;
/** An order that comes instead of none. */
const NOTHING = { ticks: 0, lots: 0 };
// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const [VALUE_OF_SIDE, FEE_OF_SIDE, RELEASED] = [SIDE_VALUE, SIDE_FEE, SIDE_RELEASED];

/** What the settlement reads of its market as it trades. */
export interface MarketPrices {
  readonly lastPrice: number;
  readonly markPrice: number;
  readonly book: { readonly bestBid: number };
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

export class PerpetualSettlement implements Settlement, Valuation, TradedMarket {
  readonly amounts: BigInt64Array;
  readonly #index: number;
  readonly #ledger: Ledger;
  readonly #accounts: AccountTable;
  readonly #margins: Margins;
  readonly #measured: Measured = {
    ...{ owner: 0, holding: undefined, side: BUY, leg: NET, ticks: 0, lots: 0, isReducing: false },
  };
  /** Arrays, so that writing to them costs no object. */
  readonly #figures = new BigInt64Array(FIGURES);
  /** The largest value that a position may have, by leverage. */
  #largest: BigInt64Array = new BigInt64Array(0);
  readonly #asset: number;
  /** What was found last; holdings stay. */
  #found: Holding | undefined = undefined;
  #foundBefore: Holding | undefined = undefined;
  readonly #trades: PositionTrades;
  values: OrderValues;
  #spec: MarketSpec & { readonly perpetual: PerpetualSpec };
  #prices: MarketPrices = { lastPrice: 0, markPrice: 0, book: { bestBid: 0 } };
  terms: PerpetualTerms;
  state: PerpetualState = INITIAL_PERPETUAL_STATE;
  /** The owner for whom the engine closes something at the moment; 0 for none. */
  liquidated = 0;
  /** What the arriving order opens has this term. */
  opening: PositionTerm | undefined;

  constructor(
    spec: MarketSpec & { readonly perpetual: PerpetualSpec },
    index: number,
    ledger: Ledger,
    accounts: AccountTable,
    margins: Margins,
  ) {
    this.amounts = ledger.amounts;
    this.#spec = spec;
    this.#index = index;
    this.#ledger = ledger;
    this.#accounts = accounts;
    this.#margins = margins;
    this.terms = perpetualTerms(spec, spec.perpetual);
    this.values = new OrderValues(spec, this.terms);
    this.#largest = largestByLeverage(this.terms);
    this.#asset = spec.quote.id;
    this.#trades = new PositionTrades(this, margins);
  }

  /** Once, when the market exists. */
  follow(prices: MarketPrices): void {
    this.#prices = prices;
  }

  /** New fees and tiers. */
  change(perpetual: PerpetualSpec): void {
    this.#spec = { ...this.#spec, perpetual };
    this.terms = perpetualTerms(this.#spec, perpetual);
    this.values = new OrderValues(this.#spec, this.terms);
    this.#largest = largestByLeverage(this.terms);
  }

  get mark(): number {
    const { markPrice, lastPrice } = this.#prices;
    return markPrice === 0 ? lastPrice : markPrice;
  }

  get fundingIndex(): bigint {
    return this.state.fundingIndex;
  }

  atMark(lots: number): bigint {
    return this.values.ofOpen(this.mark, lots);
  }

  get id(): number {
    return this.#spec.id;
  }

  /** Lots of all long positions, which are those of all short ones. */
  get openLots(): number {
    return this.#trades.openLots;
  }

  /** The settlement asset. */
  get asset(): number {
    return this.#asset;
  }

  /** New if need be. */
  holding(owner: number, leg: PositionLeg): Holding {
    return this.find(owner, leg) ?? this.#margins.holdings.of(owner, this.#index, leg, this);
  }

  /** A command asks for those of its owner many times, and a trade for those of two. */
  find(owner: number, leg: PositionLeg): Holding | undefined {
    const found = this.#found;
    const before = this.#foundBefore;
    if (found !== undefined && found.owner === owner && found.leg === leg) return found;
    if (before !== undefined && before.owner === owner && before.leg === leg) return before;
    const holding = this.#margins.holdings.find(owner, this.#index, leg);
    if (holding === undefined) return undefined;
    this.#foundBefore = found;
    this.#found = holding;
    return holding;
  }

  /** Whether an owner has two legs here. */
  isHedged(owner: number): boolean {
    return this.find(owner, NET)?.isHedged === true;
  }

  payingAccount(owner: number): number {
    const holding = this.find(owner, NET);
    if (holding === undefined) return this.#accounts.available(owner, Wallet.FUTURE, this.#asset);
    if (holding.available === 0) holding.available = this.#accounts.available(owner, Wallet.FUTURE, this.#asset);
    return holding.available;
  }

  receivingAccount(owner: number): number {
    return this.payingAccount(owner);
  }

  measure(side: Side, ticks: number, lots: number, owner: number, terms: number): void {
    const figures = this.#figures;
    this.#note(side, ticks, lots, owner, terms);
    figures[VALUE] = this.values.of(ticks, lots);
    if (this.#measured.isReducing) figures[RESERVE] = 0n;
    else this.values.reserve(figures, RESERVE, this.#leverage(), ticks, lots);
    this.amounts[COST] = figures[RESERVE]!;
  }

  /** As many fills as lots, at most, each of which may round its fee up. */
  measureValue(side: Side, value: bigint, lots: number, owner: number, terms: number): void {
    const figures = this.#figures;
    this.#note(side, 0, lots, owner, terms);
    figures[VALUE] = value;
    if (this.#measured.isReducing) figures[RESERVE] = 0n;
    else figures[RESERVE] = initialMargin(value, this.#leverage()) + feeOf(value, this.terms.takerPpm) + BigInt(lots);
    this.amounts[COST] = figures[RESERVE]!;
  }

  /** What an order that may open something reserves at a leverage, in settlement units. */
  reserveAt(leverage: number, ticks: number, lots: number): bigint {
    const reserve = new BigInt64Array(1);
    this.values.reserve(reserve, 0, leverage, ticks, lots);
    return reserve[0]!;
  }

  /** Of the leg that was noted last. */
  #leverage(): number {
    return this.#measured.holding?.leverage ?? DEFAULT_LEVERAGE;
  }

  problem(paying: number, replaced = NOTHING): RejectReason | undefined {
    const { holding, side, lots, isReducing: reduces } = this.#measured;
    // An order has no more lots than an integer has bits for.
    const closing = holding === undefined ? 0 : Math.min(lots, closableLots(holding, side)) | 0;
    if (!reduces) {
      // What may not be liquidated is not opened either.
      if (this.state.index === 0) return 'NO_INDEX';
      if (this.#isAboveLimit(lots - closing, replaced)) return 'ABOVE_RISK_LIMIT';
      this.#measureLeft(paying);
      if (this.#isPlenty()) return undefined;
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
    const { holding, side } = this.#measured;
    const figures = this.#figures;
    figures[LEFT] = this.#largest[this.#leverage()]!;
    if (holding !== undefined) {
      figures[WANTED] = holding.orderValue(side);
      // What is replaced is among what is open.
      if (replaced.lots > 0)
        figures[WANTED] = BigInt.asIntN(64, figures[WANTED]! - this.values.of(replaced.ticks, replaced.lots));
      if (!this.#take(WANTED)) return true;
      if (isOfSide(holding, side)) figures[LEFT] = BigInt.asIntN(64, figures[LEFT]! - holding.cost);
    }
    this.#measureWorth(WANTED, opening);
    return figures[WANTED]! > figures[LEFT]!;
  }

  /** Notes what an owner may use as what is left. */
  #measureLeft(paying: number): void {
    const { holding, owner } = this.#measured;
    this.#margins.measureFree(holding ?? this.#margins.holdings.ofOwner(owner)[0], paying, this.#asset);
    this.#figures[LEFT] = this.#margins.sums[FREE]!;
  }

  /**
   * Whether so much is left that nothing can be short of it: mostly it is, and then nothing is counted further. With the value of
   * the lots at the worst price, an order reserves at most three times that (`OrderValues.reserve`, `measureValue`) and begins with
   * a loss of it at most; what it closes loses no more than the position has cost, or, of a short one, than that value. A wallet
   * that backs one position alone has at least what is free of it, and closing adds a fee to that loss, at most twice the value.
   */
  #isPlenty(): boolean {
    const { holding, side, ticks, lots } = this.#measured;
    if (holding !== undefined) {
      if (holding.isIsolated || holding.next !== holding || holding.fundingIndex !== this.fundingIndex) return false;
    }
    const best = Math.max(ticks, this.mark);
    const worst = side === BUY ? best : Math.max(best, this.#prices.book.bestBid);
    if (this.values.isLarge(worst, lots)) return false;
    const figures = this.#figures;
    figures[WANTED] = this.values.of(worst, lots);
    if (figures[WANTED]! < figures[VALUE]!) figures[WANTED] = figures[VALUE]!;
    if (figures[WANTED]! > PLENTY_AT_MOST || figures[LEFT]! < 0n) return false;
    figures[WANTED] = BigInt.asIntN(64, figures[WANTED]! * 5n);
    if (holding === undefined) return figures[LEFT]! >= figures[WANTED]!;
    return BigInt.asIntN(64, figures[LEFT]! - holding.cost) >= figures[WANTED]!;
  }

  /**
   * Whether what is left is what an order reserves and, beyond that, what it needs because the mark is worse than its price, or, of
   * a sell, a bid is better: the margin of the higher value, and for what it opens, the loss that it begins with. What a cross
   * position loses where the order closes it must be available as well.
   */
  #affords(opening: number): boolean {
    const { holding, lots } = this.#measured;
    const figures = this.#figures;
    figures[WANTED] = this.amounts[COST]!;
    if (!this.#take(WANTED) || !this.#takeBeyondMark(opening)) return false;
    if (opening === lots || holding?.isIsolated !== false || figures[CLOSED_PROFIT]! >= 0n) return true;
    figures[WANTED] = BigInt.asIntN(64, -figures[CLOSED_PROFIT]!);
    return this.#take(WANTED);
  }

  /** Takes a figure out of what is left. @returns whether there is so much */
  #take(figure: number): boolean {
    const figures = this.#figures;
    if (figures[figure]! > figures[LEFT]!) return false;
    figures[LEFT] = BigInt.asIntN(64, figures[LEFT]! - figures[figure]!);
    return true;
  }

  #takeBeyondMark(opening: number): boolean {
    const { side, ticks, lots } = this.#measured;
    const { mark } = this;
    if (mark === 0) return true;
    const figures = this.#figures;
    const worst = side === BUY ? mark : Math.max(mark, this.#prices.book.bestBid);
    // At a price that is no better than the worst it reserves no less.
    if (ticks < worst) {
      this.values.reserve(figures, WANTED, this.#leverage(), worst, lots);
      figures[WANTED] = BigInt.asIntN(64, figures[WANTED]! - figures[RESERVE]!);
      if (figures[WANTED]! > 0n && !this.#take(WANTED)) return false;
    }
    if (ticks > 0 && (side === BUY ? ticks <= mark : ticks >= mark)) return true;
    const atMark = this.values.of(mark, lots);
    if (side === BUY) figures[WANTED] = BigInt.asIntN(64, figures[VALUE]! - atMark);
    else figures[WANTED] = BigInt.asIntN(64, atMark - figures[VALUE]!);
    if (figures[WANTED]! <= 0n) return true;
    if (opening < lots) figures[WANTED] = shareFloor(figures[WANTED]!, opening, lots);
    return this.#take(WANTED);
  }

  /** Why a term does not fit what was measured last, of which lots of a value would trade. */
  termProblem(term: TermChoice, lots: number, value: bigint): RejectReason | undefined {
    if (lots === 0) return 'NO_LIQUIDITY';
    const gained = this.mark === 0 ? 0n : notionalOf(this.terms, this.mark, lots) - value;
    const income = this.#measured.side === BUY ? gained : -gained;
    return isWithinBounds(term, initialMargin(value, this.#leverage()), income) ? undefined : 'INVALID_TERM';
  }

  /** Whether a term keeps an owner's order of a side from reducing a leg now. */
  isBound(owner: number, side: Side, leg: PositionLeg, time: number): boolean {
    const holding = this.find(owner, leg);
    if (holding === undefined || !holding.hasTerm) return false;
    return closableLots(holding, side) > 0 && isBound(holding, time);
  }

  /** The largest value that a position may have at a leverage. */
  largestAt(leverage: number): bigint {
    return this.#largest[leverage]!;
  }

  /** Lots of an owner's leg that no order of a side closes yet; below zero where orders have more lots than it. */
  closable(owner: number, side: Side, leg: PositionLeg): number {
    const holding = this.find(owner, leg);
    if (holding === undefined) return 0;
    return closableLots(holding, side) - holding.orderLots(side) - holding.reducingLots(side);
  }

  /** Lots of an owner's leg that orders of a side close. */
  openLotsOf(owner: number, side: Side, leg: PositionLeg): number {
    const holding = this.find(owner, leg);
    return holding === undefined ? 0 : closableLots(holding, side);
  }

  /** What a position and the orders of its side are worth, in settlement units. */
  exposure(holding: Holding | undefined, side: Side): bigint {
    if (holding === undefined) return 0n;
    return holding.orderValue(side) + (isOfSide(holding, side) ? holding.cost : 0n);
  }

  /** What closing lots of a position at the measured value brings. */
  #measureClosing(holding: Holding, closing: number): void {
    const figures = this.#figures;
    this.#measureWorth(CLOSED_VALUE, closing);
    holding.costOf(closing, false, figures, WANTED);
    if (holding.lots > 0) figures[CLOSED_PROFIT] = BigInt.asIntN(64, figures[CLOSED_VALUE]! - figures[WANTED]!);
    else figures[CLOSED_PROFIT] = BigInt.asIntN(64, figures[WANTED]! - figures[CLOSED_VALUE]!);
  }

  /** Makes a figure the measured value of some of the lots. */
  #measureWorth(figure: number, lots: number): void {
    const figures = this.#figures;
    if (lots === this.#measured.lots) figures[figure] = figures[VALUE]!;
    else if (lots === 0) figures[figure] = 0n;
    else figures[figure] = shareFloor(figures[VALUE]!, lots, this.#measured.lots);
  }

  /** Whether closing at such a price would take more than the owner has: trading makes no debt. */
  #wouldOwe(holding: Holding, paying: number, closing: number): boolean {
    const figures = this.#figures;
    if (holding.isIsolated) figures[LEFT] = holding.margin;
    else figures[LEFT] = this.#crossBacking(holding, paying);
    if (holding.fundingIndex !== this.fundingIndex) figures[LEFT] = int64(figures[LEFT]! - owedOf(holding));
    const fee = BigInt.asIntN(64, feeOf(figures[CLOSED_VALUE]!, this.terms.takerPpm) + BigInt(closing | 0));
    const least = BigInt.asIntN(64, fee - figures[LEFT]!);
    // A debt so deep that the difference has left int64.
    if (figures[LEFT]! < 0n && least < 0n) return true;
    return figures[CLOSED_PROFIT]! < least;
  }

  /** What a wallet has for a cross position, with what its other ones have won or lost. */
  #crossBacking(holding: Holding, paying: number): bigint {
    const { balances } = this.#accounts;
    const wallet = BigInt.asIntN(64, balances[paying]! + balances[paying + HELD_BESIDE]!);
    if (holding.next === holding) return wallet;
    return int64(wallet + this.#margins.crossProfit(holding.owner, this.asset, holding));
  }

  reserve(paying: number): void {
    this.#count(1);
    if (this.amounts[COST] !== 0n) this.#ledger.hold(paying);
  }

  release(paying: number): void {
    this.#count(-1);
    if (this.amounts[COST] !== 0n) this.#ledger.release(paying);
  }

  restored(): void {
    this.#count(1);
  }

  fill(ticks: number, lots: number, buyer: Party, seller: Party): void {
    const { amounts } = this;
    const { side } = this.#trades;
    side[VALUE_OF_SIDE] = this.values.of(ticks, lots);
    this.#fillSide(buyer, BUY, ticks, lots);
    amounts[BUYER_FEE] = side[FEE_OF_SIDE]!;
    this.#fillSide(seller, SELL, ticks, lots);
    amounts[SELLER_FEE] = side[FEE_OF_SIDE]!;
    amounts[QUOTE] = side[VALUE_OF_SIDE]!;
    amounts[BASE] = this.values.baseUnits(lots);
    amounts[BUYER_CREDIT] = 0n;
    amounts[SELLER_CREDIT] = 0n;
  }

  /** Closes lots of two positions against each other, without an order and without a fee; the first one's event comes first. */
  closeAgainst(
    first: Holding,
    other: Holding,
    ticks: number,
    lots: number,
    cause: 'deleveraging' | 'settlement',
  ): void {
    for (const holding of [first, other]) {
      this.#trades.side.fill(0n);
      this.#trades.settle(holding, holding.lots > 0 ? SHORT : LONG, ticks, lots, Cause[cause]);
    }
  }

  /** Takes what was saved of an owner. @param at its row */
  restore(owner: number, from: HoldingColumns, at: number): void {
    const holding = this.#margins.holdings.of(owner, this.#index, legIn(from.flags[at]!), this);
    holding.take(from, at);
    this.#margins.unwatch(holding);
    if (holding.lots > 0) this.#trades.openLots += holding.lots;
    this.#margins.holdings.list(holding);
  }

  /** Settles the funding of a position that was not touched since; comes before each change of its lots or margin. */
  touch(holding: Holding): void {
    this.#trades.touch(holding);
  }

  /** One side of a trade, whose value is known; leaves its fee beside that. */
  #fillSide({ owner, terms, isMaker }: Party, side: Side, ticks: number, lots: number): void {
    const figures = this.#trades.side;
    const holding = this.holding(owner, legOf(side, terms));
    const { makerPpm, takerPpm } = this.#spec.perpetual;
    const term = isMaker ? undefined : this.opening;
    figures[FEE_OF_SIDE] = feeOf(figures[VALUE_OF_SIDE]!, isMaker || term !== undefined ? makerPpm : takerPpm);
    figures[RELEASED] = 0n;
    if (isMaker) this.#takeResting(holding, terms, side, ticks, lots);
    const cause = owner === this.liquidated && !isMaker ? LIQUIDATION : TRADE;
    this.#trades.settle(holding, side === BUY ? LONG : SHORT, ticks, lots, cause, term);
  }

  /** Takes lots of a resting order out of what orders add up to, and notes what they have reserved. */
  #takeResting(holding: Holding, terms: number, side: Side, ticks: number, lots: number): void {
    if (isReducing(terms)) {
      holding.addReducing(side, -lots);
      return;
    }
    const figures = this.#trades.side;
    holding.addOrder(side, -lots, figures, VALUE_OF_SIDE);
    this.values.reserve(figures, RELEASED, holding.leverage, ticks, lots);
  }

  #note(side: Side, ticks: number, lots: number, owner: number, terms: number): void {
    const measured = this.#measured;
    measured.owner = owner;
    measured.side = side;
    measured.leg = legOf(side, terms);
    measured.holding = this.find(owner, measured.leg);
    measured.ticks = ticks;
    measured.lots = lots;
    measured.isReducing = isReducing(terms);
  }

  /** Adds what was measured to what the owner's orders add up to, or takes it away. */
  #count(sign: 1 | -1): void {
    const measured = this.#measured;
    const { owner, side, leg, lots, isReducing: reduces } = measured;
    measured.holding ??= this.holding(owner, leg);
    if (reduces) measured.holding.addReducing(side, sign * lots);
    else measured.holding.addOrder(side, sign * lots, this.#figures, VALUE);
  }
}

/** Whether orders of a side make a position larger. */
const isOfSide = ({ lots }: Holding, side: Side): boolean => (side === BUY ? lots > 0 : lots < 0);
