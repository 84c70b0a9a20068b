/** Leverage, margin that is added and taken out, and losses that took more than was available. */
import { Ending, namedLeg } from '../events/event-record.ts';
import { Cause } from '../events/position-records.ts';
import { accountKey, accountParts, Bucket, isClient, SystemOwner, Wallet } from '../ledger/account.ts';
import { MAXIMUM_AMOUNT } from '../money/amount.ts';
import type { MarketBook } from '../orders/market-book.ts';
import type { Matcher } from '../orders/matcher.ts';
import { BUY, NET, type PositionSide, SELL, type Side } from '../terms/order-terms.ts';
import { OK, type Outcome, refused } from '../terms/outcome.ts';
import type { AdjustMargin, SetLeverage, SetPositionMode } from './commands.ts';
import { DEFAULT_LEVERAGE, type Holding, owedOf } from './holding.ts';
import { byPlace, hasOrders, isBound, isUntouched, profitOf, termFiguresOf, worthOf } from './holdings.ts';
import type { Margins } from './margins.ts';
import { OrderReserves, type OrderReservesDeps } from './order-reserves.ts';
import { initialMargin, LONG, SHORT } from './perpetual.ts';
import type { PerpetualSettlement } from './perpetual-settlement.ts';

const SIDES = [BUY, SELL] as const;

export interface MarginProcessorDeps extends OrderReservesDeps {
  readonly margins: Margins;
  readonly matcher: Matcher;
  /** By id, and by index. */
  readonly find: (id: number) => MarketBook | undefined;
  readonly books: readonly MarketBook[];
  /** How many orders of an owner's number are untriggered in the market of an id. */
  readonly untriggeredIn: (owner: number, market: number) => number;
}

/** Whether a change of the margin would bring a position whose term is running to the floor. */
const isHeldAbove = (holding: Holding, change: bigint, time: number): boolean =>
  isBound(holding, time) && termFiguresOf(holding).total + change <= holding.term!.floor;

/** A leg is named in hedge mode, and in no other. */
const isNamed = (perpetual: PerpetualSettlement, owner: number, positionSide: PositionSide | undefined): boolean =>
  perpetual.isHedged(owner) === (positionSide !== undefined);

const isOffered = ({ terms }: PerpetualSettlement, leverage: number): boolean =>
  Number.isInteger(leverage) && leverage >= 1 && leverage <= terms.tiers[0]!.maximumLeverage;

export class MarginProcessor {
  readonly #deps: MarginProcessorDeps;
  readonly #reserves: OrderReserves;

  constructor(deps: MarginProcessorDeps) {
    this.#deps = deps;
    this.#reserves = new OrderReserves(deps);
  }

