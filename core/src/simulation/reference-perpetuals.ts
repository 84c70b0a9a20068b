/** Perpetuals in the reference exchange: everything is added up anew from orders and positions. */
import { accountKey, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import type { PositionCause } from '../margin/event.ts';
import { DEFAULT_LEVERAGE } from '../margin/holding.ts';
import type { HoldingRecord } from '../margin/holding-record.ts';
import { initialMargin, LONG, notionalOf, type PerpetualTerms, perpetualTerms, SHORT } from '../margin/perpetual.ts';
import { increase, reduce, unrealised } from '../margin/position.ts';
import type { PositionTerm } from '../margin/term.ts';
import type { MarketSpec } from '../money/market.ts';
import { divCeil } from '../money/rounding.ts';
import type { PlaceOrder } from '../orders/commands.ts';
import type { OpenOrder } from '../orders/order-state.ts';
import { BUY, type PositionLeg, type PositionSide, SELL, type Side } from '../terms/order-terms.ts';
import { closes, legNamed } from './reference-legs.ts';
import type { Refusal } from './reference-rules.ts';
import type { Posting, ReferenceState } from './reference-state.ts';
import { begunTerm, discounted } from './reference-terms.ts';

const MILLION = 1_000_000n;
const BILLION = 1_000_000_000n;

type OrderTerms = Pick<OpenOrder, 'owner' | 'side' | 'price'> & {
  readonly reduceOnly?: boolean | undefined;
  readonly positionSide?: PositionSide | undefined;
  readonly term?: PlaceOrder['term'];
};

/** Whose lots change hands. */
interface Moved {
  readonly owner: number;
  readonly side: Side;
  readonly leg: PositionLeg;
  readonly term?: PositionTerm | undefined;
  /** What the term may earn with it, and what one that was kept pays of its fee. */
  readonly cheaper?: bigint;
  readonly paid?: bigint;
}

export class ReferencePerpetuals {
  readonly #state: ReferenceState;

  constructor(state: ReferenceState) {
    this.#state = state;
  }

  holding(owner: number, market: number, leg: PositionLeg): HoldingRecord {
    const isIt = (one: HoldingRecord) => one.owner === owner && one.market === market && one.leg === leg;
    const found = this.#state.holdings.find(isIt);
    return (
      found ?? {
        owner,
        market,
        leg,
        leverage: DEFAULT_LEVERAGE,
        isIsolated: false,
        isHedged: false,
        position: undefined,
        margin: 0n,
        fundingIndex: 0n,
        term: undefined,
      }
    );
  }

  isHedged(owner: number, market: number): boolean {
    return this.holding(owner, market, 0).isHedged;
  }

  /** Why an order's leg is wrong. */
  legRefusal(market: number, order: Pick<PlaceOrder, 'owner' | 'side' | 'reduceOnly' | 'positionSide'>): Refusal {
    const { owner, side, positionSide, reduceOnly } = order;
    if (this.isHedged(owner, market) ? positionSide === undefined : positionSide !== undefined)
      return 'POSITION_SIDE_MISMATCH';
    const isOpening = (positionSide === 'long' && side === BUY) || (positionSide === 'short' && side === SELL);
    return isOpening && reduceOnly ? 'NOTHING_TO_CLOSE' : undefined;
  }

  /** What a position with a term has: its income at the mark less the funding that it owes, and that with its margin. */
  assets(holding: HoldingRecord): readonly [income: bigint, total: bigint] {
    const { isIsolated, margin, position, leverage } = holding;
    const income = this.worth(holding);
    return [income, income + (isIsolated ? margin : initialMargin(position!.cost, leverage))];
  }

  /** Whether a position's term is running and nothing lets it end early. */
  isBound(time: number, holding: HoldingRecord): boolean {
    const { term, position } = holding;
    if (term === undefined || position === undefined || time < term.startedAt || time >= term.endsAt) return false;
    const [income, total] = this.assets(holding);
    return !(income >= term.target || total <= term.floor);
  }

  /** An interval has ended: a long lot has paid so many billionths of a unit. */
  accrue(market: number, lot: bigint): void {
    for (const { owner, market: of, leg, position } of this.#state.holdings) {
      if (of !== market || position === undefined) continue;
      this.#state.accrue({ owner, market, leg }, BigInt(position.direction) * BigInt(position.lots) * lot);
    }
  }

  /** Funding that is not settled yet, in whole units: who pays pays the unit that is begun. */
  owed(holding: HoldingRecord): bigint {
    return divCeil(this.#state.accrued(holding), BILLION);
  }

  /** Settles it. */
  touch(time: number, spec: MarketSpec, owner: number, leg: PositionLeg): void {
    const holding = this.holding(owner, spec.id, leg);
    const fundingIndex = this.#state.fundingIndex(spec.id);
    if (holding.position === undefined || holding.fundingIndex === fundingIndex) return;
    const owed = this.owed(holding);
    this.#state.settled(holding);
    const funds = accountKey(SystemOwner.FUNDING, Wallet.SPOT, Bucket.AVAILABLE, spec.quote.id);
    // What is in there after this payment and owed to no position.
    const kept = ((this.#state.balance(funds) + owed) * BILLION + this.#unsettled(spec.quote.id)) / BILLION;
    const exchange = { funding: owed - kept, insurance: kept };
    if (!holding.isIsolated) {
      this.change(time, spec, { ...holding, fundingIndex }, { ...exchange, available: -owed }, 'funding', 0n, 0n, owed);
      this.#noteShort(owner, spec);
      return;
    }
    let margin = holding.margin - owed;
    if (margin < 0n) {
      exchange.insurance += margin;
      margin = 0n;
    }
    const moved = { ...exchange, margin: margin - holding.margin };
    this.change(time, spec, { ...holding, margin, fundingIndex }, moved, 'funding', 0n, 0n, owed);
  }

  /** Of all positions that settle in an asset, in billionths of a unit. */
  #unsettled(asset: number): bigint {
    return this.#state.holdings
      .filter(({ market }) => this.#state.market(market)!.spec.quote.id === asset)
      .reduce((sum, one) => sum + this.#state.accrued(one), 0n);
  }

  #noteShort(owner: number, spec: MarketSpec): void {
    const account = accountKey(owner, Wallet.FUTURE, Bucket.AVAILABLE, spec.quote.id);
    if (this.#state.balance(account) < 0n && !this.#state.short.includes(account)) this.#state.short.push(account);
  }

  /** Initial margin and fee, lot by lot. */
  reserve(spec: MarketSpec, order: OrderTerms, lots: number): bigint {
    if (order.reduceOnly) return 0n;
    const { leverage } = this.holding(order.owner, spec.id, legNamed(order));
    return this.reserveAt(spec, order, lots, leverage);
  }

  reserveAt(spec: MarketSpec, { price }: Pick<OpenOrder, 'price'>, lots: number, leverage: number): bigint {
    const lot = notionalOf(termsOf(spec), price, 1);
    return BigInt(lots) * (initialMargin(lot, leverage) + this.#takerFee(spec, lot));
  }

  free(owner: number, asset: number): bigint {
    const cross = this.crossOf(owner, asset);
    const profit = cross.reduce((sum, one) => sum + this.profit(one), 0n);
    const margin = cross.reduce((sum, one) => sum + initialMargin(one.position?.cost ?? 0n, one.leverage), 0n);
    const debts = cross.map((one) => this.owed(one)).filter((owed) => owed > 0n);
    const available = debts.reduce((left, owed) => left - owed, this.#balance(owner, Bucket.AVAILABLE, asset));
    return available - margin + (profit < 0n ? profit : 0n);
  }

  /** So many of an order's lots as would close something. */
  open(order: Pick<PlaceOrder, 'owner' | 'market' | 'side' | 'quantity' | 'positionSide'>): number {
    const { owner, market, side, quantity } = order;
    const holding = this.holding(owner, market, legNamed(order));
    return closes(side, holding) ? Math.min(quantity, holding.position!.lots) : 0;
  }

  /** Lots of a position that no order closes yet. */
  closable(order: Pick<PlaceOrder, 'owner' | 'market' | 'side' | 'positionSide'>): number {
    const open = this.open({ ...order, quantity: Number.POSITIVE_INFINITY });
    const orders = this.ordersOf(order.owner, order.market, legNamed(order));
    const closing = orders.filter(({ side }) => side === order.side);
    return open - closing.reduce((sum, order) => sum + order.remaining, 0);
  }

  /** @param wanted what is reserved now; `value` is that of all lots, `replaced` the value of the order that is replaced */
  refusal(
    spec: MarketSpec,
    order: OrderTerms,
    lots: number,
    value: bigint,
    cost: bigint,
    wanted: bigint,
    replaced: bigint,
  ): Refusal {
    const { owner, side, reduceOnly } = order;
    const leg = legNamed(order);
    const holding = this.holding(owner, spec.id, leg);
    const { position, isIsolated, margin } = holding;
    const closing = closes(side, holding) ? Math.min(lots, position!.lots) : 0;
    const worth = (value * BigInt(closing)) / BigInt(lots);
    const closedCost = closing === 0 ? 0n : (position!.cost * BigInt(closing)) / BigInt(position!.lots);
    const profit = closing === 0 ? 0n : (worth - closedCost) * BigInt(position!.direction);
    if (!reduceOnly) {
      if ((this.#state.pricing.get(spec.id)?.index ?? 0) === 0) return 'NO_INDEX';
      const opening = (value * BigInt(lots - closing)) / BigInt(lots) - replaced;
      if (this.exposure(holding, side) + opening > this.largestAt(spec, holding.leverage)) return 'ABOVE_RISK_LIMIT';
      const mark = this.markOf(spec.id);
      let more = 0n;
      if (mark > 0) {
        const bid = this.#state.queue(spec.id, BUY)[0]?.price ?? 0;
        const worst = side === SELL && bid > mark ? bid : mark;
        const atMark = this.reserve(spec, { ...order, price: worst }, lots);
        const loss = (value - notionalOf(termsOf(spec), mark, lots)) * (side === BUY ? 1n : -1n);
        if (atMark > cost) more += atMark - cost;
        if (loss > 0n) more += (loss * BigInt(lots - closing)) / BigInt(lots);
      }
      if (!isIsolated && profit < 0n) more -= profit;
      if (wanted + more > this.free(owner, spec.quote.id)) return 'INSUFFICIENT_FUNDS';
    }
    if (closing === 0) return undefined;
    const others = this.crossOf(owner, spec.quote.id).filter((one) => one.market !== spec.id || one.leg !== leg);
    const wallet = [Bucket.AVAILABLE, Bucket.HELD].map((bucket) => this.#balance(owner, bucket, spec.quote.id));
    const isTogether = this.#state.rules >= 5;
    const worths = others.map((one) => (isTogether ? this.#carefulWorth(one) : this.worth(one)));
    const has = isIsolated ? margin : [...wallet, ...worths].reduce((sum, one) => sum + one, 0n);
    if (isTogether) {
      const all = (value * BigInt(position!.lots)) / BigInt(lots);
      const won = (all - position!.cost) * BigInt(position!.direction);
      const fee = this.#takerFee(spec, all) + BigInt(position!.lots);
      return has - this.owed(holding) + won < fee ? 'INSUFFICIENT_FUNDS' : undefined;
    }
    return has - this.owed(holding) + profit < this.#takerFee(spec, worth) + BigInt(closing)
      ? 'INSUFFICIENT_FUNDS'
      : undefined;
  }

  /** One side of a trade. @returns the fee */
  settle(time: number, spec: MarketSpec, order: OrderTerms, price: number, lots: number, isMaker: boolean): bigint {
    const { owner, side } = order;
    const { makerPpm, takerPpm } = spec.perpetual!;
    const term = isMaker ? undefined : begunTerm(time, order.term);
    const isEarned = this.#state.rules >= 12;
    const feeAt = (ppm: number) => divCeil(notionalOf(termsOf(spec), price, lots) * BigInt(ppm), MILLION);
    const whole = feeAt(isMaker || (term && !isEarned) ? makerPpm : takerPpm);
    const cheaper = term && isEarned ? whole - feeAt(makerPpm) : 0n;
    // Funding comes first, and of what is open before this trade.
    this.touch(time, spec, owner, legNamed(order));
    const fee = whole - this.#paidByTerm(time, this.holding(owner, spec.id, legNamed(order)), side, whole);
    const released = isMaker ? this.reserve(spec, { ...order, price }, lots) : 0n;
    const isLiquidated = !isMaker && this.#state.liquidated === owner;
    const cause = isLiquidated ? 'liquidation' : 'trade';
    const moved = { owner, side, leg: legNamed(order), term, cheaper, paid: whole - fee };
    this.move(time, spec, moved, price, lots, fee, released, cause);
    return fee;
  }

  /** What a term that is over pays of the fee of closing. */
  #paidByTerm(time: number, holding: HoldingRecord, side: Side, fee: bigint): bigint {
    const { term } = holding;
    if (term === undefined || !closes(side, holding) || time < term.endsAt) return 0n;
    const { discount = 0n } = term;
    return discount < fee ? discount : fee;
  }

  /** Lots of an owner who buys or sells: the position, its postings and its event. @param released what an order had reserved */
  move(
    time: number,
    spec: MarketSpec,
    { owner, side, leg, term, cheaper = 0n, paid = 0n }: Moved,
    price: number,
    lots: number,
    fee: bigint,
    released: bigint,
    cause: PositionCause,
  ): void {
    const terms = termsOf(spec);
    this.touch(time, spec, owner, leg);
    const holding = this.holding(owner, spec.id, leg);
    const closing = closes(side, holding) ? Math.min(lots, holding.position!.lots) : 0;
    let { position, margin, term: kept } = holding;
    let discount = kept?.discount ?? 0n;
    let [realised, back, missing, own] = [0n, 0n, 0n, 0n];
    if (closing > 0) {
      const reduced = reduce(terms, position!, price, closing);
      const share = reduced.left === undefined ? margin : (margin * BigInt(closing)) / BigInt(position!.lots);
      realised = reduced.realised;
      margin -= share;
      back = share + realised;
      position = reduced.left;
      if (time >= (kept?.endsAt ?? 0)) discount -= paid;
      else discount = (discount * BigInt(holding.position!.lots - closing)) / BigInt(holding.position!.lots);
      if (position === undefined) kept = undefined;
      if (holding.isIsolated && back < 0n) {
        margin += back;
        back = 0n;
        if (margin < 0n) missing = -margin;
        margin += missing;
      }
    }
    if (lots > closing) {
      position = increase(terms, position, side === BUY ? LONG : SHORT, price, lots - closing);
      if (holding.isIsolated) own = initialMargin(notionalOf(terms, price, lots - closing), holding.leverage);
      margin += own;
    }
    const fundingIndex = position === undefined ? 0n : this.#state.fundingIndex(spec.id);
    if (position !== undefined && kept === undefined) kept = term;
    if (kept !== undefined) kept = discounted(kept, discount + (term === undefined ? 0n : cheaper));
    const after = { ...holding, position, margin, fundingIndex, term: kept };
    const { direction = 0 } = holding.position ?? {};
    if (direction !== 0 && position?.direction !== direction) {
      const ended = { owner, market: spec.id, leg, direction, at: this.#state.events.length };
      this.#state.ended = [...this.#state.ended, ended];
    }
    const moves = {
      available: released - fee + back - own,
      held: -released,
      margin: margin - holding.margin,
      ...{ clearing: -realised, fees: fee, insurance: -missing },
    };
    this.change(time, spec, after, moves, cause, realised, fee);
    this.#noteShort(owner, spec);
  }

  /** What cross positions of an account have won is taken, as much as is missing; then the insurance pays. */
  cover(time: number, owner: number, asset: number): void {
    const missing = () => -this.#balance(owner, Bucket.AVAILABLE, asset);
    const ascending = [...this.crossOf(owner, asset)].sort(
      (left, right) => left.market - right.market || right.leg - left.leg,
    );
    for (const holding of ascending) {
      const worth = this.worth(holding);
      const wanted = missing();
      if (worth <= 0n || wanted <= 0n) continue;
      let amount = wanted;
      if (worth < wanted) amount = worth;
      const position = holding.position!;
      const dearer = { ...position, cost: position.cost + BigInt(position.direction) * amount };
      const spec = this.#state.market(holding.market)!.spec;
      this.change(
        time,
        spec,
        { ...holding, position: dearer },
        { available: amount, clearing: -amount },
        'cover',
        amount,
      );
    }
    const amount = missing();
    if (amount <= 0n) return;
    const moves = [
      { account: accountKey(owner, Wallet.FUTURE, Bucket.AVAILABLE, asset), amount },
      { account: accountKey(SystemOwner.INSURANCE, Wallet.SPOT, Bucket.AVAILABLE, asset), amount: -amount },
    ];
    this.#state.post(
      moves.map((move): Posting => [move.account, move.amount]),
      true,
    );
    this.#state.events.push({ kind: 'loss-covered', owner, asset, amount, moves, time });
  }

  largestAt({ perpetual }: MarketSpec, leverage: number): bigint {
    const fitting = perpetual!.tiers.filter(({ maximumLeverage }) => maximumLeverage >= leverage);
    return fitting.at(-1)?.maximumNotional ?? 0n;
  }

  /** Writes what has become of a holding, its postings and its event. */
  change(
    time: number,
    spec: MarketSpec,
    after: HoldingRecord,
    moved: Partial<Record<'available' | 'held' | 'margin' | 'clearing' | 'fees' | 'funding' | 'insurance', bigint>>,
    cause: PositionCause,
    realised = 0n,
    fee = 0n,
    funding = 0n,
  ): void {
    const state = this.#state;
    const { owner, market, leg, position, margin, leverage, isIsolated, isHedged, fundingIndex, term } = after;
    const isIt = (one: HoldingRecord) => one.owner === owner && one.market === market && one.leg === leg;
    const place = state.holdings.findIndex(isIt);
    if (place < 0) state.holdings = [...state.holdings, after];
    else state.holdings = state.holdings.map((one) => (isIt(one) ? after : one));
    const of = (bucket: Bucket) => accountKey(owner, Wallet.FUTURE, bucket, spec.quote.id);
    const system = (one: SystemOwner) => accountKey(one, Wallet.SPOT, Bucket.AVAILABLE, spec.quote.id);
    const moves = [
      { account: of(Bucket.AVAILABLE), amount: moved.available ?? 0n },
      { account: of(Bucket.HELD), amount: moved.held ?? 0n },
      { account: of(Bucket.MARGIN), amount: moved.margin ?? 0n },
      { account: system(SystemOwner.CLEARING), amount: moved.clearing ?? 0n },
      { account: system(SystemOwner.FEES), amount: moved.fees ?? 0n },
      { account: system(SystemOwner.FUNDING), amount: moved.funding ?? 0n },
      { account: system(SystemOwner.INSURANCE), amount: moved.insurance ?? 0n },
    ].filter(({ amount }) => amount !== 0n);
    state.post(
      moves.map((move): Posting => [move.account, move.amount]),
      true,
    );
    const facts = { owner, market, leg, position, margin, leverage, isIsolated, isHedged, fundingIndex, term, cause };
    state.events.push({ kind: 'position-changed', ...facts, realised, fee, funding, moves, time });
  }

  #takerFee({ perpetual }: MarketSpec, value: bigint): bigint {
    return divCeil(value * BigInt(perpetual!.takerPpm), MILLION);
  }

  ordersOf(owner: number, market: number, leg: PositionLeg): readonly OpenOrder[] {
    const counted = [...this.#state.orders, ...this.#state.twaps.filter(({ reduceOnly }) => !reduceOnly)];
    const own = counted.filter((order) => order.owner === owner && order.market === market);
    return own.filter((order) => legNamed(order) === leg);
  }

  exposure(holding: HoldingRecord, side: Side): bigint {
    const { owner, market, leg, position } = holding;
    const terms = termsOf(this.#state.market(market)!.spec);
    const opening = this.ordersOf(owner, market, leg).filter((order) => order.side === side && !order.reduceOnly);
    const orders = opening.reduce((sum, { price, remaining }) => sum + notionalOf(terms, price, remaining), 0n);
    return orders + (position === undefined || closes(side, holding) ? 0n : position.cost);
  }

  markOf(market: number): number {
    const { markPrice, lastPrice } = this.#state.market(market)!.state;
    return markPrice === 0 ? lastPrice : markPrice;
  }

  profit({ market, position }: HoldingRecord): bigint {
    const mark = this.markOf(market);
    if (position === undefined || mark === 0) return 0n;
    return unrealised(termsOf(this.#state.market(market)!.spec), position, mark);
  }

  worth(holding: HoldingRecord): bigint {
    return this.profit(holding) - this.owed(holding);
  }

  /** At the index where that is worse than the mark. */
  #carefulWorth(holding: HoldingRecord): bigint {
    const { market, position } = holding;
    const worth = this.worth(holding);
    const index = this.#state.pricing.get(market)?.index ?? 0;
    if (position === undefined || index === 0 || this.markOf(market) === 0) return worth;
    const atIndex = unrealised(termsOf(this.#state.market(market)!.spec), position, index) - this.owed(holding);
    let worse = worth;
    if (atIndex < worse) worse = atIndex;
    return worse;
  }

  crossOf(owner: number, asset: number): readonly HoldingRecord[] {
    const isOf = (one: HoldingRecord) => one.owner === owner && !one.isIsolated && one.position !== undefined;
    return this.#state.holdings.filter((one) => isOf(one) && this.#state.market(one.market)!.spec.quote.id === asset);
  }

  #balance(owner: number, bucket: Bucket, asset: number): bigint {
    return this.#state.balance(accountKey(owner, Wallet.FUTURE, bucket, asset));
  }
}

function termsOf(spec: MarketSpec): PerpetualTerms {
  return perpetualTerms(spec, spec.perpetual!);
}
