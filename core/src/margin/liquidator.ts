/**
 * Liquidation. A position that has no more than it must have is closed by orders that are never worse than the price at which
 * nothing of its owner's is left, tier by tier: less value needs less margin. Where the mark is beyond that, the insurance pays the
 * way to the mark, as far as it has something. What no order takes is closed against the positions of the other side that have won most.
 */
import type { EventLog } from '../events/event-log.ts';
import { Ending, legOf } from '../events/event-record.ts';
import { Cause } from '../events/position-records.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import { type AccountTable, HELD_BESIDE } from '../ledger/account-table.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { OrderPool } from '../matching/order-pool.ts';
import { MAXIMUM_INT32 } from '../money/price.ts';
import type { MarketBook } from '../orders/market-book.ts';
import type { OrderProcessor } from '../orders/order-processor.ts';
import type { TwapProcessor } from '../orders/twap/twap-processor.ts';
import { BUY, SELL, type Side } from '../terms/order-terms.ts';
import { OK, type Outcome, refused } from '../terms/outcome.ts';
import { INSURED_TO_MARK } from '../terms/rules.ts';
import type { RunLiquidations } from './commands.ts';
import { deleveragingRank } from './deleveraging.ts';
import { DeleveragingRanks } from './deleveraging-ranks.ts';
import type { Holding } from './holding.ts';
import { byPlace, closingSide, profitOf, requiredOf, worthOf } from './holdings.ts';
import { type Account, LiquidationQueue } from './liquidation-queue.ts';
import type { Margins } from './margins.ts';
import { LONG, notionalOf, SHORT, tierOf } from './perpetual.ts';
import type { Position } from './position.ts';
import { bankruptcyPrice, insuredPrice } from './thresholds.ts';

/** Accounts that one command may liquidate, at most. */
export const MAXIMUM_LIQUIDATIONS = 1_000;
/** Those that a new mark liquidates with it. */
const AT_ONCE = 20;

export interface LiquidatorDeps {
  readonly pool: OrderPool;
  readonly accounts: AccountTable;
  readonly log: EventLog;
  readonly ledger: Ledger;
  readonly margins: Margins;
  readonly orders: OrderProcessor;
  readonly twaps: TwapProcessor;
  /** By index. */
  readonly books: readonly MarketBook[];
}

/** Lots, and what they have brought. */
interface Sold {
  readonly lots: number;
  readonly value: bigint;
}

interface Open {
  readonly holding: Holding;
  readonly position: Position;
}

export class Liquidator {
  readonly #deps: LiquidatorDeps;
  readonly #queue: LiquidationQueue;
  readonly #ranks: DeleveragingRanks;

  constructor(deps: LiquidatorDeps) {
    this.#deps = deps;
    this.#queue = new LiquidationQueue(deps);
    this.#ranks = new DeleveragingRanks(deps, (holding) => this.rank(holding));
  }

  /** Goes on with what a new mark has left. */
  run({ maximum }: RunLiquidations): Outcome {
    if (!Number.isInteger(maximum) || maximum < 1 || maximum > MAXIMUM_LIQUIDATIONS) return refused('INVALID_QUANTITY');
    this.#liquidate(maximum);
    return OK;
  }

  /** After a new mark. */
  follow(): void {
    this.#ranks.forget();
    this.#liquidate(AT_ONCE);
  }

  /** Whether anything is to be liquidated that no command has reached yet. */
  get isPending(): boolean {
    this.#queue.collect();
    return this.#next() !== undefined;
  }

