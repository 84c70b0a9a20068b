/**
 * The only place where balances change: one function for each business event, each of which moves what it takes from
 * one account to others, so that every asset sums to zero by construction. What was moved is left in `amounts` or
 * returned, for the event log to keep.
 *
 * Amounts are int64. `BigInt.asIntN(64, …)` around the arithmetic lets V8 use machine words; it never wraps a value,
 * because markets are validated so that no notional overflows and issuance is limited so that no balance can.
 */

import { InvariantError } from '../invariant.ts';
import type { MarketSpec } from '../money/market.ts';
import { baseUnitsPerLot, quoteUnitsPerTickLot } from '../money/notional.ts';
import type { Party, Settlement } from '../orders/settlement.ts';
import { BUY, SELL, type Side } from '../terms/order-terms.ts';
import type { RejectReason } from '../terms/outcome.ts';
import { type Posting, SystemOwner, Wallet } from './account.ts';
import { type AccountTable, HELD_BESIDE } from './account-table.ts';
import { feeAfterCredit, feeOf } from './fee.ts';

/**
 * The most that one system account can put into circulation, in units of an asset. There are fewer than eight such
 * accounts, so all clients together stay below 2^63 and no single balance can overflow.
 */
export const MAXIMUM_ISSUED = 2n ** 60n;

/** What settling needs to know of a market, computed once. */
interface SettlementTerms {
  readonly baseAsset: number;
  readonly quoteAsset: number;
  /** By the side that pays: quote units per tick × lot, base units per lot. Reading an array costs no object. */
  readonly units: BigInt64Array;
  /** The accounts that collect fees. */
  readonly baseFees: number;
  readonly quoteFees: number;
}

/** Indexes of a settled trade's figures in `Ledger.amounts`. */
export const TradeAmount = {
  QUOTE: 0,
  BASE: 1,
  BUYER_FEE: 2,
  SELLER_FEE: 3,
  BUYER_CREDIT: 4,
  SELLER_CREDIT: 5,
} as const;
export const TRADE_AMOUNTS = 6;

// Constants of this module are folded into the compiled code; what is imported or a property is loaded at every use.
const { QUOTE, BASE, BUYER_FEE, SELLER_FEE, BUYER_CREDIT, SELLER_CREDIT } = TradeAmount;
const TO_HELD = HELD_BESIDE;
const BUYS = BUY;
const SELLS = SELL;
/** Where `measure` leaves what an order costs. */
const COST = 0;

export class Ledger {
  /** Figures of the last trade or movement, in smallest units. */
  readonly amounts = new BigInt64Array(TRADE_AMOUNTS);
  readonly #accounts: AccountTable;

  constructor(accounts: AccountTable) {
    this.#accounts = accounts;
  }

  /** How orders and trades of a spot market move money. */
  spotSettlement(market: MarketSpec): Settlement {
    return new SpotSettlement(this, this.#accounts, this.#spotTerms(market));
  }

  #spotTerms(market: MarketSpec): SettlementTerms {
    const fees = this.#accounts.owner(SystemOwner.FEES);
    return {
      baseAsset: market.base.id,
      quoteAsset: market.quote.id,
      units: BigInt64Array.of(quoteUnitsPerTickLot(market), baseUnitsPerLot(market)),
      baseFees: this.#accounts.available(fees, Wallet.SPOT, market.base.id),
      quoteFees: this.#accounts.available(fees, Wallet.SPOT, market.quote.id),
    };
  }

  /** Puts into amounts[0] what lots of an order can cost at its price: quote for a buy, base for a sell. */
  measure(terms: SettlementTerms, side: Side, ticks: number, lots: number): void {
    // A sell counts one tick. Which side comes next is chance, so arithmetic beats a branch: side is 0 or 1.
    const factor = ticks + side * (1 - ticks);
    this.amounts[COST] = BigInt.asIntN(64, BigInt(factor | 0) * BigInt(lots | 0) * terms.units[side]!);
  }

  /** Whether an account has what was measured. */
  affords(account: number): boolean {
    return this.#accounts.balances[account]! >= this.amounts[COST]!;
  }

