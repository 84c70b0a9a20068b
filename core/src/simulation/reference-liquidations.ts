/** Liquidation in the reference exchange: all accounts are looked at, one after another, with everything added up anew. */
import { accountKey, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import type { RunLiquidations } from '../margin/commands.ts';
import { deleveragingRank } from '../margin/deleveraging.ts';
import type { HoldingRecord } from '../margin/holding-record.ts';
import { LONG, notionalOf, perpetualTerms, requirement } from '../margin/perpetual.ts';
import { type Position, unrealised } from '../margin/position.ts';
import { bankruptcyPrice } from '../margin/thresholds.ts';
import type { MarketSpec } from '../money/market.ts';
import { MAXIMUM_INT32 } from '../money/price.ts';
import { divCeil, divFloor } from '../money/rounding.ts';
import type { OpenOrder } from '../orders/order-state.ts';
import { BUY, type PositionLeg, SELL } from '../terms/order-terms.ts';
import { legNamed } from './reference-legs.ts';
import type { ReferenceOrders } from './reference-orders.ts';
import type { ReferencePerpetuals } from './reference-perpetuals.ts';
import type { ReferencePricing } from './reference-pricing.ts';
import { isWithin, type Refusal } from './reference-rules.ts';
import type { ReferenceState } from './reference-state.ts';
import type { ReferenceTwaps } from './reference-twaps.ts';

type OpenHolding = HoldingRecord & { readonly position: Position };

/** Holdings that are liquidated together. */
interface Account {
  readonly owner: number;
  readonly asset: number;
  /** Of an isolated position: its market and leg. */
  readonly only: { readonly market: number; readonly leg: PositionLeg } | undefined;
}

const isOf = (one: HoldingRecord, { only }: Account) => only?.market === one.market && only.leg === one.leg;

export class ReferenceLiquidations {
  readonly #state: ReferenceState;
  readonly #perpetuals: ReferencePerpetuals;
  readonly #orders: ReferenceOrders;
  readonly #pricing: ReferencePricing;
  readonly #twaps: ReferenceTwaps;

  constructor(
    state: ReferenceState,
    perpetuals: ReferencePerpetuals,
    orders: ReferenceOrders,
    pricing: ReferencePricing,
    twaps: ReferenceTwaps,
  ) {
    this.#twaps = twaps;
    this.#pricing = pricing;
    this.#state = state;
    this.#perpetuals = perpetuals;
    this.#orders = orders;
  }

  run(time: number, { maximum }: RunLiquidations): Refusal {
    if (!isWithin(maximum, 1, 1_000)) return 'INVALID_QUANTITY';
    this.liquidate(time, maximum);
    return undefined;
  }

  /** What rests may be met by those who are liquidated at a new mark before it ends. */
  afterIndex(time: number, market: number): void {
    this.liquidate(time, 20);
    this.#orders.endPassed(time, this.#state.market(market)!.spec);
  }

  liquidate(time: number, maximum: number): void {
    for (let left = maximum; left > 0; left -= 1) {
      const first = this.#accounts().find((account) => this.#isDue(account));
      if (first === undefined) return;
      this.#close(time, first);
    }
  }

  get isPending(): boolean {
    return this.#accounts().some((account) => this.#isDue(account));
  }

  #accounts(): Account[] {
    const accounts: Account[] = [];
    for (const { owner, market, leg, isIsolated } of this.#state.holdings.filter(isOpen)) {
      const asset = this.#spec(market).quote.id;
      const isKnown = accounts.some((one) => one.owner === owner && one.asset === asset && one.only === undefined);
      if (isIsolated) accounts.push({ owner, asset, only: { market, leg } });
      else if (!isKnown) accounts.push({ owner, asset, only: undefined });
    }
    return accounts.sort((a, b) => {
      if (a.owner !== b.owner) return a.owner - b.owner;
      if (a.only === undefined || b.only === undefined) {
        if (a.only !== b.only) return a.only === undefined ? 1 : -1;
        return a.asset - b.asset;
      }
      return a.only.market - b.only.market || b.only.leg - a.only.leg;
    });
  }

  #openOf(account: Account): OpenHolding[] {
    const own = this.#state.holdings.filter(isOpen).filter((one) => {
      if (one.owner !== account.owner) return false;
      return account.only === undefined
        ? !one.isIsolated && this.#spec(one.market).quote.id === account.asset
        : one.isIsolated && isOf(one, account);
    });
    return own.sort((a, b) => a.market - b.market || b.leg - a.leg);
  }

  #isDue(account: Account): boolean {
    const open = this.#openOf(account);
    const isTrading = ({ market }: OpenHolding) => {
      const { index, indexAt } = this.#pricing.stateOf(market);
      const isFresh = index > 0 && indexAt >= this.#state.time - 60_000;
      return isFresh && !this.#state.market(market)!.state.halted;
    };
    if (open.length === 0 || !open.every(isTrading)) return false;
    return this.#equity(account) <= this.#required(account);
  }

  #required(account: Account): bigint {
    return this.#openOf(account).reduce((sum, one) => sum + this.#needs(one), 0n);
  }

  #equity(account: Account): bigint {
    const open = this.#openOf(account);
    const profit = open.reduce((sum, one) => sum + this.#profit(one) - this.#perpetuals.owed(one), 0n);
    if (account.only !== undefined) return profit + (open[0]?.margin ?? 0n);
    const wallet = [Bucket.AVAILABLE, Bucket.HELD].map((bucket) =>
      this.#state.balance(accountKey(account.owner, Wallet.FUTURE, bucket, account.asset)),
    );
    return wallet.reduce((sum, one) => sum + one, profit);
  }

  #close(time: number, account: Account): void {
    const isOf = (order: OpenOrder) => {
      if (order.owner !== account.owner) return false;
      const { perpetual, quote } = this.#spec(order.market);
      return account.only === undefined
        ? perpetual !== undefined && quote.id === account.asset
        : order.market === account.only.market && legNamed(order) === account.only.leg;
    };
    for (const { orderId, owner } of this.#state.orders.filter(isOf).sort((a, b) => a.orderId - b.orderId)) {
      this.#orders.cancel(time, { kind: 'cancel-order', orderId, owner }, 'LIQUIDATED');
    }
    for (const { orderId, owner } of this.#twaps.all().filter(isOf)) {
      this.#twaps.cancel(time, { kind: 'cancel-order', orderId, owner }, 'LIQUIDATED');
    }
    for (const { market, owner, leg } of this.#openOf(account))
      this.#perpetuals.touch(time, this.#spec(market), owner, leg);
    while (this.#isDue(account)) {
      const [worst] = this.#openOf(account).sort((a, b) => {
        const [needed, other] = [this.#needs(a), this.#needs(b)];
        if (needed !== other) return needed > other ? -1 : 1;
        return a.market - b.market || b.leg - a.leg;
      });
      this.#reduce(time, account, worst!);
    }
  }

  #reduce(time: number, account: Account, holding: OpenHolding): void {
    const { owner, market, leg, position } = holding;
    const spec = this.#spec(market);
    const mark = this.#mark(market);
    const lots = this.#lotsToClose(spec, position, mark);
    const facts = { owner, market, leg, direction: position.direction, lots, mark };
    this.#state.events.push({
      kind: 'position-liquidated',
      ...facts,
      value: notionalOf(termsOf(spec), mark, lots),
      equity: this.#equity(account),
      required: this.#required(account),
      time,
    });
    let left = lots - this.#sell(time, account, holding, lots, this.#bankruptcy(account, holding, 0n)).lots;
    const insured = this.#state.balance(insuranceOf(account.asset));
    if (left > 0 && insured > 0n) {
      const owed = this.#bankruptcy(account, holding, 0n);
      const sold = this.#sell(time, account, holding, left, this.#insuredPrice(account, holding, insured));
      left -= sold.lots;
      if (left > 0 && owed !== undefined) {
        const short = notionalOf(termsOf(spec), owed, sold.lots) - sold.value;
        this.#compensate(time, account, holding, position.direction === LONG ? short : -short);
      }
    }
    if (left > 0) this.#deleverage(time, account, holding, left);
  }

  /** By the insurance, as far as it can. */
  #compensate(time: number, account: Account, { market, leg }: HoldingRecord, short: bigint): void {
    const insured = this.#state.balance(insuranceOf(account.asset));
    let amount = short;
    if (insured < amount) amount = insured;
    if (amount <= 0n) return;
    const holding = this.#perpetuals.holding(account.owner, market, leg);
    const isIsolated = account.only !== undefined;
    const after = isIsolated ? { ...holding, margin: holding.margin + amount } : holding;
    const to = isIsolated ? { margin: amount } : { available: amount };
    this.#perpetuals.change(time, this.#spec(market), after, { ...to, insurance: -amount }, 'compensation');
  }

  #sell(time: number, account: Account, { market, leg }: HoldingRecord, lots: number, price: number | undefined) {
    const { position } = this.#perpetuals.holding(account.owner, market, leg);
    if (price === undefined || position === undefined) return { lots: 0, value: 0n };
    const side = position.direction === LONG ? SELL : BUY;
    this.#state.liquidated = account.owner;
    const sold = { lots: 0, value: 0n };
    while (sold.lots < lots) {
      const part = Math.min(lots - sold.lots, MAXIMUM_INT32);
      const last = this.#orders.liquidate(time, this.#spec(market), { owner: account.owner, side, leg }, part, price);
      sold.lots += last.lots;
      sold.value += last.value;
      if (last.lots < part) break;
    }
    this.#state.liquidated = 0;
    return sold;
  }

  #bankruptcy(account: Account, { market, leg }: HoldingRecord, help: bigint): number | undefined {
    const holding = this.#perpetuals.holding(account.owner, market, leg);
    if (!isOpen(holding)) return undefined;
    const backing = this.#equity(account) - this.#profit(holding) + help;
    return bankruptcyPrice(termsOf(this.#spec(market)), holding.position, backing);
  }

  /** No further than the mark and two maker's fees of it, unless older rules let it. */
  #insuredPrice(account: Account, { market, leg }: HoldingRecord, insured: bigint): number | undefined {
    const now = this.#perpetuals.holding(account.owner, market, leg);
    const price = this.#bankruptcy(account, now, insured);
    if (price === undefined || this.#state.rules < 5) return price;
    const isLong = now.position!.direction === LONG;
    const rate = 2n * BigInt(this.#spec(market).perpetual!.makerPpm) * (isLong ? -1n : 1n);
    const scaled = BigInt(this.#mark(market)) * (1_000_000n + rate);
    const bound = isLong ? divCeil(scaled, 1_000_000n) : divFloor(scaled, 1_000_000n);
    return isLong === BigInt(price) < bound ? Math.max(1, Number(bound)) : price;
  }

  #deleveragingPrice(account: Account, now: OpenHolding): number {
    const mark = this.#mark(now.market);
    const bankrupt = this.#bankruptcy(account, now, 0n) ?? mark;
    const insured = this.#state.balance(insuranceOf(account.asset));
    const isLong = now.position.direction === LONG;
    const isBeyond = isLong ? bankrupt > mark : bankrupt < mark;
    if (this.#state.rules < 5 || insured <= 0n || !isBeyond) return bankrupt;
    const paid = this.#bankruptcy(account, now, insured) ?? mark;
    return (isLong ? paid > mark : paid < mark) ? paid : mark;
  }

  #deleverage(time: number, account: Account, { market, leg }: HoldingRecord, lots: number): void {
    const now = this.#perpetuals.holding(account.owner, market, leg);
    if (!isOpen(now)) return;
    const { position } = now;
    const spec = this.#spec(market);
    const price = this.#deleveragingPrice(account, now);
    const others = this.#state.holdings
      .filter(isOpen)
      .filter((one) => one.market === market && one.position.direction !== position.direction)
      .map((one) => ({ one, rank: this.#rank(one) }))
      .sort((a, b) => (a.rank === b.rank ? a.one.owner - b.one.owner : a.rank > b.rank ? -1 : 1));
    let left = lots;
    for (const { one } of others) {
      const closed = Math.min(left, one.position.lots);
      if (closed === 0) continue;
      const facts = { owner: one.owner, against: account.owner, market, leg: one.leg, price, lots: closed };
      this.#state.events.push({ kind: 'position-deleveraged', ...facts, time });
      const side = position.direction === LONG ? SELL : BUY;
      this.#perpetuals.move(time, spec, { owner: account.owner, side, leg }, price, closed, 0n, 0n, 'deleveraging');
      const other = side === BUY ? SELL : BUY;
      const { owner, leg: rival } = one;
      this.#perpetuals.move(time, spec, { owner, side: other, leg: rival }, price, closed, 0n, 0n, 'deleveraging');
      const positionSide = rival === 0 ? undefined : rival > 0 ? 'long' : 'short';
      this.#orders.makeRoom(time, spec, { owner, side: other, positionSide }, 0);
      left -= closed;
    }
  }

  #rank(holding: OpenHolding): bigint {
    const { owner, market, leg, isIsolated, position } = holding;
    const spec = this.#spec(market);
    const account = { owner, asset: spec.quote.id, only: isIsolated ? { market, leg } : undefined };
    const backing = this.#equity(account) - this.#profit(holding);
    return deleveragingRank(termsOf(spec), position, backing, this.#mark(market));
  }

  /** Down to the largest value of the tier below. */
  #lotsToClose(spec: MarketSpec, position: Position, mark: number): number {
    const value = (lots: number) => notionalOf(termsOf(spec), mark, lots);
    const below = spec.perpetual!.tiers.filter(({ maximumNotional }) => maximumNotional < value(position.lots)).at(-1);
    if (below === undefined) return position.lots;
    const kept = below.maximumNotional / value(1);
    return position.lots - Number(kept);
  }

  #needs({ market, position }: OpenHolding): bigint {
    const terms = termsOf(this.#spec(market));
    return requirement(terms, notionalOf(terms, this.#mark(market), position.lots));
  }

  #profit({ market, position }: OpenHolding): bigint {
    return unrealised(termsOf(this.#spec(market)), position, this.#mark(market));
  }

  #mark(market: number): number {
    const { markPrice, lastPrice } = this.#state.market(market)!.state;
    return markPrice === 0 ? lastPrice : markPrice;
  }

  #spec(market: number): MarketSpec {
    return this.#state.market(market)!.spec;
  }
}

const insuranceOf = (asset: number) => accountKey(SystemOwner.INSURANCE, Wallet.SPOT, Bucket.AVAILABLE, asset);

const isOpen = (holding: HoldingRecord): holding is OpenHolding => holding.position !== undefined;

const termsOf = (spec: MarketSpec) => perpetualTerms(spec, spec.perpetual!);