  #liquidate(maximum: number): void {
    this.#queue.collect();
    for (let left = maximum; left > 0; left -= 1) {
      const account = this.#next();
      if (account === undefined) return;
      this.#close(account);
    }
  }

  /** The first account that is to be liquidated; those before it wait for other prices. */
  #next(): Account | undefined {
    for (let account = this.#queue.first; account !== undefined; account = this.#queue.first) {
      const open = this.#openOf(account);
      const beyond = this.#beyond(account, open);
      if (beyond !== undefined && beyond <= 0n) return account;
      this.#queue.settle(open, beyond);
    }
    return undefined;
  }

  /** Ascending by market, long before short, whatever came first: after a start it is no longer known. */
  #openOf({ owner, asset, isolated }: Account): Open[] {
    const holdings = this.#deps.margins.holdings.ofOwner(owner);
    return holdings
      .filter((one) => (one.isIsolated ? one === isolated : isolated === undefined && one.valuation.asset === asset))
      .toSorted(byPlace((market) => this.#idOf(market)))
      .flatMap((holding) => (holding.position === undefined ? [] : { holding, position: holding.position }));
  }

  #isDue(account: Account): boolean {
    const beyond = this.#beyond(account, this.#openOf(account));
    return beyond !== undefined && beyond <= 0n;
  }

  /** What an account has beyond what it must have; undefined where nothing is open, and while a market keeps that from being said. */
  #beyond(account: Account, open: readonly Open[]): bigint | undefined {
    if (open.length === 0 || !open.every(({ holding }) => this.#queue.isTrading(holding.market))) return undefined;
    return this.#equity(account, open) - required(open);
  }

  /** What an account has: margin or wallet, with what its positions have won and lost. */
  #equity(account: Account, open: readonly Open[] = this.#openOf(account)): bigint {
    return open.reduce((sum, { holding }) => sum + worthOf(holding), this.#backing(account, open));
  }

  #backing({ owner, asset, isolated }: Account, open: readonly Open[]): bigint {
    if (isolated !== undefined) return open[0]?.holding.margin ?? 0n;
    const { accounts } = this.#deps;
    const wallet = accounts.available(owner, Wallet.FUTURE, asset);
    return accounts.balances[wallet]! + accounts.balances[wallet + HELD_BESIDE]!;
  }

  #close(account: Account): void {
    this.#cancelOrders(account);
    for (const { holding } of this.#openOf(account)) this.#deps.books[holding.market]!.perpetual!.touch(holding);
    while (this.#isDue(account)) {
      // That which needs most, and of two the first.
      const [open] = this.#openOf(account).sort((one, other) =>
        Number(requiredOf(other.holding) - requiredOf(one.holding)),
      );
      this.#reduce(account, open!);
    }
  }

  /** Closes what brings a position into the tier below, or all of it. */
  #reduce(account: Account, { holding, position }: Open): void {
    const { terms, mark } = holding.valuation;
    const lots = lotsToClose({ holding, position });
    const value = notionalOf(terms, mark, lots);
    const [market, owner] = [this.#idOf(holding.market), this.#deps.accounts.ownerNumber(holding.owner)];
    const facts = { owner, market, leg: holding.leg, direction: position.direction, lots, mark, value };
    const open = this.#openOf(account);
    const needs = { equity: this.#equity(account, open), required: required(open) };
    this.#deps.log.object({ kind: 'position-liquidated', ...facts, ...needs });
    let left = lots - this.#sell(holding, lots, this.#bankruptcy(account, holding, 0n)).lots;
    const insured = this.#insured(account.asset);
    if (left > 0 && insured > 0n) {
      const owed = this.#bankruptcy(account, holding, 0n);
      const sold = this.#sell(holding, left, this.#worstInsured(account, holding, insured));
      left -= sold.lots;
      if (left > 0 && owed !== undefined) this.#compensate(account, holding, owed, sold);
    }
    if (left > 0) this.#deleverage(account, holding, left);
  }

  /**
   * By an order that is no worse than a price, or by several: a position can be larger than one may be. By none without a price.
   * @returns what they have closed
   */
  #sell(holding: Holding, lots: number, price: number | undefined): Sold {
    if (price === undefined || holding.position === undefined) return { lots: 0, value: 0n };
    const market = this.#deps.books[holding.market]!;
    const perpetual = market.perpetual!;
    const side = closingSide(holding.position);
    let sold: Sold = { lots: 0, value: 0n };
    perpetual.liquidated = holding.owner;
    for (let left = lots; left > 0; ) {
      const part = Math.min(left, MAXIMUM_INT32);
      const { lots: closed, value } = this.#deps.orders.liquidate(market, side, holding, part, price);
      sold = { lots: sold.lots + closed, value: sold.value + value };
      left = closed < part ? 0 : left - part;
    }
    perpetual.liquidated = 0;
    return sold;
  }

  /** The insurance pays what lots have brought less than they owed, so that those who close the rest do not pay for them. */
  #compensate(account: Account, holding: Holding, owed: number, { lots, value }: Sold): void {
    const { position, valuation, isIsolated } = holding;
    if (position === undefined) return;
    const short = (notionalOf(valuation.terms, owed, lots) - value) * BigInt(position.direction);
    const insured = this.#insured(account.asset);
    const amount = short < insured ? short : insured;
    if (amount <= 0n) return;
    const { margins } = this.#deps;
    if (isIsolated) holding.margin += amount;
    const paid = isIsolated ? { MARGIN: amount } : { AVAILABLE: amount };
    margins.change(holding, this.#idOf(holding.market), Cause.compensation, { ...paid, INSURANCE: -amount });
  }

  /** @param help that another would pay */
  #bankruptcy(account: Account, holding: Holding, help: bigint): number | undefined {
    const { position, valuation } = holding;
    if (position === undefined) return undefined;
    const others = this.#equity(account) - profitOf(holding);
    return bankruptcyPrice(valuation.terms, position, others + help);
  }

  /** The worst price at which the insurance closes a position by an order; undefined where the account alone pays for as bad a one. */
  #worstInsured(account: Account, holding: Holding, insured: bigint): number | undefined {
    const price = this.#bankruptcy(account, holding, insured);
    const { position } = holding;
    const { orders, books } = this.#deps;
    if (price === undefined || position === undefined || orders.rules < INSURED_TO_MARK) return price;
    const { makerPpm } = books[holding.market]!.spec.perpetual!;
    return nearer(position, price, insuredPrice(position.direction, holding.valuation.mark, makerPpm));
  }

  /** Where nothing is left, or, where the mark is beyond that, at the mark, as far as the insurance can pay for it. */
  #deleveragingPrice(account: Account, holding: Holding, position: Position): number {
    const { mark } = holding.valuation;
    const bankrupt = this.#bankruptcy(account, holding, 0n) ?? mark;
    const insured = this.#insured(account.asset);
    if (this.#deps.orders.rules < INSURED_TO_MARK || insured <= 0n || nearer(position, bankrupt, mark) === mark)
      return bankrupt;
    return nearer(position, this.#bankruptcy(account, holding, insured) ?? mark, mark);
  }

  /** Against the other side, those first that have won most with least; no order, and no fee. */
  #deleverage(account: Account, holding: Holding, lots: number): void {
    const { position } = holding;
    if (position === undefined) return;
    const price = this.#deleveragingPrice(account, holding, position);
    const market = this.#deps.books[holding.market]!;
    const side = closingSide(position) === BUY ? SELL : BUY;
    let left = lots;
    const opposite = position.direction === LONG ? SHORT : LONG;
    for (const other of this.#ranks.take(holding.market, opposite, holding)) {
      const closed = Math.min(left, other.position!.lots);
      const [against, owner] = [holding, other].map((one) => this.#deps.accounts.ownerNumber(one.owner));
      this.#deps.log.object({
        kind: 'position-deleveraged',
        ...{ owner: owner!, against: against!, market: market.spec.id, leg: other.leg, price, lots: closed },
      });
      market.perpetual!.closeAgainst(holding, other, price, closed, 'deleveraging');
      // Less is open than its owner's orders would close.
      this.#deps.orders.cancels.makeRoom(market, side, other.owner, other.leg, 0);
      left -= closed;
      if (left === 0) return;
    }
  }

  /** Where a position stands among those of its side: higher is closed earlier. */
  rank(holding: Holding): bigint {
    const { owner, isIsolated, valuation, position } = holding;
    const account = { owner, asset: valuation.asset, isolated: isIsolated ? holding : undefined };
    const backing = this.#equity(account) - profitOf(holding);
    return deleveragingRank(valuation.terms, position!, backing, valuation.mark);
  }

  #insured(asset: number): bigint {
    const { accounts } = this.#deps;
    const account = accounts.findAccount(insuranceOf(asset));
    return account < 0 ? 0n : accounts.balances[account]!;
  }

  /** Of the position, or of all that the wallet backs, oldest first. */
  #cancelOrders({ owner, asset, isolated }: Account): void {
    const { pool, accounts, books, orders, twaps } = this.#deps;
    const slots: number[] = [];
    for (let slot = accounts.firstOrder(owner); slot !== 0; slot = pool.ownerNext(slot)) {
      const [index, side] = [pool.bookSide(slot) >> 1, (pool.bookSide(slot) & 1) as Side];
      const isOf =
        isolated === undefined
          ? books[index]!.perpetual?.asset === asset
          : index === isolated.market && legOf(side, pool.terms(slot)) === isolated.leg;
      if (isOf) slots.push(slot);
    }
    slots.sort((left, right) => pool.orderId(left) - pool.orderId(right));
    for (const slot of slots) {
      const bookSide = pool.bookSide(slot);
      const side = (bookSide & 1) as Side;
      orders.matcher.cancelResting(books[bookSide >> 1]!, side, slot, Ending.CANCELLED_LIQUIDATED);
    }
    twaps.liquidate(accounts.ownerNumber(owner), (market, leg) =>
      isolated === undefined
        ? market.perpetual?.asset === asset
        : market.index === isolated.market && leg === isolated.leg,
    );
  }

  #idOf(market: number): number {
    return this.#deps.books[market]!.spec.id;
  }
}

const insuranceOf = (asset: number) => accountKey(SystemOwner.INSURANCE, Wallet.SPOT, Bucket.AVAILABLE, asset);

/** What positions together must have. */
const required = (open: readonly Open[]): bigint => open.reduce((sum, { holding }) => sum + requiredOf(holding), 0n);

/** Of two prices that at which closing a position brings more. */
const nearer = ({ direction }: Position, one: number, other: number): number =>
  direction === LONG ? Math.max(one, other) : Math.min(one, other);

/** So many that the rest is worth no more than the largest of the tier below; all in the lowest tier. */
function lotsToClose({ holding: { valuation }, position }: Open): number {
  const { terms, mark } = valuation;
  const tier = tierOf(terms, notionalOf(terms, mark, position.lots));
  const place = tier === undefined ? terms.tiers.length : terms.tiers.indexOf(tier);
  const below = terms.tiers[place - 1];
  if (below === undefined) return position.lots;
  const kept = below.maximumNotional / notionalOf(terms, mark, 1);
  return position.lots - Number(kept);
}
