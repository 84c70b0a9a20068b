/** What the reference exchange knows, in the plainest containers, and the few questions that its rules ask of it. */
import type { WaitingOrder } from '../conditional/conditional-order.ts';
import { BUY, type Side } from '../exchange/command.ts';
import type { ExchangeEvent } from '../exchange/event.ts';
import type { MarketState, OpenOrder } from '../exchange/exchange.ts';
import { invariant } from '../invariant.ts';
import { accountParts, FIRST_CLIENT } from '../ledger/account.ts';
import type { LedgerReason } from '../ledger/event.ts';
import { DEFAULT_MAKER_PPM, DEFAULT_TAKER_PPM } from '../ledger/fee.ts';

export type Resting = { -readonly [Field in keyof OpenOrder]: OpenOrder[Field] };
export type WaitingRecord = { -readonly [Field in keyof WaitingOrder]: WaitingOrder[Field] };
type Mutable<Record> = { -readonly [Field in keyof Record]: Record[Field] };

export interface Fees {
  readonly makerPpm: number;
  readonly takerPpm: number;
}

export type Posting = readonly [accountKey: number, amount: bigint];

export class ReferenceState {
  balances = new Map<number, bigint>();
  orders: Resting[] = [];
  waiting: WaitingRecord[] = [];
  /** Told of every trade's price; a trial run tells nobody. */
  onPrice: (time: number, market: number, price: number) => void = () => undefined;
  fees = new Map<number, Fees>();
  markets = new Map<number, Mutable<MarketState>>();
  lastOrderId = 0;
  lastTradeId = 0;
  lastPriority = 0;
  events: ExchangeEvent[] = [];

  /** A copy on which a rule can try out what would happen. */
  copy(): ReferenceState {
    const copy = new ReferenceState();
    copy.balances = new Map(this.balances);
    copy.orders = this.orders.map((order) => ({ ...order }));
    copy.fees = this.fees;
    copy.markets = new Map([...this.markets].map(([id, state]) => [id, { ...state }]));
    return copy;
  }

  balance(key: number): bigint {
    return this.balances.get(key) ?? 0n;
  }

  feesOf(owner: number): Fees {
    return this.fees.get(owner) ?? { makerPpm: DEFAULT_MAKER_PPM, takerPpm: DEFAULT_TAKER_PPM };
  }

  /** One side of a book: best price first, then oldest first. */
  queue(market: number, side: Side): Resting[] {
    const better = (a: Resting, b: Resting) => (side === BUY ? b.price - a.price : a.price - b.price);
    return this.orders
      .filter((order) => order.market === market && order.side === side)
      .sort((a, b) => better(a, b) || a.priority - b.priority);
  }

  /**
   * One ledger transaction. Postings of nothing are left out; what is left sums to zero for each asset.
   * A trial run may overdraw, which is what it is asked about.
   */
  post(time: number, reason: LedgerReason, reference: number, postings: readonly Posting[], trial: boolean): void {
    const kept = postings.filter(([, amount]) => amount !== 0n);
    const sums = new Map<number, bigint>();
    for (const [key, amount] of kept) {
      const { asset, owner } = accountParts(key);
      const balance = this.balance(key) + amount;
      invariant(trial || owner < FIRST_CLIENT || balance >= 0n, 'a client never falls below zero', { key, balance });
      this.balances.set(key, balance);
      sums.set(asset, (sums.get(asset) ?? 0n) + amount);
    }
    for (const [asset, sum] of sums) invariant(sum === 0n, 'postings sum to zero', { asset, sum, reason });
    const accounts = kept.map(([key]) => key);
    const amounts = kept.map(([, amount]) => amount);
    this.events.push({ kind: 'ledger', time, reason, reference, accounts, amounts });
  }
}
