/**
 * A seeded flow of orders for measuring order books. It is made by running the exchange itself as an oracle, so that
 * cancels and amends name orders that are open, the book keeps its size, and the trades that must come out are known.
 */

import type { Command } from '@cambist/core/exchange/command.ts';
import { createExchange, type FastExchange } from '@cambist/core/exchange/create-exchange.ts';
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import { issue } from '@cambist/core/ledger/issue.ts';
import { MAXIMUM_AMOUNT } from '@cambist/core/money/amount.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { BTC_USDT, listing } from '@cambist/core/simulation/markets.ts';
import { Random } from '@cambist/core/simulation/random.ts';
import { BUY, SELL, type Side } from '@cambist/core/terms/order-terms.ts';
import { TallyReader } from './engine-tally.ts';

export const MARKET: MarketSpec = BTC_USDT;
const MIDDLE = 640_000;
const TRADERS = 1_000;
const FIRST_TRADER = 1_000;
/**
 * The first of the traders only make markets: amends are theirs, and they never take. The book compared with forgets
 * whose an amended order is, so a self-trade with one would be prevented here and not there.
 */
const MARKET_MAKERS = 100;
const FUNDS = 1_000_000_000_000_000n;
const LARGEST_ORDER = 2_000;

export interface FlowOptions {
  readonly seed: number;
  /** Orders that rest in the book, before and during the run. */
  readonly resting: number;
  /** Commands after the book is filled. */
  readonly commands: number;
  /** Mean distance of a new resting order from the best price of the other side, in ticks. */
  readonly meanDistance: number;
}

/** One thing to do, in words that any order book understands. */
export interface FlowStep {
  readonly kind: 'limit' | 'cancel' | 'market' | 'amend';
  readonly orderId: number;
  readonly owner: number;
  readonly side: Side;
  readonly price: number;
  /** Lots; for an amend the total, what is filled included. */
  readonly quantity: number;
  /** For an amend: lots that remain after it. */
  readonly remaining: number;
}

export interface Flow {
  /** Fills the book. */
  readonly prefill: readonly FlowStep[];
  readonly steps: readonly FlowStep[];
}

/** The same market as a perpetual: what trades in one trades in the other, as nobody comes near any limit of margin. */
export const PERPETUAL: MarketSpec = {
  ...MARKET,
  perpetual: {
    ...{ makerPpm: 800, takerPpm: 1_000, markClampPpm: 0 },
    tiers: [{ maximumNotional: MAXIMUM_AMOUNT, maximumLeverage: 50, maintenancePpm: 5_000 }],
    funding: { intervalMs: 28_800_000, interestPpb: 0, dampPpb: 0, capPpb: 0, impactValue: 1n },
  },
};

/** An exchange with the flow's market listed. */
export function openMarket(market = MARKET): FastExchange {
  const exchange = createExchange();
  for (const command of listing([market])) exchange.apply(0, command);
  if (market.perpetual !== undefined) exchange.apply(0, { kind: 'set-index-price', market: market.id, price: MIDDLE });
  return exchange;
}

/** Gives every trader of the flow enough of both assets, and in the wallet of futures. */
export function fundTraders(exchange: Exchange): void {
  for (let owner = FIRST_TRADER; owner < FIRST_TRADER + TRADERS; owner += 1) {
    exchange.restoreBalance(accountKey(owner, Wallet.FUTURE, Bucket.AVAILABLE, MARKET.quote.id), FUNDS);
    for (const { id } of [MARKET.base, MARKET.quote]) {
      exchange.apply(0, issue('development-credit', owner, id, FUNDS));
    }
  }
  exchange.apply(0, { kind: 'set-reference-price', market: MARKET.id, price: MIDDLE });
  exchange.takeEvents();
}

/** A step as a command of the exchange. Self-trade prevention is on: the resting order gives way. */
export function commandOf(step: FlowStep): Command {
  const { orderId, owner, side, price, quantity } = step;
  switch (step.kind) {
    case 'limit':
    case 'market':
      return {
        kind: 'place-order',
        orderId,
        owner,
        market: MARKET.id,
        side,
        type: step.kind,
        timeInForce: step.kind === 'limit' ? 'GTC' : 'IOC',
        price,
        quantity,
        quoteTotal: 0n,
        selfTrade: 'CANCEL_OLDEST',
      };
    case 'cancel':
      return { kind: 'cancel-order', orderId, owner };
    case 'amend':
      return { kind: 'amend-order', orderId, owner, price, quantity };
  }
}

/** Makes a flow: 55 % limit orders, 38 % cancels, 5 % market orders and 2 % amends, as near as the book allows. */
export function makeFlow(options: FlowOptions): Flow {
  const maker = new FlowMaker(options);
  const prefill = Array.from({ length: options.resting }, () => maker.passive());
  const steps = Array.from({ length: options.commands }, () => maker.next());
  return { prefill, steps };
}