  /** Order hold: available → held, what was measured. */
  hold(available: number): void {
    this.#move(available, available + TO_HELD);
  }

  /** Order release: held → available, what was measured. */
  release(available: number): void {
    this.#move(available + TO_HELD, available);
  }

  /**
   * Trade: quote from buyer to seller, base from seller to buyer, each less a fee for the exchange, which fee credit
   * pays first.
   */
  trade(terms: SettlementTerms, ticks: number, lots: number, buyer: Party, seller: Party): void {
    const amounts = this.amounts;
    const quote = BigInt.asIntN(64, BigInt(ticks | 0) * BigInt(lots | 0) * terms.units[BUYS]!);
    const base = BigInt.asIntN(64, BigInt(lots | 0) * terms.units[SELLS]!);
    amounts[QUOTE] = quote;
    amounts[BASE] = base;
    amounts[BUYER_FEE] = feeOf(base, buyer.feePpm);
    amounts[SELLER_FEE] = feeOf(quote, seller.feePpm);
    amounts[BUYER_CREDIT] = 0n;
    amounts[SELLER_CREDIT] = 0n;
    if (this.#accounts.hasCredit(buyer.owner)) this.#useCredit(terms, buyer, BUYER_FEE, BUYER_CREDIT);
    if (this.#accounts.hasCredit(seller.owner)) this.#useCredit(terms, seller, SELLER_FEE, SELLER_CREDIT);

    const buyerFee = amounts[BUYER_FEE]!;
    const sellerFee = amounts[SELLER_FEE]!;
    const credits = BigInt.asIntN(64, amounts[BUYER_CREDIT]! + amounts[SELLER_CREDIT]!);
    const quoteFees = BigInt.asIntN(64, sellerFee + credits);
    // An account is used once a posting names it; a posting of nothing is not written.
    this.#accounts.use(buyer.paying);
    this.#accounts.use(seller.paying);
    if (sellerFee !== quote) this.#accounts.use(seller.receiving);
    if (buyerFee !== base) this.#accounts.use(buyer.receiving);
    if (buyerFee !== 0n) this.#accounts.use(terms.baseFees);
    if (quoteFees !== 0n) this.#accounts.use(terms.quoteFees);

    // Taken only here: an account that credit was looked for in may have been new, and the table may have grown.
    const { balances } = this.#accounts;
    const quoteLeft = BigInt.asIntN(64, balances[buyer.paying]! - quote);
    const baseLeft = BigInt.asIntN(64, balances[seller.paying]! - base);
    balances[buyer.paying] = quoteLeft;
    balances[seller.paying] = baseLeft;
    if (quoteLeft < 0n) throw this.#overdrawn(buyer.paying);
    if (baseLeft < 0n) throw this.#overdrawn(seller.paying);
    balances[seller.receiving] = BigInt.asIntN(64, balances[seller.receiving]! + quote - sellerFee);
    balances[buyer.receiving] = BigInt.asIntN(64, balances[buyer.receiving]! + base - buyerFee);
    balances[terms.baseFees] = BigInt.asIntN(64, balances[terms.baseFees]! + buyerFee);
    balances[terms.quoteFees] = BigInt.asIntN(64, balances[terms.quoteFees]! + quoteFees);
  }

  /** Whether an account may pay an amount: a client what it has, a system owner down to −MAXIMUM_ISSUED. */
  mayPay(from: number, amount: bigint, isClientOwner: boolean): boolean {
    const left = this.#accounts.balances[from]! - amount;
    return left >= (isClientOwner ? 0n : -MAXIMUM_ISSUED);
  }

  /** Moves an amount that `mayPay` allowed. */
  pay(from: number, to: number, amount: bigint): void {
    const { balances } = this.#accounts;
    this.#accounts.use(from);
    this.#accounts.use(to);
    balances[from] = balances[from]! - amount;
    balances[to] = balances[to]! + amount;
  }

  /** Makes postings that sum to zero. A client may fall below zero; whoever posts sees to it before the command ends. */
  post(postings: readonly Posting[]): void {
    for (const { account: key, amount } of postings) {
      const account = this.#accounts.account(key);
      this.#accounts.use(account);
      this.#accounts.balances[account] = this.#accounts.balances[account]! + amount;
    }
  }

  /** Adds to an account what an array has at an index. Whoever calls adds what makes it zero in all; see `post`. */
  add(account: number, amounts: BigInt64Array, at: number): void {
    this.#accounts.use(account);
    const { balances } = this.#accounts;
    balances[account] = BigInt.asIntN(64, balances[account]! + amounts[at]!);
  }

  /** The same, taken away. */
  subtract(account: number, amounts: BigInt64Array, at: number): void {
    this.#accounts.use(account);
    const { balances } = this.#accounts;
    balances[account] = BigInt.asIntN(64, balances[account]! - amounts[at]!);
  }

  #move(from: number, to: number): void {
    const { balances } = this.#accounts;
    const amount = this.amounts[COST]!;
    this.#accounts.use(from);
    this.#accounts.use(to);
    const left = BigInt.asIntN(64, balances[from]! - amount);
    balances[from] = left;
    if (left < 0n) throw this.#overdrawn(from);
    balances[to] = BigInt.asIntN(64, balances[to]! + amount);
  }

  /**
   * Pays as much of a fee as the owner's credit covers. The fee is worth ppm of the notional in quote units; what
   * credit pays of that worth comes off the fee in the received asset, in proportion. Rare, so plain bigints serve.
   */
  #useCredit(terms: SettlementTerms, party: Party, feeAt: number, creditAt: number): void {
    const amounts = this.amounts;
    const account = this.#accounts.available(party.owner, Wallet.CREDIT, terms.quoteAsset);
    // After the look-up: a new account may have made the table grow into another buffer.
    const { balances } = this.#accounts;
    const credit = balances[account]!;
    const feeQuote = feeOf(amounts[QUOTE]!, party.feePpm);
    if (credit === 0n || feeQuote === 0n) return;
    let used = feeQuote;
    if (credit < used) used = credit;
    this.#accounts.use(account);
    balances[account] = credit - used;
    amounts[creditAt] = used;
    amounts[feeAt] = feeAfterCredit(amounts[feeAt]!, feeQuote, used);
  }

