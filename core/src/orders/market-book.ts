import type { MarketLimits } from '../instruments/commands.ts';
import { type Delisting, type MarketPause, type MarketState, PAUSE_MS } from '../instruments/market-state.ts';
import type { PerpetualSettlement } from '../margin/perpetual-settlement.ts';
import { restingPrice } from '../margin/thresholds.ts';
import { OrderBook } from '../matching/order-book.ts';
import type { OrderPool } from '../matching/order-pool.ts';
import { highestInBand, lowestInBand, type MarketSpec, type PerpetualSpec } from '../money/market.ts';
import { maximumTicks, quoteUnitsPerTickLot } from '../money/notional.ts';
import { movedReference, movesFrom, REFERENCE_SCALE, referenceTicks, toldReference } from '../money/reference-price.ts';
import { BUY, type Side } from '../terms/order-terms.ts';
import type { RejectReason } from '../terms/outcome.ts';
import { BAND_FROM_REFERENCE, BAND_PAUSES, LOSSES_TOGETHER, TRIGGERS_ARE_CONFIRMED } from '../terms/rules.ts';
import type { LastWatch } from './conditional/last-watch.ts';
import { hasPassed, heldAt, NONE_PASSED, type PassedPrices } from './conditional/passed-prices.ts';
import type { TriggerWatch } from './conditional/trigger-watch.ts';
import type { Settlement } from './settlement.ts';

// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const BUYS: Side = BUY;

interface Clock {
  /** Ms. */
  readonly time: number;
}

/** A market with its book, its state and what follows from its scales. */
export class MarketBook {
  spec: MarketSpec;
  /** Index of the market: what books and records count markets by. */
  readonly index: number;
  readonly book: OrderBook;
  readonly settlement: Settlement;
  /** The settlement of a perpetual; undefined for a spot market. */
  readonly perpetual: PerpetualSettlement | undefined;
  /** Quote units of one tick × lot; an array of one, so that reading it costs no object. */
  readonly quoteUnits: BigInt64Array;
  maximumTicks = 0;
  lastPrice = 0;
  markPrice = 0;
  halted = false;
  traded = false;
  delisted = false;
  delisting: Delisting | undefined = undefined;
  pause: MarketPause | undefined = undefined;
  /** Triggers that the last price has passed and that are not confirmed yet. */
  passed: PassedPrices = NONE_PASSED;
  /** As `ReferenceState` has them; a perpetual has a mark instead. */
  reference = 0;
  referenceAt = 0;
  /** Whether the band is measured from the reference, under the rules at hand. */
  #isReferenced = false;
  #mayPause = false;
  /** Whether what waits for the last price is triggered by more than one trade. */
  confirmsTriggers = false;
  /** The time of the command at hand. */
  readonly #clock: Clock;
  /** What is triggered by the price of the next trade, by the mark price, and by the index; undefined while nothing is. */
  lastWatch: LastWatch | undefined = undefined;
  markWatch: TriggerWatch | undefined = undefined;
  indexWatch: TriggerWatch | undefined = undefined;
  /** Whether a notional within the sizes can be below the minimum, so that orders have to be checked. */
  #checksNotional = false;
  readonly #minimumNotional = new BigInt64Array(1);
  #minimumLots = 0;
  #maximumLots = 0;
  #bandPpm = 0;
  #bandPrice = 0;
  #lowest = 1;
  #highest = 0;

  constructor(
    spec: MarketSpec,
    index: number,
    pool: OrderPool,
    settlement: Settlement,
    clock: Clock,
    perpetual?: PerpetualSettlement,
  ) {
    this.#clock = clock;
    this.spec = spec;
    this.index = index;
    this.book = new OrderBook(pool);
    this.settlement = settlement;
    this.perpetual = perpetual;
    perpetual?.follow(this);
    this.quoteUnits = BigInt64Array.of(quoteUnitsPerTickLot(spec));
    this.setLimits(spec);
  }

