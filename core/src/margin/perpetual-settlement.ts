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
import type { AccountTable } from '../ledger/account-table.ts';
import { feeOf } from '../ledger/fee.ts';
import { type Ledger, TradeAmount } from '../ledger/ledger.ts';
import type { MarketSpec, PerpetualSpec } from '../money/market.ts';
import type { Party, Settlement } from '../orders/settlement.ts';
import { BUY, NET, type PositionLeg, SELL, type Side } from '../terms/order-terms.ts';
import type { RejectReason } from '../terms/outcome.ts';
import { TERMS_ARE_EARNED } from '../terms/rules.ts';
import { DEFAULT_LEVERAGE, type Holding } from './holding.ts';
import { type HoldingColumns, legIn } from './holding-columns.ts';
import { closableLots, isBound, isOfSide } from './holdings.ts';
import type { Margins } from './margins.ts';
import { type NeedingMarket, ORDER_VALUE, OrderNeeds } from './order-needs.ts';
import { OrderValues } from './order-values.ts';
import { LONG, largestByLeverage, type PerpetualTerms, perpetualTerms, SHORT } from './perpetual.ts';
import {
  PositionTrades,
  SIDE_DISCOUNT,
  SIDE_FEE,
  SIDE_RELEASED,
  SIDE_VALUE,
  type TradedMarket,
} from './position-trades.ts';
import { INITIAL_PERPETUAL_STATE, type PerpetualState } from './pricing.ts';
import type { PositionTerm, TermChoice } from './term.ts';

const { trade: TRADE, liquidation: LIQUIDATION } = Cause;
const { QUOTE, BASE, BUYER_FEE, SELLER_FEE, BUYER_CREDIT, SELLER_CREDIT } = TradeAmount;
const COST = 0;
// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const [VALUE_OF_SIDE, FEE_OF_SIDE, RELEASED, DISCOUNT] = [SIDE_VALUE, SIDE_FEE, SIDE_RELEASED, SIDE_DISCOUNT];
const MEASURED_VALUE = ORDER_VALUE;

/** What the settlement reads of its market as it trades. */
export interface MarketPrices {
  readonly lastPrice: number;
  readonly markPrice: number;
  readonly book: { readonly bestBid: number };
}

export class PerpetualSettlement implements Settlement, NeedingMarket, TradedMarket {
  readonly amounts: BigInt64Array;
  readonly #index: number;
  readonly #ledger: Ledger;
  readonly #accounts: AccountTable;
  readonly #margins: Margins;
  largest: BigInt64Array = new BigInt64Array(0);
  readonly #asset: number;
  /** What was found last; holdings stay. */
  #found: Holding | undefined = undefined;
  #foundBefore: Holding | undefined = undefined;
  readonly #trades: PositionTrades;
  readonly #needs: OrderNeeds;
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
    this.largest = largestByLeverage(this.terms);
    this.#asset = spec.quote.id;
    this.#trades = new PositionTrades(this, margins);
    this.#needs = new OrderNeeds(this, accounts, margins, this.amounts);
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
    this.largest = largestByLeverage(this.terms);
  }

  get mark(): number {
    const { markPrice, lastPrice } = this.#prices;
    return markPrice === 0 ? lastPrice : markPrice;
  }

  get index(): number {
    return this.state.index;
  }

  get bestBid(): number {
    return this.#prices.book.bestBid;
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
    this.#needs.measure(side, ticks, lots, owner, terms);
  }

  measureValue(side: Side, value: bigint, lots: number, owner: number, terms: number): void {
    this.#needs.measureValue(side, value, lots, owner, terms);
  }

  problem(paying: number, replaced?: { readonly ticks: number; readonly lots: number }): RejectReason | undefined {
    return this.#needs.problem(paying, replaced);
  }

  termProblem(term: TermChoice, lots: number, value: bigint): RejectReason | undefined {
    return this.#needs.termProblem(term, lots, value);
  }

  get mayOpenBelowMaintenance(): boolean {
    return this.#needs.mayOpenBelowMaintenance;
  }

  openingProblem(lots: number, value: bigint, worst: number): RejectReason | undefined {
    return this.#needs.openingProblem(lots, value, worst);
  }

  /** What an order that may open something reserves at a leverage, in settlement units. */
  reserveAt(leverage: number, ticks: number, lots: number): bigint {
    const reserve = new BigInt64Array(1);
    this.values.reserve(reserve, 0, leverage, ticks, lots);
    return reserve[0]!;
  }

  /** Whether an owner has free what an order that may open something would reserve at a price. */
  couldPay(owner: number, leg: PositionLeg, ticks: number, lots: number): boolean {
    const leverage = this.find(owner, leg)?.leverage ?? DEFAULT_LEVERAGE;
    return this.reserveAt(leverage, ticks, lots) <= this.#margins.free(owner, this.#asset);
  }

  /** Whether a term keeps an owner's order of a side from reducing a leg now. */
  isBound(owner: number, side: Side, leg: PositionLeg, time: number): boolean {
    const holding = this.find(owner, leg);
    if (holding === undefined || !holding.hasTerm) return false;
    return closableLots(holding, side) > 0 && isBound(holding, time);
  }

  /** The largest value that a position may have at a leverage. */
  largestAt(leverage: number): bigint {
    return this.largest[leverage]!;
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
    const { side } = this.#trades;
    for (const holding of [first, other]) {
      side.fill(0n);
      side[VALUE_OF_SIDE] = this.values.ofOpen(ticks, lots);
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
    figures[FEE_OF_SIDE] = feeOf(figures[VALUE_OF_SIDE]!, isMaker ? makerPpm : takerPpm);
    figures[RELEASED] = 0n;
    if (term !== undefined) this.#noteDiscount(makerPpm);
    if (isMaker) this.#takeResting(holding, terms, side, ticks, lots);
    const cause = owner === this.liquidated && !isMaker ? LIQUIDATION : TRADE;
    this.#trades.settle(holding, side === BUY ? LONG : SHORT, ticks, lots, cause, term);
  }

  /** Notes what a maker's fee would be less. Older rules took the maker's fee at once. */
  #noteDiscount(makerPpm: number): void {
    const figures = this.#trades.side;
    const makerFee = feeOf(figures[VALUE_OF_SIDE]!, makerPpm);
    const isEarned = this.#margins.rules >= TERMS_ARE_EARNED;
    figures[DISCOUNT] = isEarned && makerFee < figures[FEE_OF_SIDE]! ? figures[FEE_OF_SIDE]! - makerFee : 0n;
    if (!isEarned) figures[FEE_OF_SIDE] = makerFee;
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

  /** Adds what was measured to what the owner's orders add up to, or takes it away. */
  #count(sign: 1 | -1): void {
    const { measured, figures } = this.#needs;
    const { owner, side, leg, lots, isReducing: reduces } = measured;
    measured.holding ??= this.holding(owner, leg);
    if (reduces) measured.holding.addReducing(side, sign * lots);
    else measured.holding.addOrder(side, sign * lots, figures, MEASURED_VALUE);
  }
}
