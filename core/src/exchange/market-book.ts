import type { TriggerWatch } from '../conditional/trigger-watch.ts';
import type { Ledger, SettlementTerms } from '../ledger/ledger.ts';
import { OrderBook } from '../matching/order-book.ts';
import type { OrderPool } from '../matching/order-pool.ts';
import type { MarketSpec } from '../money/market.ts';
import { maximumTicks } from '../money/notional.ts';
import { BUY, type RejectReason, type Side } from './command.ts';

const MILLION = 1_000_000;

// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const BUYS: Side = BUY;

/** A market with its book, its state and what follows from its scales. */
export class MarketBook {
  readonly spec: MarketSpec;
  /** Place in the exchange's list of markets. */
  readonly place: number;
  readonly book: OrderBook;
  readonly terms: SettlementTerms;
  readonly maximumTicks: number;
  lastPrice = 0;
  markPrice = 0;
  halted = false;
  traded = false;
  /** What waits for the price of the next trade, and for the mark price; undefined while nothing does. */
  lastWatch: TriggerWatch | undefined = undefined;
  markWatch: TriggerWatch | undefined = undefined;
  /** Whether every notional within the sizes is at least the minimum, so that orders needn't be checked. */
  readonly #checksNotional: boolean;
  readonly #minimumNotional: BigInt64Array;
  /** By side. */
  readonly #payingAssets: Int32Array;
  readonly #minimumLots: number;
  readonly #maximumLots: number;
  #bandPrice = 0;
  #lowest = 1;
  #highest: number;

  constructor(spec: MarketSpec, place: number, pool: OrderPool, ledger: Ledger) {
    this.spec = spec;
    this.place = place;
    this.book = new OrderBook(pool);
    this.terms = ledger.settlementTerms(spec);
    this.maximumTicks = maximumTicks(spec);
    this.#highest = this.maximumTicks;
    this.#checksNotional = spec.minimumNotional > 0n;
    this.#payingAssets = Int32Array.of(spec.quote.id, spec.base.id);
    this.#minimumNotional = BigInt64Array.of(spec.minimumNotional);
    this.#minimumLots = spec.minimumLots;
    this.#maximumLots = spec.maximumLots;
  }

  /** The lowest price at which an order may stand or trade: last × (1 − band), rounded up, at least one tick. */
  lowestPrice(): number {
    if (this.#bandPrice !== this.lastPrice) this.#moveBand();
    return this.#lowest;
  }

  /** The highest price at which an order may stand or trade: last × (1 + band), rounded down. */
  highestPrice(): number {
    if (this.#bandPrice !== this.lastPrice) this.#moveBand();
    return this.#highest;
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
    const value = BigInt.asIntN(64, BigInt(price | 0) * BigInt(quantity | 0) * this.terms.units[BUYS]!);
    return value < this.#minimumNotional[0]! ? 'BELOW_MINIMUM_NOTIONAL' : undefined;
  }

  /** The asset that an order of a side pays with. */
  payingAsset(side: Side): number {
    return this.#payingAssets[side]!;
  }

  /** The asset that an order of a side receives. */
  receivedAsset(side: Side): number {
    return this.#payingAssets[1 - side]!;
  }

  /** Safe integers throughout: a price is below 2^31 and a band at most 3 × 10^6, so products stay below 2^53. */
  #moveBand(): void {
    const { priceBandPpm } = this.spec;
    this.#bandPrice = this.lastPrice;
    if (priceBandPpm === 0 || this.lastPrice === 0) {
      this.#lowest = 1;
      this.#highest = this.maximumTicks;
      return;
    }
    this.#lowest = Math.max(1, Math.ceil((this.lastPrice * (MILLION - priceBandPpm)) / MILLION));
    this.#highest = Math.min(this.maximumTicks, Math.floor((this.lastPrice * (MILLION + priceBandPpm)) / MILLION));
  }
}
