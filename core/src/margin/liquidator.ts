/**
 * Liquidation. A position that has no more than it must have is closed by orders that are never worse than the price at which
 * nothing of its owner's is left, tier by tier: less value needs less margin. What no order takes the insurance pays the way to,
 * as far as it has something, and the rest is closed against the positions of the other side that have won most.
 */
import type { EventLog } from '../events/event-log.ts';
import { Ending } from '../events/event-record.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import { type AccountTable, HELD_BESIDE } from '../ledger/account-table.ts';
import type { OrderPool } from '../matching/order-pool.ts';
import type { MarketBook } from '../orders/market-book.ts';
import type { OrderProcessor } from '../orders/order-processor.ts';
import { BUY, SELL, type Side } from '../terms/order-terms.ts';
import { OK, type Outcome, refused } from '../terms/outcome.ts';
import type { RunLiquidations } from './commands.ts';
import { deleveragingRank } from './deleveraging.ts';
import { closingSide, type Holding, profitOf } from './holdings.ts';
import type { Margins } from './margins.ts';
import { notionalOf, requirement, tierOf } from './perpetual.ts';
import type { Position } from './position.ts';
import { bankruptcyPrice } from './thresholds.ts';

/** Accounts that one command may liquidate, at most. */
export const MAXIMUM_LIQUIDATIONS = 1_000;
/** Those that a new mark liquidates with it. */
const AT_ONCE = 20;

export interface LiquidatorDeps {
  readonly pool: OrderPool;
  readonly accounts: AccountTable;
  readonly log: EventLog;
  readonly margins: Margins;
  readonly orders: OrderProcessor;
  /** By index. */
  readonly books: readonly MarketBook[];
}

/** What is liquidated as one: an isolated position, or all cross positions that one wallet backs. */
interface Account {
  readonly owner: number;
  readonly asset: number;
  /** Of an isolated position. */
  readonly market: number | undefined;
}

interface Open {
  readonly holding: Holding;
  readonly position: Position;
}

const isOpen = (holding: Holding): boolean => holding.position !== undefined;

export class Liquidator {
  readonly #deps: LiquidatorDeps;

  constructor(deps: LiquidatorDeps) {
    this.#deps = deps;
  }

  /** Goes on with what a new mark has left. */
  run({ maximum }: RunLiquidations): Outcome {
    if (!Number.isInteger(maximum) || maximum < 1 || maximum > MAXIMUM_LIQUIDATIONS) return refused('INVALID_QUANTITY');
    this.#liquidate(maximum);
    return OK;
  }

  /** After a new mark. */
  follow(): void {
    this.#liquidate(AT_ONCE);
  }

  /** Whether anything is to be liquidated that no command has reached yet. */
  get isPending(): boolean {
    return this.#accounts().some((account) => this.#isDue(account));
  }

  #liquidate(maximum: number): void {
    let left = maximum;
    for (const account of this.#accounts()) {
      if (left === 0) return;
      if (!this.#isDue(account)) continue;
      this.#close(account);
      left -= 1;
    }
  }