  setLeverage(command: SetLeverage): Outcome {
    const { owner: number, market: id, positionSide, movesReserves = false } = command;
    const market = this.#deps.find(id);
    if (market === undefined) return refused('UNKNOWN_MARKET');
    const { perpetual } = market;
    if (perpetual === undefined) return refused('INVALID_MARKET');
    if (!isClient(number)) return refused('ACCOUNT_LIMIT');
    if (command.leverage !== undefined && !isOffered(perpetual, command.leverage)) return refused('INVALID_LEVERAGE');
    const owner = this.#deps.accounts.owner(number);
    if (!isNamed(perpetual, owner, positionSide)) return refused('POSITION_SIDE_MISMATCH');
    const known = perpetual.find(owner, namedLeg(positionSide));
    const { leverage = known?.leverage ?? DEFAULT_LEVERAGE, isIsolated = known?.isIsolated ?? false } = command;
    // One that was chosen before the tiers were changed.
    if (!isOffered(perpetual, leverage)) return refused('INVALID_LEVERAGE');
    const keepsMode = known?.isIsolated === isIsolated;
    if (known !== undefined && hasOrders(known) && !(movesReserves && keepsMode)) return refused('ORDERS_OPEN');
    const cost = known?.cost ?? 0n;
    if (cost > 0n && !keepsMode) return refused('POSITION_OPEN');
    const largest = perpetual.largestAt(leverage);
    if (SIDES.some((side) => perpetual.exposure(known, side) > largest)) return refused('ABOVE_RISK_LIMIT');
    const needed = initialMargin(cost, leverage);
    const margin = known === undefined ? 0n : known.margin - owedOf(known);
    const has = isIsolated ? margin : initialMargin(cost, known?.leverage ?? leverage);
    // An isolated position that has more than it needs keeps it.
    const more = isIsolated && needed <= has ? 0n : needed - has;
    const changes = known === undefined ? [] : this.#reserves.changesAt(market, perpetual, known, leverage);
    const wanted = changes.reduce((sum, { held }) => sum + held, more);
    if (wanted > 0n && wanted > this.#deps.margins.free(owner, perpetual.asset)) return refused('INSUFFICIENT_FUNDS');
    // More leverage asks for less margin, which must not bring the total assets of a term to their floor.
    if (!isIsolated && known && isHeldAbove(known, needed - has, this.#deps.log.time)) return refused('TERM_RUNNING');
    const holding = perpetual.holding(owner, namedLeg(positionSide));
    perpetual.touch(holding);
    // Before the margin moves, which may take what orders at a higher leverage give back.
    this.#reserves.apply(market, holding, changes);
    holding.leverage = leverage;
    holding.isIsolated = isIsolated;
    this.#change(market, holding, isIsolated ? more : 0n, 'leverage');
    return OK;
  }

  adjustMargin({ owner: number, market: id, amount, positionSide }: AdjustMargin): Outcome {
    const { accounts, margins } = this.#deps;
    const market = this.#deps.find(id);
    if (market === undefined) return refused('UNKNOWN_MARKET');
    const owner = accounts.findOwner(number);
    const { perpetual } = market;
    if (perpetual !== undefined && !isNamed(perpetual, owner, positionSide)) return refused('POSITION_SIDE_MISMATCH');
    const holding = perpetual?.find(owner, namedLeg(positionSide));
    if (holding === undefined || holding.lots === 0 || !holding.isIsolated) return refused('NO_POSITION');
    if (amount === 0n || amount > MAXIMUM_AMOUNT || amount < -MAXIMUM_AMOUNT) return refused('INVALID_AMOUNT');
    if (amount > 0n && amount > margins.free(owner, holding.valuation.asset)) return refused('INSUFFICIENT_FUNDS');
    const profit = profitOf(holding);
    const left = holding.margin - owedOf(holding) + amount + (profit < 0n ? profit : 0n);
    if (amount < 0n && left < initialMargin(holding.cost, holding.leverage)) return refused('INSUFFICIENT_FUNDS');
    if (amount < 0n && isHeldAbove(holding, amount, this.#deps.log.time)) return refused('TERM_RUNNING');
    perpetual?.touch(holding);
    this.#change(market, holding, amount, 'margin');
    return OK;
  }

  setPositionMode({ owner: number, market: id, isHedged }: SetPositionMode): Outcome {
    const market = this.#deps.find(id);
    if (market === undefined) return refused('UNKNOWN_MARKET');
    const { perpetual } = market;
    if (perpetual === undefined) return refused('INVALID_MARKET');
    if (!isClient(number)) return refused('ACCOUNT_LIMIT');
    const owner = this.#deps.accounts.owner(number);
    const known = this.#deps.margins.holdings.ofOwner(owner).filter((one) => one.market === market.index);
    if (known.some(hasOrders) || this.#deps.untriggeredIn(number, id) > 0) return refused('ORDERS_OPEN');
    if (known.some(({ lots }) => lots !== 0)) return refused('POSITION_OPEN');
    const holding = perpetual.holding(owner, NET);
    holding.isHedged = isHedged;
    this.#change(market, holding, 0n, 'mode');
    if (isHedged)
      for (const leg of [LONG, SHORT] as const) this.#followNet(market, holding, perpetual.holding(owner, leg));
    return OK;
  }

  /** A leg in which nothing was chosen begins with what was chosen in one-way mode. */
  #followNet(market: MarketBook, { leverage, isIsolated }: Holding, leg: Holding): void {
    if (!isUntouched(leg) || (leverage === leg.leverage && isIsolated === leg.isIsolated)) return;
    leg.leverage = leverage;
    leg.isIsolated = isIsolated;
    this.#change(market, leg, 0n, 'mode');
  }

  /** Pays for what owners owe after the command at hand: with what their orders have reserved, with what they have won, and then the insurance does. */
  coverLosses(): void {
    const { margins, accounts } = this.#deps;
    for (const account of margins.short) {
      if (accounts.balances[account]! < 0n) this.#cover(account);
    }
    margins.short.clear();
  }

  #cover(account: number): void {
    const { accounts, ledger, log, margins } = this.#deps;
    const { owner: number, asset } = accountParts(accounts.key(account));
    const owner = accounts.owner(number);
    this.#cancelOrders(owner, asset, account);
    // All of them, though the first may be enough: journals of before hold what that came to.
    if (accounts.balances[account]! < 0n)
      this.#deps.twaps.liquidate(number, ({ perpetual }) => perpetual?.asset === asset);
    const missing = () => -accounts.balances[account]!;
    const order = byPlace((market) => this.#deps.books[market]!.spec.id);
    const ascending = margins.holdings.ofOwner(owner).toSorted(order);
    for (const holding of ascending) {
      const worth = holding.isIsolated || holding.valuation.asset !== asset ? 0n : worthOf(holding);
      const wanted = missing();
      if (wanted > 0n && worth > 0n) this.#draw(holding, worth < wanted ? worth : wanted);
    }
    const amount = missing();
    if (amount <= 0n) return;
    const moves = [
      { account: accounts.key(account), amount },
      { account: accountKey(SystemOwner.INSURANCE, Wallet.SPOT, Bucket.AVAILABLE, asset), amount: -amount },
    ];
    ledger.post(moves);
    log.object({ kind: 'loss-covered', owner: number, asset, amount, moves });
  }

  /** The newest first, until nothing is missing. */
  #cancelOrders(owner: number, asset: number, account: number): void {
    const { pool, accounts, books, matcher } = this.#deps;
    const slots: number[] = [];
    for (let slot = accounts.firstOrder(owner); slot !== 0; slot = pool.ownerNext(slot)) {
      if (books[pool.bookSide(slot) >> 1]!.perpetual?.asset === asset) slots.push(slot);
    }
    slots.sort((left, right) => pool.orderId(right) - pool.orderId(left));
    for (const slot of slots) {
      if (accounts.balances[account]! >= 0n) return;
      const bookSide = pool.bookSide(slot);
      matcher.cancelResting(books[bookSide >> 1]!, (bookSide & 1) as Side, slot, Ending.CANCELLED_LIQUIDATED);
    }
  }

  /** Takes what a position has won before it is closed: it has cost so much more, or a short was sold for so much less. */
  #draw(holding: Holding, amount: bigint): void {
    const { position } = holding;
    if (position === undefined) return;
    holding.position = { ...position, cost: position.cost + BigInt(position.direction) * amount };
    const { margins, books } = this.#deps;
    margins.change(holding, books[holding.market]!.spec.id, Cause.cover, { AVAILABLE: amount, REALISED: amount });
  }

  /** Moves an amount into the margin of a holding, or out of it, and says so. */
  #change({ spec }: MarketBook, holding: Holding, amount: bigint, cause: 'leverage' | 'margin' | 'mode'): void {
    const { margins } = this.#deps;
    holding.margin += amount;
    margins.change(holding, spec.id, Cause[cause], { AVAILABLE: -amount, MARGIN: amount });
  }
}
