/** What must always hold of positions, from their events alone and from the open orders. */
import type { ExchangeEvent } from '../events/event.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { invariant } from '../invariant.ts';
import { accountKey, accountParts, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import type { ClosedInParts, PositionChanged } from '../margin/event.ts';
import { DEFAULT_LEVERAGE } from '../margin/holding.ts';
import type { HoldingRecord } from '../margin/holding-record.ts';
import type { Position } from '../margin/position.ts';
import type { PositionTerm } from '../margin/term.ts';
import type { MarketSpec } from '../money/market.ts';
import { notional } from '../money/notional.ts';
import { divCeil } from '../money/rounding.ts';
import type { OpenOrder, OrderState } from '../orders/order-state.ts';
import { type PositionLeg, SELL } from '../terms/order-terms.ts';

const BILLION = 1_000_000_000n;

const keyOf = ({ owner, market, leg }: Pick<HoldingRecord, 'owner' | 'market' | 'leg'>) => `${owner}/${market}/${leg}`;

/** The leg that an order trades; in hedge mode it names one. */
const legOf = ({ positionSide }: OpenOrder): PositionLeg =>
  positionSide === undefined ? 0 : positionSide === 'long' ? 1 : -1;

const add = <Key>(sums: Map<Key, bigint>, key: Key, amount: bigint) => sums.set(key, (sums.get(key) ?? 0n) + amount);

export class PositionAuditor {
  readonly #exchange: Exchange;
  readonly #holdings = new Map<string, HoldingRecord>();
  /** Legs that trades of the command at hand have opened or made larger. */
  readonly #opened = new Set<string>();
  /** Orders as they were last. */
  readonly #placed = new Map<number, OrderState>();

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  observe(event: ExchangeEvent): void {
    if (event.kind === 'order') this.#placed.set(event.order.orderId, event.order);
    if (event.kind === 'closed-in-parts') this.#auditParts(event);
    if (event.kind === 'position-liquidated') {
      const { owner, market, equity, required } = event;
      invariant(equity <= required, 'who is liquidated has no more than is needed', {
        owner,
        market,
        equity,
        required,
      });
    }
    if (event.kind !== 'position-changed') return;
    const { owner, market, leg, leverage, isIsolated, isHedged, position, margin, fundingIndex, term } = event;
    const terms = { owner, market, leg, leverage, isIsolated, isHedged };
    const holding: HoldingRecord = { ...terms, position, margin, fundingIndex, term };
    this.#auditTerm(event, this.#holdings.get(keyOf(holding)));
    this.#auditMoves(event);
    this.#noteOpened(event, this.#holdings.get(keyOf(holding))?.position);
    const isNothing = position === undefined && !isIsolated && !isHedged && leverage === DEFAULT_LEVERAGE;
    invariant(leg === 0 || position === undefined || position.direction === leg, 'a leg has one direction', { owner });
    if (isNothing) this.#holdings.delete(keyOf(holding));
    else this.#holdings.set(keyOf(holding), holding);
  }

  /** Hands over which positions the trades of a command have opened or made larger, and forgets them. */
  takeOpened(): readonly HoldingRecord[] {
    const opened = [...this.#opened].flatMap((key) => this.#holdings.get(key) ?? []);
    this.#opened.clear();
    return opened;
  }

  /** In no order. */
  holdingsOf(owner: number): readonly HoldingRecord[] {
    return [...this.#holdings.values()].filter((one) => one.owner === owner);
  }

  #noteOpened({ position, cause, ...one }: PositionChanged, before: Position | undefined): void {
    if (position === undefined || cause !== 'trade') return;
    const isLarger = before?.direction !== position.direction || position.lots > before.lots;
    if (isLarger) this.#opened.add(keyOf(one));
  }

  /** What is closed in parts is closed by orders of its owner under ids that follow each other, and by no more lots than was meant. */
  #auditParts({ owner, market, orderId, lastOrderId, lots, reverses }: ClosedInParts): void {
    let sum = 0;
    for (let id = orderId; id <= lastOrderId; id += 1) {
      const order = this.#placed.get(id);
      const isPart = order?.owner === owner && order.market === market && (order.reduceOnly === true) !== reverses;
      invariant(isPart, 'a part is an order of the owner', { owner, id });
      sum += order.quantity;
    }
    invariant(sum <= lots, 'parts have no more lots than the whole', { owner, sum, lots });
  }

  /** The tables say by three figures what was moved: what was won comes from clearing, a fee goes to the fees, and all sums to zero. */
  #auditMoves({ owner, cause, moves, realised, fee }: PositionChanged): void {
    const moved = (of: number) =>
      moves.reduce((sum, { account, amount }) => (accountParts(account).owner === of ? sum + amount : sum), 0n);
    invariant(moved(SystemOwner.CLEARING) === -realised, 'what was won comes from clearing', { owner, cause });
    invariant(moved(SystemOwner.FEES) === fee, 'a fee goes to the fees', { owner, cause });
    const sum = moves.reduce((all, { amount }) => all + amount, 0n);
    invariant(sum === 0n && (cause !== 'mode' || moves.length === 0), 'a change moves what it takes', { owner, cause });
  }

  /** A term begins with its position and ends with it, and changes with nothing between but for its discount. */
  #auditTerm(event: PositionChanged, before: HoldingRecord | undefined): void {
    const { position, term, owner, time, cause } = event;
    invariant(term === undefined || position !== undefined, 'a term is of a position', { owner });
    const isSame = position !== undefined && before?.position?.direction === position.direction;
    if (isSame) {
      const text = (one: PositionTerm | undefined) => one && [one.startedAt, one.endsAt, one.target, one.floor].join();
      invariant(text(term) === text(before.term), 'a term lasts as long as its position', { owner });
      if (term !== undefined) this.#auditDiscount(event, before.position!.lots, before.term!);
    } else if (term !== undefined) {
      const isBegun = term.startedAt === time && term.endsAt > time && cause === 'trade';
      invariant(isBegun, 'a term begins with the trade that opens its position', { owner });
    }
  }

  /** A discount grows with its opening order alone, and pays nothing before the end of its term. */
  #auditDiscount({ position, term, time, owner, fee, cause }: PositionChanged, lots: number, before: PositionTerm) {
    const [had, has] = [before.discount ?? 0n, term!.discount ?? 0n];
    const isGrowing = time === before.startedAt && cause === 'trade' && position!.lots > lots;
    invariant(has <= had || isGrowing, 'a discount grows as its position is opened', { owner });
    if (has >= had) return;
    invariant(position!.lots < lots, 'a discount goes with lots that are closed', { owner, fee });
    const kept = (had * BigInt(position!.lots)) / BigInt(lots);
    invariant(time >= before.endsAt || has === kept, 'a discount is kept for the lots that stay open', { owner });
  }

  /** What an open order of a perpetual has reserved: margin and fee of each lot, rounded up. */
  reserveOf(market: MarketSpec, order: OpenOrder): bigint {
    const { owner, price, remaining, reduceOnly } = order;
    if (reduceOnly) return 0n;
    const key = keyOf({ owner, market: market.id, leg: legOf(order) });
    const leverage = this.#holdings.get(key)?.leverage ?? DEFAULT_LEVERAGE;
    const lot = notional(market, price, 1);
    const fee = divCeil(lot * BigInt(market.perpetual!.takerPpm), 1_000_000n);
    return BigInt(remaining) * (divCeil(lot, BigInt(leverage)) + fee);
  }

  /** @param orders all that rest */
  audit(orders: readonly OpenOrder[]): void {
    const known = [...this.#holdings.values()].sort(
      (a, b) => a.owner - b.owner || a.market - b.market || b.leg - a.leg,
    );
    const text = (holdings: readonly HoldingRecord[]) =>
      JSON.stringify(holdings, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
    invariant(text(this.#exchange.holdings()) === text(known), 'positions are as their last events say');
    const open = known.filter(({ position }) => position !== undefined);
    invariant(this.#exchange.openPositionCount() === open.length, 'the open positions are those of the events');
    const owners = [...new Set(open.map(({ owner }) => owner))].join();
    const found = [...this.#exchange.positionOwners()].sort((a, b) => a - b).join();
    invariant(found === owners, 'the owners of positions are those of the events');
    this.#auditSums(known);
    this.#auditModes(known, orders);
    this.#auditReducing(orders);
  }

  /** In hedge mode positions and orders are of a leg, and in one-way mode of none. */
  #auditModes(holdings: readonly HoldingRecord[], orders: readonly OpenOrder[]): void {
    const isHedged = ({ owner, market }: Pick<HoldingRecord, 'owner' | 'market'>) =>
      this.#holdings.get(keyOf({ owner, market, leg: 0 }))?.isHedged === true;
    for (const { owner, market, leg, position } of holdings) {
      const isFitting = position === undefined || isHedged({ owner, market }) === (leg !== 0);
      invariant(isFitting, 'a position is of its owner’s mode', { owner, market, leg });
    }
    const perpetuals = new Set(this.#exchange.markets().flatMap(({ id, perpetual }) => (perpetual ? [id] : [])));
    for (const order of orders.filter(({ market }) => perpetuals.has(market)))
      invariant(isHedged(order) === (legOf(order) !== 0), 'an order is of its owner’s mode', { id: order.orderId });
  }

  /** As many lots are long as short, clearing has what all have won, and margins are where they are said to be. */
  #auditSums(holdings: readonly HoldingRecord[]): void {
    const markets = new Map(this.#exchange.markets().map((market) => [market.id, market]));
    const [lots, costs, margins] = [new Map<number, bigint>(), new Map<number, bigint>(), new Map<number, bigint>()];
    for (const { owner, market, position, margin, isIsolated } of holdings) {
      const asset = markets.get(market)!.quote.id;
      invariant(isIsolated || margin === 0n, 'a cross position has no margin of its own', { owner, market });
      invariant(margin >= 0n && (position !== undefined || margin === 0n), 'a margin belongs to a position', { owner });
      add(margins, accountKey(owner, Wallet.FUTURE, Bucket.MARGIN, asset), margin);
      if (position === undefined) continue;
      invariant(position.lots > 0 && position.cost > 0n, 'a position has lots and a cost', { owner, market });
      add(lots, market, BigInt(position.direction) * BigInt(position.lots));
      add(costs, asset, BigInt(position.direction) * position.cost);
    }
    this.#auditFunding(holdings);
    for (const [market, sum] of lots) invariant(sum === 0n, 'longs are shorts', { market, sum });
    for (const { id } of this.#exchange.assets()) {
      const clearing = this.#exchange.balance(accountKey(SystemOwner.CLEARING, Wallet.SPOT, Bucket.AVAILABLE, id));
      invariant(clearing === -(costs.get(id) ?? 0n), 'clearing has what all positions have won', { id, clearing });
    }
    const owners = new Set(holdings.map(({ owner }) => owner));
    for (const key of [...owners].flatMap((owner) => this.#exchange.accountsOf(owner))) {
      if (accountParts(key).bucket !== Bucket.MARGIN) continue;
      const balance = this.#exchange.balance(key);
      invariant(balance === (margins.get(key) ?? 0n), 'margin is that of isolated positions', { key, balance });
    }
  }

  /** The funding account has what its positions are to receive, less what they owe, and less than a unit beside. */
  #auditFunding(holdings: readonly HoldingRecord[]): void {
    const markets = new Map(this.#exchange.markets().map((market) => [market.id, market]));
    const unsettled = new Map<number, bigint>();
    for (const { market, position, fundingIndex } of holdings) {
      if (position === undefined) continue;
      const lot = this.#exchange.perpetualState(market).fundingIndex - fundingIndex;
      add(unsettled, markets.get(market)!.quote.id, BigInt(position.direction) * BigInt(position.lots) * lot);
    }
    for (const { id } of this.#exchange.assets()) {
      const funds = this.#exchange.balance(accountKey(SystemOwner.FUNDING, Wallet.SPOT, Bucket.AVAILABLE, id));
      const beside = funds * BILLION + (unsettled.get(id) ?? 0n);
      invariant(beside >= 0n && beside < BILLION, 'funding is paid to the unit', { id, beside });
    }
  }

  /** What only reduces could not open anything, however the orders of its owner trade. */
  #auditReducing(orders: readonly OpenOrder[]): void {
    for (const order of orders.filter(({ reduceOnly }) => reduceOnly)) {
      const { owner, market, side } = order;
      const leg = legOf(order);
      const position = this.#holdings.get(keyOf({ owner, market, leg }))?.position;
      const isClosing = position !== undefined && position.direction > 0 === (side === SELL);
      const isSame = (one: OpenOrder) => one.owner === owner && one.market === market && one.side === side;
      const same = orders.filter((one) => isSame(one) && legOf(one) === leg);
      const lots = same.reduce((sum, { remaining }) => sum + remaining, 0);
      const { orderId } = order;
      invariant(isClosing && lots <= position.lots, 'what only reduces has something to close', { orderId, lots });
    }
  }
}
