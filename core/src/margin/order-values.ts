/**
 * What orders of a perpetual are worth and reserve. Orders are small enough for machine words almost always: then no step
 * allocates, and beyond the bound it is counted in bigints of any size.
 */
import { feeOf } from '../ledger/fee.ts';
import { int64, MAXIMUM_AMOUNT } from '../money/amount.ts';
import type { MarketSpec } from '../money/market.ts';
import { baseUnitsPerLot } from '../money/notional.ts';
import { MAXIMUM_INT32 } from '../money/price.ts';
import { initialMargin, notionalOf, type PerpetualTerms } from './perpetual.ts';

/** Below it, in settlement units, neither a value nor what is reserved for it leaves int64. */
const MOST_IN_WORDS = 2 ** 61;

/** A power of two. */
const KEPT_PRICES = 1024;
/** So that the same price at two leverages is kept twice. */
const LEVERAGES_APART = 37;

export class OrderValues {
  readonly #terms: PerpetualTerms;
  /** Settlement units in one tick × one lot, base units in a lot; in an array, so that reading them costs no object. */
  readonly #units: BigInt64Array;
  /** The first of them, for the bound. */
  readonly #unitsPerTickLot: number;
  /** What a lot reserves, by price and leverage: orders are placed, traded and cancelled at few prices for a while. */
  readonly #ofLots = new BigInt64Array(KEPT_PRICES);
  /** Of which price and leverage each of them is. */
  readonly #keptTicks = new Int32Array(KEPT_PRICES);
  readonly #keptLeverages = new Int32Array(KEPT_PRICES);

  constructor(market: MarketSpec, terms: PerpetualTerms) {
    this.#terms = terms;
    this.#units = BigInt64Array.of(terms.unitsPerTickLot, baseUnitsPerLot(market));
    this.#unitsPerTickLot = Number(terms.unitsPerTickLot);
  }

  /** What lots of an order are worth at a price, in settlement units: a valid market has no order that is worth more than int64. */
  of(ticks: number, lots: number): bigint {
    return BigInt.asIntN(64, BigInt(ticks | 0) * BigInt(lots | 0) * this.#units[0]!);
  }

  /** The same of open lots, which may be those of many orders. */
  ofOpen(ticks: number, lots: number): bigint {
    return this.isLarge(ticks, lots) ? int64(notionalOf(this.#terms, ticks, lots)) : this.of(ticks, lots);
  }

  baseUnits(lots: number): bigint {
    return BigInt.asIntN(64, BigInt(lots | 0) * this.#units[1]!);
  }

  /**
   * What an open order that may open a position at a leverage reserves, in settlement units. Neither margin nor fee of a lot is
   * above its value, so that both together are at most twice that of the lots. Written to an array, because an int64 that travels
   * through a call becomes an object.
   */
  reserve(to: BigInt64Array, at: number, leverage: number, ticks: number, lots: number): void {
    if (this.isLarge(ticks, lots)) {
      to[at] = this.#largeReserve(leverage, ticks, lots);
      return;
    }
    const kept = (ticks + leverage * LEVERAGES_APART) & (KEPT_PRICES - 1);
    if (this.#keptTicks[kept] !== ticks || this.#keptLeverages[kept] !== leverage) this.#keep(kept, leverage, ticks);
    to[at] = BigInt.asIntN(64, BigInt(lots | 0) * this.#ofLots[kept]!);
  }

  #keep(kept: number, leverage: number, ticks: number): void {
    const lot = BigInt.asIntN(64, BigInt(ticks | 0) * this.#units[0]!);
    const times = BigInt(leverage | 0);
    const margin = BigInt.asIntN(64, BigInt.asIntN(64, lot + times - 1n) / times);
    this.#ofLots[kept] = BigInt.asIntN(64, margin + feeOf(lot, this.#terms.takerPpm));
    this.#keptTicks[kept] = ticks;
    this.#keptLeverages[kept] = leverage;
  }

  /** No account has as much as int64 has room for, so what is beyond is refused like it. */
  #largeReserve(leverage: number, ticks: number, lots: number): bigint {
    const lot = notionalOf(this.#terms, ticks, 1);
    const reserve = BigInt(lots) * (initialMargin(lot, leverage) + feeOf(lot, this.#terms.takerPpm));
    return reserve > MAXIMUM_AMOUNT ? MAXIMUM_AMOUNT : BigInt.asIntN(64, reserve);
  }

  /** Whether the value may leave machine words. */
  isLarge(ticks: number, lots: number): boolean {
    return lots > MAXIMUM_INT32 || ticks * lots * this.#unitsPerTickLot >= MOST_IN_WORDS;
  }
}