  get state(): MarketState {
    const { lastPrice, markPrice, halted, traded, delisted, reference, referenceAt, pause, passed, delisting } = this;
    return {
      lastPrice,
      markPrice,
      halted,
      traded,
      delisted,
      reference,
      referenceAt,
      ...(pause && { pause }),
      ...(hasPassed(passed) && { passed }),
      ...(delisting && { delisting }),
    };
  }

  /** Whether any order is in the book. */
  get hasResting(): boolean {
    return this.book.bestBid !== 0 || this.book.bestAsk !== 0;
  }

  /** The version under which commands are applied. */
  follow(rules: number): void {
    this.#isReferenced = rules >= BAND_FROM_REFERENCE && this.perpetual === undefined;
    this.confirmsTriggers = rules >= TRIGGERS_ARE_CONFIRMED;
    this.#mayPause = rules >= BAND_PAUSES && this.perpetual === undefined;
    this.#bandPrice = -1;
  }

  /** The reference at the time of the command, in ticks; the last price under older rules. */
  referencePrice(): number {
    return this.#isReferenced ? referenceTicks(this, this.lastPrice, this.#clock.time) : this.lastPrice;
  }

  /**
   * Takes the price of a trade that is not the last price yet.
   * @returns the reference after it, in parts of a tick; 0 where it has not changed
   */
  tradeAt(price: number): number {
    const before = this.lastPrice;
    this.lastPrice = price;
    if (!this.#isReferenced) return 0;
    const from = movesFrom(this.referenceAt, this.#clock.time);
    const elapsed = this.#clock.time - from;
    if (this.reference !== 0 && elapsed <= 0 && from === this.referenceAt) return 0;
    this.reference =
      this.reference === 0 ? (before || price) * REFERENCE_SCALE : movedReference(this.reference, before, elapsed);
    this.referenceAt = this.#clock.time;
    return this.reference;
  }

  /** What else must have passed a trigger by the last price, ticks: the mark, or a fresh price from outside; 0 while there is none. */
  confirmingPrice(): number {
    if (this.perpetual !== undefined) return this.markPrice;
    return movesFrom(this.referenceAt, this.#clock.time) > this.#clock.time ? this.referencePrice() : 0;
  }

  /** Whether the last price has been beyond triggers for so long that they are due now. */
  get isHeld(): boolean {
    const at = heldAt(this.passed);
    return at !== undefined && at <= this.#clock.time && !this.halted && !this.isPaused;
  }

  /** Whether the end of the band pauses it. */
  get pauses(): boolean {
    return this.#mayPause && this.#bandPpm > 0;
  }

  get isPaused(): boolean {
    const { time } = this.#clock;
    // One that has not begun was written by a clock that was ahead.
    return this.pause !== undefined && time < this.pause.until && time >= this.pause.until - PAUSE_MS;
  }

  /** Whether it is about to end, and clients can only reduce what they have. */
  get isCloseOnly(): boolean {
    return this.delisting !== undefined && this.#clock.time >= this.delisting.closeOnlyAt;
  }

  /** Afterwards the reference is the last price, unless another is told meanwhile. */
  startPause(until: number, isAbove: boolean): void {
    this.pause = { until, reference: this.bandPrice(), isAbove };
    this.reference = this.lastPrice * REFERENCE_SCALE;
    this.referenceAt = until;
  }

  /** Takes a price from outside for the reference. */
  tellReference(price: number): void {
    if (!this.#isReferenced) return;
    const { reference, referenceAt } = toldReference(price, this.#clock.time);
    this.reference = reference;
    this.referenceAt = referenceAt;
  }

  restore({
    lastPrice,
    markPrice,
    halted,
    traded,
    delisted,
    reference,
    referenceAt,
    pause,
    passed,
    delisting,
  }: MarketState): void {
    this.delisting = delisting;
    this.pause = pause;
    this.passed = passed ?? NONE_PASSED;
    this.reference = reference;
    this.referenceAt = referenceAt;
    this.lastPrice = lastPrice;
    this.markPrice = markPrice;
    this.halted = halted;
    this.traded = traded;
    this.delisted = delisted;
  }

  /** New fees and tiers, which are known to be valid. */
  setPerpetual(perpetual: PerpetualSpec): void {
    this.spec = { ...this.spec, perpetual };
    this.perpetual?.change(perpetual);
  }

  /** Takes limits that are known to be valid. */
  setLimits({ minimumLots, maximumLots, minimumNotional, priceBandPpm }: MarketLimits): void {
    this.spec = { ...this.spec, minimumLots, maximumLots, minimumNotional, priceBandPpm };
    this.maximumTicks = maximumTicks(this.spec);
    this.#checksNotional = minimumNotional > 0n;
    this.#minimumNotional[0] = minimumNotional;
    this.#minimumLots = minimumLots;
    this.#maximumLots = maximumLots;
    this.#bandPpm = priceBandPpm;
    this.#moveBand();
  }

  /** The lowest price at which an order may stand or trade: reference × (1 − band), rounded up, at least one tick. */
  lowestPrice(): number {
    this.#followMiddle();
    return this.#lowest;
  }

  /** The highest price at which an order may stand or trade: reference × (1 + band), rounded down. */
  highestPrice(): number {
    this.#followMiddle();
    return this.#highest;
  }

  /** Whether an order may wait at a price; in a perpetual not much further beyond the mark than one that trades there bears. */
  mayRest(side: Side, price: number, rules: number): boolean {
    if (this.perpetual === undefined || this.markPrice === 0 || rules < LOSSES_TOGETHER) return true;
    const worst = restingPrice(this.perpetual.terms, side, this.markPrice);
    return side === BUYS ? price <= worst : price >= worst;
  }

  /** The worst price that an order of a side may accept within the band. */
  worstPrice(side: Side): number {
    return side === BUYS ? this.highestPrice() : this.lowestPrice();
  }

  /** What is wrong with the terms of a limit order in themselves, the band and the book apart. */
  limitProblem(price: number, quantity: number): RejectReason | undefined {
    if ((price | 0) !== price || price < 1 || price > this.maximumTicks) return 'INVALID_PRICE';
    return this.quantityProblem(quantity) ?? this.notionalProblem(price, quantity);
  }

  quantityProblem(quantity: number): RejectReason | undefined {
    // Most quantities are good; one comparison with the 31-bit truth says whether a number is whole and small.
    if ((quantity | 0) === quantity && quantity >= this.#minimumLots && quantity <= this.#maximumLots) return undefined;
    if (!Number.isSafeInteger(quantity) || quantity < 1) return 'INVALID_QUANTITY';
    return quantity < this.#minimumLots ? 'BELOW_MINIMUM_SIZE' : 'ABOVE_MAXIMUM_SIZE';
  }

  notionalProblem(price: number, quantity: number): RejectReason | undefined {
    if (!this.#checksNotional) return undefined;
    const value = BigInt.asIntN(64, BigInt(price | 0) * BigInt(quantity | 0) * this.quoteUnits[0]!);
    return value < this.#minimumNotional[0]! ? 'BELOW_MINIMUM_NOTIONAL' : undefined;
  }

  /** What the band is measured from. In a perpetual it is the mark, which bounds what a loss on purpose can be. */
  bandPrice(): number {
    return this.perpetual !== undefined && this.markPrice !== 0 ? this.markPrice : this.referencePrice();
  }

  #followMiddle(): void {
    if (this.#bandPrice !== this.bandPrice()) this.#moveBand();
  }

  #moveBand(): void {
    const priceBandPpm = this.#bandPpm;
    const middle = this.bandPrice();
    this.#bandPrice = middle;
    if (priceBandPpm === 0 || middle === 0) {
      this.#lowest = 1;
      this.#highest = this.maximumTicks;
      return;
    }
    this.#lowest = lowestInBand(middle, priceBandPpm);
    this.#highest = Math.min(this.maximumTicks, highestInBand(middle, priceBandPpm));
  }
}
