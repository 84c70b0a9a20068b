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
import { type Posting, Wallet } from '../ledger/account.ts';
import { type AccountTable, HELD_BESIDE } from '../ledger/account-table.ts';
import { feeOf } from '../ledger/fee.ts';
import { type Ledger, TradeAmount } from '../ledger/ledger.ts';
import type { MarketSpec, PerpetualSpec } from '../money/market.ts';
import { divCeil } from '../money/rounding.ts';
import type { Party, Settlement } from '../orders/settlement.ts';
import { BUY, NET, type PositionLeg, SELL, type Side } from '../terms/order-terms.ts';
import type { RejectReason } from '../terms/outcome.ts';
import type { PositionCause } from './event.ts';
import { fundingBillionths } from './funding.ts';
import {
  addOrder,
  closingSide,
  DEFAULT_LEVERAGE,
  type Holding,
  type HoldingRecord,
  isBound,
  owedOf,
  takeRecord,
  type Valuation,
} from './holdings.ts';
import type { Margins } from './margins.ts';
import { BILLION } from './mark-price.ts';
import { OrderValues } from './order-values.ts';
import {
  type Direction,
  initialMargin,
  LONG,
  notionalOf,
  type PerpetualTerms,
  perpetualTerms,
  SHORT,
} from './perpetual.ts';
import { increase, reduce } from './position.ts';
import { type Moved, postingsOf } from './position-postings.ts';
import { INITIAL_PERPETUAL_STATE, type PerpetualState } from './pricing.ts';
import { isWithinBounds, type PositionTerm, type TermChoice } from './term.ts';

const { QUOTE, BASE, BUYER_FEE, SELLER_FEE, BUYER_CREDIT, SELLER_CREDIT } = TradeAmount;
const COST = 0;
/** An order that comes instead of none. */
const NOTHING = { ticks: 0, lots: 0 };

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
  lots: number;
  value: bigint;
  /** What is reserved for all of it. */
  cost: bigint;
  isReducing: boolean;
}

/** One side of what closes or opens lots. */
interface Settled {
  readonly direction: Direction;
  readonly ticks: number;
  readonly lots: number;
  readonly fee: bigint;
  /** What the order had reserved. */
  readonly released: bigint;
  readonly cause: PositionCause;
  /** What it opens has this term. */
  readonly term?: PositionTerm | undefined;
}