  /** Ascending by owner; isolated ones by market, and then what a wallet backs. */
  #accounts(): Account[] {
    const { accounts, margins, books } = this.#deps;
    const found = new Map<string, Account>();
    for (const holding of margins.holdings.all()) {
      if (!isOpen(holding)) continue;
      const { owner, isIsolated, valuation } = holding;
      const market = isIsolated ? holding.market : undefined;
      found.set(`${owner} ${market} ${valuation.asset}`, { owner, asset: valuation.asset, market });
    }
    const place = ({ market }: Account) => (market === undefined ? Number.MAX_SAFE_INTEGER : books[market]!.spec.id);
    return [...found.values()].sort(
      (one, other) =>
        accounts.ownerNumber(one.owner) - accounts.ownerNumber(other.owner) ||
        place(one) - place(other) ||
        one.asset - other.asset,
    );
  }

  #openOf({ owner, asset, market }: Account): Open[] {
    return this.#deps.margins.holdings
      .ofOwner(owner)
      .filter(({ isIsolated, valuation, market: of }) =>
        market === undefined ? !isIsolated && valuation.asset === asset : of === market,
      )
      .flatMap((holding) => (holding.position === undefined ? [] : { holding, position: holding.position }));
  }

  /** Nothing is liquidated by a price that is no mark, nor where trading stands still. */
  #isTrading({ market }: Holding): boolean {
    const { markPrice, halted } = this.#deps.books[market]!;
    return markPrice > 0 && !halted;
  }

  #isDue(account: Account): boolean {
    const open = this.#openOf(account);
    if (open.length === 0 || !open.every(({ holding }) => this.#isTrading(holding))) return false;
    return this.#equity(account) <= open.reduce((sum, one) => sum + requirementOf(one), 0n);
  }

  /** What an account has: margin or wallet, with what its positions have won and lost. */
  #equity(account: Account): bigint {
    const profit = this.#openOf(account).reduce((sum, { holding }) => sum + profitOf(holding), 0n);
    return this.#backing(account) + profit;
  }

  #backing(account: Account): bigint {
    if (account.market !== undefined) return this.#openOf(account)[0]?.holding.margin ?? 0n;
    const { accounts } = this.#deps;
    const wallet = accounts.available(account.owner, Wallet.FUTURE, account.asset);
    return accounts.balances[wallet]! + accounts.balances[wallet + HELD_BESIDE]!;
  }

  #close(account: Account): void {
    this.#cancelOrders(account);
    while (this.#isDue(account)) {
      // That which needs most, and of two the one of the lower market.
      const [open] = this.#openOf(account).sort(
        (one, other) =>
          Number(requirementOf(other) - requirementOf(one)) ||
          this.#idOf(one.holding.market) - this.#idOf(other.holding.market),
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
    const facts = { owner, market, direction: position.direction, lots, mark, value };
    const [equity, required] = [this.#equity(account), requirementOf({ holding, position })];
    this.#deps.log.object({ kind: 'position-liquidated', ...facts, equity, required });
    let left = this.#sell(account, holding, lots, 0n);
    const insured = this.#insured(account.asset);
    if (left > 0 && insured > 0n) left = this.#sell(account, holding, left, insured);
    if (left > 0) this.#deleverage(account, holding, left);
  }

  /** By an order that is no worse than what the account and a helper can pay for. @returns lots that it has not closed */
  #sell(account: Account, holding: Holding, lots: number, help: bigint): number {
    const price = this.#bankruptcy(account, holding, help);
    if (price === undefined || holding.position === undefined) return lots;
    const market = this.#deps.books[holding.market]!;
    const side = closingSide(holding.position);
    return lots - this.#deps.orders.liquidate(market, side, holding.owner, lots, price);
  }

  /** @param help that somebody else would pay */
  #bankruptcy(account: Account, holding: Holding, help: bigint): number | undefined {
    const { position, valuation } = holding;
    if (position === undefined) return undefined;
    const others = this.#equity(account) - profitOf(holding);
    return bankruptcyPrice(valuation.terms, position, others + help);
  }

  /** Against the other side, those first that have won most with least; no order, and no fee. */
  #deleverage(account: Account, holding: Holding, lots: number): void {
    const { position, valuation } = holding;
    if (position === undefined) return;
    const price = this.#bankruptcy(account, holding, 0n) ?? valuation.mark;
    const market = this.#deps.books[holding.market]!;
    const side = closingSide(position) === BUY ? SELL : BUY;
    let left = lots;
    for (const other of this.#ranked(holding.market, position)) {
      if (left === 0) return;
      const closed = Math.min(left, other.position!.lots);
      const [against, owner] = [holding, other].map((one) => this.#deps.accounts.ownerNumber(one.owner));
      this.#deps.log.object({
        kind: 'position-deleveraged',
        ...{ owner: owner!, against: against!, market: market.spec.id, price, lots: closed },
      });
      market.perpetual!.deleverage(holding, other, price, closed);
      // Less is open than its owner's orders would close.
      this.#deps.orders.makeRoom(market, side, other.owner, 0);
      left -= closed;
    }
  }

  /** Positions of the other direction, the first to be closed first; of two that are alike the older owner's. */
  #ranked(market: number, { direction }: Position): Holding[] {
    const { accounts, margins } = this.#deps;
    const others = [...margins.holdings.all()].filter(
      (one) => one.market === market && one.position !== undefined && one.position.direction !== direction,
    );
    const ranks = new Map(others.map((one) => [one, this.#rank(one)]));
    return others.sort((one, other) => {
      const [left, right] = [ranks.get(one)!, ranks.get(other)!];
      if (left !== right) return left > right ? -1 : 1;
      return accounts.ownerNumber(one.owner) - accounts.ownerNumber(other.owner);
    });
  }

  #rank(holding: Holding): bigint {
    const { owner, isIsolated, market, valuation, position } = holding;
    const account = { owner, asset: valuation.asset, market: isIsolated ? market : undefined };
    const backing = this.#equity(account) - profitOf(holding);
    return deleveragingRank(valuation.terms, position!, backing, valuation.mark);
  }

  #insured(asset: number): bigint {
    const { accounts } = this.#deps;
    const account = accounts.findAccount(accountKey(SystemOwner.INSURANCE, Wallet.SPOT, Bucket.AVAILABLE, asset));
    return account < 0 ? 0n : accounts.balances[account]!;
  }

  /** Of the position, or of all that the wallet backs, oldest first. */
  #cancelOrders({ owner, asset, market }: Account): void {
    const { pool, accounts, books, orders } = this.#deps;
    const slots: number[] = [];
    for (let slot = accounts.firstOrder(owner); slot !== 0; slot = pool.ownerNext(slot)) {
      const index = pool.bookSide(slot) >> 1;
      if (market === undefined ? books[index]!.perpetual?.asset === asset : index === market) slots.push(slot);
    }
    slots.sort((left, right) => pool.orderId(left) - pool.orderId(right));
    for (const slot of slots) {
      const bookSide = pool.bookSide(slot);
      const side = (bookSide & 1) as Side;
      orders.matcher.cancelResting(books[bookSide >> 1]!, side, slot, Ending.CANCELLED_LIQUIDATED);
    }
  }

  #idOf(market: number): number {
    return this.#deps.books[market]!.spec.id;
  }
}

function requirementOf({ holding: { valuation }, position }: Open): bigint {
  return requirement(valuation.terms, notionalOf(valuation.terms, valuation.mark, position.lots));
}

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