class FlowMaker {
  readonly #random: Random;
  readonly #options: FlowOptions;
  readonly #exchange = openMarket();
  /** Ids that may still be open, in no order. */
  readonly #open: number[] = [];
  readonly #amendable: number[] = [];
  readonly #reader = new TallyReader();
  #lastOrderId = 0;

  constructor(options: FlowOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    fundTraders(this.#exchange);
  }

  next(): FlowStep {
    const dice = this.#random.fraction() * 100;
    if (dice < 55) return this.#random.chance(this.#crossingPercent()) ? this.#crossing() : this.passive();
    if (dice < 93) return this.#cancel();
    if (dice < 98) return this.#market();
    return this.#amend();
  }

  /** An order that rests, most of them near the touch: distances are exponential. */
  passive(): FlowStep {
    const side = this.#side();
    return this.#place('limit', side, this.#passivePrice(side), 0);
  }

  #crossing(): FlowStep {
    const side = this.#side();
    const best = this.#exchange.bestPrice(MARKET.id, side === BUY ? SELL : BUY);
    const reach = this.#random.between(0, 3);
    return this.#place('limit', side, side === BUY ? best + reach : best - reach, MARKET_MAKERS);
  }

  #market(): FlowStep {
    return this.#place('market', this.#side(), 0, MARKET_MAKERS);
  }

  #cancel(): FlowStep {
    const orderId = this.#pickOpen(this.#open, true);
    const { owner, side } = this.#exchange.openOrder(orderId)!;
    return this.#apply({ kind: 'cancel', orderId, owner, side, price: 0, quantity: 0, remaining: 0 });
  }

  /** A new price that does not trade and a new size: the order goes to the end of another queue. */
  #amend(): FlowStep {
    const order = this.#exchange.openOrder(this.#pickOpen(this.#amendable, false))!;
    const { orderId, owner, side } = order;
    const remaining = this.#random.between(10, LARGEST_ORDER);
    const quantity = order.quantity - order.remaining + remaining;
    let price = this.#passivePrice(side);
    while (price === order.price) price = this.#passivePrice(side);
    return this.#apply({ kind: 'amend', orderId, owner, side, price, quantity, remaining });
  }

  #place(kind: 'limit' | 'market', side: Side, price: number, firstTrader: number): FlowStep {
    this.#lastOrderId += 1;
    const orderId = this.#lastOrderId;
    const owner = FIRST_TRADER + this.#random.between(firstTrader, TRADERS - 1);
    const quantity = this.#random.between(10, LARGEST_ORDER);
    return this.#apply({ kind, orderId, owner, side, price, quantity, remaining: quantity });
  }

  #apply(step: FlowStep): FlowStep {
    const outcome = this.#exchange.apply(1, commandOf(step));
    if (!outcome.ok) throw new Error(`the flow made a step that is refused: ${step.kind} ${outcome.reason}`);
    if (step.kind === 'limit' && this.#exchange.openOrder(step.orderId) !== undefined) {
      this.#open.push(step.orderId);
      if (step.owner < FIRST_TRADER + MARKET_MAKERS) this.#amendable.push(step.orderId);
    }
    this.#reader.drain(this.#exchange);
    return step;
  }

  /** An open order from a list, taken out of the list if wanted; those that are closed are forgotten on the way. */
  #pickOpen(list: number[], remove: boolean): number {
    for (;;) {
      const place = this.#random.between(0, list.length - 1);
      const orderId = list[place]!;
      const open = this.#exchange.openOrder(orderId) !== undefined;
      if (remove || !open) {
        list[place] = list.at(-1)!;
        list.pop();
      }
      if (open) return orderId;
    }
  }

  #side(): Side {
    return this.#random.chance(50) ? BUY : SELL;
  }

  #passivePrice(side: Side): number {
    const best = this.#exchange.bestPrice(MARKET.id, side === BUY ? SELL : BUY) || MIDDLE;
    const distance = 1 + Math.floor(-Math.log(1 - this.#random.fraction()) * this.#options.meanDistance);
    const price = side === BUY ? best - distance : best + distance;
    // Orders outside the band would be refused by one book and not by others.
    return Math.min(Math.max(price, MIDDLE - 20_000), MIDDLE + 20_000);
  }

  /** About 11 % keeps adds, cancels and fills in balance; more when the book is too full, less when too empty. */
  #crossingPercent(): number {
    const { resting } = this.#options;
    return Math.max(1, 11 + (200 * (this.#exchange.openOrderCount() - resting)) / resting);
  }
}