export class PerpetualSettlement implements Settlement, Valuation {
  readonly amounts: BigInt64Array;
  readonly #index: number;
  readonly #ledger: Ledger;
  readonly #accounts: AccountTable;
  readonly #margins: Margins;
  readonly #measured: Measured = {
    ...{ owner: 0, holding: undefined, side: BUY, leg: NET, lots: 0, value: 0n, cost: 0n, isReducing: false },
  };
  readonly #asset: number;
  #values: OrderValues;
  #spec: MarketSpec & { readonly perpetual: PerpetualSpec };
  #prices: MarketPrices = { lastPrice: 0, markPrice: 0, book: { bestBid: 0 } };
  terms: PerpetualTerms;
  state: PerpetualState = INITIAL_PERPETUAL_STATE;
  /** Of all long positions, which is that of all short ones. */
  openLots = 0;
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
    this.#values = new OrderValues(spec, this.terms);
    this.#asset = spec.quote.id;
  }

  /** Once, when the market exists. */
  follow(prices: MarketPrices): void {
    this.#prices = prices;
  }

  /** New fees and tiers. */
  change(perpetual: PerpetualSpec): void {
    this.#spec = { ...this.#spec, perpetual };
    this.terms = perpetualTerms(this.#spec, perpetual);
    this.#values = new OrderValues(this.#spec, this.terms);
  }

  get mark(): number {
    const { markPrice, lastPrice } = this.#prices;
    return markPrice === 0 ? lastPrice : markPrice;
  }

  get fundingIndex(): bigint {
    return this.state.fundingIndex;
  }

  /** The settlement asset. */
  get asset(): number {
    return this.#asset;
  }

  /** New if need be. */
  holding(owner: number, leg: PositionLeg): Holding {
    return this.#margins.holdings.of(owner, this.#index, leg, this);
  }

  find(owner: number, leg: PositionLeg): Holding | undefined {
    return this.#margins.holdings.find(owner, this.#index, leg);
  }

  /** Whether an owner has two legs here. */
  isHedged(owner: number): boolean {
    return this.find(owner, NET)?.isHedged === true;
  }

  payingAccount(owner: number): number {
    return this.#accounts.available(owner, Wallet.FUTURE, this.asset);
  }

  receivingAccount(owner: number): number {
    return this.payingAccount(owner);
  }

  measure(side: Side, ticks: number, lots: number, owner: number, terms: number): void {
    this.#note(side, this.#values.of(ticks, lots), lots, owner, terms);
    if (this.#measured.isReducing) this.#setCost(0n);
    else this.#setCost(this.#values.reserve(this.#leverage(), ticks, lots));
  }

  /** As many fills as lots, at most, each of which may round its fee up. */
  measureValue(side: Side, value: bigint, lots: number, owner: number, terms: number): void {
    this.#note(side, value, lots, owner, terms);
    this.#setCost(initialMargin(value, this.#leverage()) + feeOf(value, this.terms.takerPpm) + BigInt(lots));
  }

  /** What an order that may open something reserves at a leverage, in settlement units. */
  reserveAt(leverage: number, ticks: number, lots: number): bigint {
    return this.#values.reserve(leverage, ticks, lots);
  }

  /** Of the leg that was noted last. */
  #leverage(): number {
    return this.#measured.holding?.leverage ?? DEFAULT_LEVERAGE;
  }

  problem(paying: number, replaced = NOTHING): RejectReason | undefined {
    const { holding, side, lots, value, isReducing: reduces } = this.#measured;
    const position = holding?.position;
    const closing = position !== undefined && closingSide(position) === side ? Math.min(lots, position.lots) : 0;
    if (!reduces) {
      // What may not be liquidated is not opened either.
      if (this.state.index === 0) return 'NO_INDEX';
      let opening = closing === 0 ? value : (value * BigInt(lots - closing)) / BigInt(lots);
      if (replaced.lots > 0) opening -= notionalOf(this.terms, replaced.ticks, replaced.lots);
      if (this.exposure(holding, side) + opening > this.largestAt(holding?.leverage ?? DEFAULT_LEVERAGE))
        return 'ABOVE_RISK_LIMIT';
      const wanted = this.amounts[COST]! + this.#beyondMark(lots - closing);
      const free = this.#margins.freeOf(this.#measured.owner, paying, this.#asset);
      if (wanted + this.#closingLoss(holding, closing) > free) return 'INSUFFICIENT_FUNDS';
    }
    return holding !== undefined && closing > 0 && this.#wouldOwe(holding, paying, closing)
      ? 'INSUFFICIENT_FUNDS'
      : undefined;
  }

  /**
   * What an order needs beyond its reserve because the mark is worse than its price, or, of a sell, a bid is better: the margin of
   * the higher value, and for what it opens, the loss that it begins with.
   */
  #beyondMark(opening: number): bigint {
    const { side, lots, value, cost } = this.#measured;
    const { mark } = this;
    if (mark === 0) return 0n;
    const { bestBid } = this.#prices.book;
    const worst = side === BUY ? mark : Math.max(mark, bestBid);
    const atWorst = this.#values.reserve(this.#leverage(), worst, lots);
    const more = atWorst > cost ? atWorst - cost : 0n;
    const difference = value - this.#values.of(mark, lots);
    if (side === BUY ? difference <= 0n : difference >= 0n) return more;
    const loss = side === BUY ? difference : -difference;
    return more + (opening === lots ? loss : (loss * BigInt(opening)) / BigInt(lots));
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
    const isClosing = holding?.position !== undefined && closingSide(holding.position) === side;
    return isClosing && isBound(holding, time);
  }

  /** The largest value that a position may have at a leverage. */
  largestAt(leverage: number): bigint {
    return this.terms.tiers.findLast(({ maximumLeverage }) => maximumLeverage >= leverage)?.maximumNotional ?? 0n;
  }

  /** Lots of an owner's leg that no order of a side closes yet; below zero where orders have more lots than it. */
  closable(owner: number, side: Side, leg: PositionLeg): number {
    const holding = this.find(owner, leg);
    if (holding === undefined) return 0;
    const { orderLots, reducingLots } = holding;
    return this.openLotsOf(owner, side, leg) - orderLots[side] - reducingLots[side];
  }

  /** Lots of an owner's leg that orders of a side close. */
  openLotsOf(owner: number, side: Side, leg: PositionLeg): number {
    const position = this.find(owner, leg)?.position;
    return position !== undefined && closingSide(position) === side ? position.lots : 0;
  }

  /** What a position and the orders of its side are worth, in settlement units. */
  exposure(holding: Holding | undefined, side: Side): bigint {
    if (holding === undefined) return 0n;
    const { position, orderValue } = holding;
    return orderValue[side] + (position !== undefined && closingSide(position) !== side ? position.cost : 0n);
  }

  /** What closing lots of a position at the measured value brings, in settlement units. */
  #closingProfit({ position }: Holding, closing: number): bigint {
    if (position === undefined) return 0n;
    const cost = (position.cost * BigInt(closing)) / BigInt(position.lots);
    return (this.#worth(closing) - cost) * BigInt(position.direction);
  }

  /** The measured value of some of the lots. */
  #worth(lots: number): bigint {
    const { value, lots: all } = this.#measured;
    return lots === all ? value : (value * BigInt(lots)) / BigInt(all);
  }

  /** What a cross position loses where an order closes it: what is available must have room for that and for the reserve. */
  #closingLoss(holding: Holding | undefined, closing: number): bigint {
    if (holding === undefined || holding.isIsolated || closing === 0) return 0n;
    const profit = this.#closingProfit(holding, closing);
    return profit < 0n ? -profit : 0n;
  }

  /** Whether closing at such a price would take more than the owner has: trading makes no debt. */
  #wouldOwe(holding: Holding, paying: number, closing: number): boolean {
    const { isIsolated, margin } = holding;
    const fee = feeOf(this.#worth(closing), this.terms.takerPpm) + BigInt(closing);
    const backing = isIsolated ? margin : this.#crossBacking(holding, paying);
    const has = backing - owedOf(holding);
    return has + this.#closingProfit(holding, closing) < fee;
  }

  /** What a wallet has for a cross position, with what its other ones have won or lost. */
  #crossBacking(holding: Holding, paying: number): bigint {
    const { balances } = this.#accounts;
    const { owner } = holding;
    return balances[paying]! + balances[paying + HELD_BESIDE]! + this.#margins.crossProfit(owner, this.asset, holding);
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
    const value = this.#values.of(ticks, lots);
    const bought = this.#filled(buyer, BUY, ticks, lots, value);
    const sold = this.#filled(seller, SELL, ticks, lots, value);
    amounts[QUOTE] = value;
    amounts[BASE] = this.#values.baseUnits(lots);
    amounts[BUYER_FEE] = bought;
    amounts[SELLER_FEE] = sold;
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
      const direction = holding.position?.direction === LONG ? SHORT : LONG;
      this.#settle(holding, { direction, ticks, lots, fee: 0n, released: 0n, cause });
    }
  }

  /** Takes what was saved of an owner. */
  restore(owner: number, record: HoldingRecord): void {
    const holding = this.holding(owner, record.leg);
    takeRecord(holding, record);
    this.#margins.unwatched.add(holding);
    this.#countOpen(holding, 1);
    this.#margins.holdings.list(holding);
  }

  /** Settles the funding of a position that was not touched since; comes before each change of its lots or margin. */
  touch(holding: Holding): void {
    const { position, fundingIndex: from, isIsolated } = holding;
    const to = this.fundingIndex;
    if (position === undefined || from === to) return;
    const exact = fundingBillionths(position.direction, position.lots, from, to);
    const owed = divCeil(exact, BILLION);
    const whole = this.#margins.keepDust(this.asset, owed * BILLION - exact);
    const left = holding.margin - owed;
    const margin = isIsolated && left > 0n ? left : 0n;
    // What an isolated position has not got it cannot lose.
    const missing = isIsolated && left < 0n ? -left : 0n;
    const moves = this.#post(holding, {
      available: isIsolated ? 0n : -owed,
      held: 0n,
      margin: margin - holding.margin,
      clearing: 0n,
      fees: 0n,
      funding: owed - whole,
      insurance: whole - missing,
    });
    holding.margin = margin;
    holding.fundingIndex = to;
    this.#margins.changed(holding, this.#spec.id, { cause: 'funding', realised: 0n, fee: 0n, funding: owed, moves });
  }

  /** One side of a trade. @returns its fee */
  #filled(party: Party, side: Side, ticks: number, lots: number, value: bigint): bigint {
    const holding = this.holding(party.owner, legOf(side, party.terms));
    const { makerPpm, takerPpm } = this.#spec.perpetual;
    const term = party.isMaker ? undefined : this.opening;
    const fee = feeOf(value, party.isMaker || term !== undefined ? makerPpm : takerPpm);
    const released = party.isMaker ? this.#take(holding, party.terms, side, ticks, lots, value) : 0n;
    const cause = party.owner === this.liquidated && !party.isMaker ? 'liquidation' : 'trade';
    this.#settle(holding, { direction: side === BUY ? LONG : SHORT, ticks, lots, fee, released, cause, term });
    return fee;
  }

  #settle(holding: Holding, { direction, ticks, lots, fee, released, cause, term }: Settled): void {
    this.touch(holding);
    this.#countOpen(holding, -1);
    const before = holding.position;
    const closing = before !== undefined && before.direction !== direction ? Math.min(lots, before.lots) : 0;
    const opening = lots - closing;
    let available = released - fee;
    let { margin } = holding;
    let realised = 0n;
    let missing = 0n;
    if (before !== undefined && closing > 0) {
      const reduced = reduce(this.terms, before, ticks, closing);
      ({ realised } = reduced);
      const isAll = reduced.left === undefined || margin === 0n;
      const share = isAll ? margin : (margin * BigInt(closing)) / BigInt(before.lots);
      margin -= share;
      const back = share + realised;
      if (!holding.isIsolated || back >= 0n) available += back;
      else {
        // A loss beyond the share comes from the rest of the margin, and from nothing else of the owner's.
        const rest = margin + back;
        margin = rest > 0n ? rest : 0n;
        missing = rest < 0n ? -rest : 0n;
      }
      holding.position = reduced.left;
      if (reduced.left === undefined) holding.term = undefined;
    }
    if (opening > 0) {
      holding.term ??= term;
      holding.position = increase(this.terms, holding.position, direction, ticks, opening);
      if (holding.isIsolated) {
        const own = initialMargin(notionalOf(this.terms, ticks, opening), holding.leverage);
        margin += own;
        available -= own;
      }
    }
    const moves = this.#post(holding, {
      available,
      held: -released,
      margin: margin - holding.margin,
      clearing: -realised,
      fees: fee,
      funding: 0n,
      insurance: -missing,
    });
    holding.margin = margin;
    holding.fundingIndex = holding.position === undefined ? 0n : this.fundingIndex;
    this.#countOpen(holding, 1);
    this.#margins.holdings.list(holding);
    this.#margins.traded.add(holding);
    this.#margins.changed(holding, this.#spec.id, { cause, realised, fee, funding: 0n, moves });
  }

  #countOpen({ position }: Holding, sign: 1 | -1): void {
    if (position?.direction === LONG) this.openLots += sign * position.lots;
  }

  /** Takes lots of a resting order out of what orders add up to. @returns what they have reserved */
  #take(holding: Holding, terms: number, side: Side, ticks: number, lots: number, value: bigint): bigint {
    const reduces = isReducing(terms);
    addOrder(holding, side, reduces, -lots, -value);
    return reduces ? 0n : this.#values.reserve(holding.leverage, ticks, lots);
  }

  #post(holding: Holding, moved: Moved): readonly Posting[] {
    const postings = postingsOf(this.#accounts.ownerNumber(holding.owner), this.#asset, moved);
    this.#ledger.post(postings);
    if (holding.available === 0) holding.available = this.payingAccount(holding.owner);
    if (this.#accounts.balances[holding.available]! < 0n) this.#margins.short.add(holding.available);
    return postings;
  }

  #note(side: Side, value: bigint, lots: number, owner: number, terms: number): void {
    const measured = this.#measured;
    measured.owner = owner;
    measured.side = side;
    measured.leg = legOf(side, terms);
    measured.holding = this.find(owner, measured.leg);
    measured.lots = lots;
    measured.value = value;
    measured.isReducing = isReducing(terms);
  }

  #setCost(cost: bigint): void {
    this.#measured.cost = this.#measured.isReducing ? 0n : cost;
    this.amounts[COST] = this.#measured.cost;
  }

  /** Adds what was measured to what the owner's orders add up to, or takes it away. */
  #count(sign: 1 | -1): void {
    const measured = this.#measured;
    const { owner, side, leg, lots, value, isReducing: reduces } = measured;
    measured.holding ??= this.holding(owner, leg);
    addOrder(measured.holding, side, reduces, sign * lots, sign > 0 ? value : -value);
  }
}