  #overdrawn(account: number): InvariantError {
    const balance = this.#accounts.balances[account]!;
    return new InvariantError('a client never falls below zero', { account: this.#accounts.key(account), balance });
  }
}

/** Two assets change hands; an order pays with quote to buy and with base to sell. */
class SpotSettlement implements Settlement {
  readonly amounts: BigInt64Array;
  readonly #ledger: Ledger;
  readonly #accounts: AccountTable;
  readonly #terms: SettlementTerms;
  /** By side. */
  readonly #payingAssets: Int32Array;

  constructor(ledger: Ledger, accounts: AccountTable, terms: SettlementTerms) {
    this.amounts = ledger.amounts;
    this.#ledger = ledger;
    this.#accounts = accounts;
    this.#terms = terms;
    this.#payingAssets = Int32Array.of(terms.quoteAsset, terms.baseAsset);
  }

  payingAccount(owner: number, side: Side): number {
    return this.#accounts.spot(owner, this.#payingAssets[side]!);
  }

  receivingAccount(owner: number, side: Side): number {
    return this.#accounts.spot(owner, this.#payingAssets[1 - side]!);
  }

  measure(side: Side, ticks: number, lots: number): void {
    this.#ledger.measure(this.#terms, side, ticks, lots);
  }

  measureValue(side: Side, value: bigint, lots: number): void {
    this.#ledger.measure(this.#terms, side, 1, lots);
    if (side === BUYS) this.amounts[COST] = value;
  }

  problem(paying: number): RejectReason | undefined {
    return this.#ledger.affords(paying) ? undefined : 'INSUFFICIENT_FUNDS';
  }

  restored(): void {
    // What spot orders hold is in the balances, and nothing else is known of them.
  }

  reserve(paying: number): void {
    this.#ledger.hold(paying);
  }

  release(paying: number): void {
    this.#ledger.release(paying);
  }

  fill(ticks: number, lots: number, buyer: Party, seller: Party): void {
    this.#ledger.trade(this.#terms, ticks, lots, buyer, seller);
  }
}
