/** Orders of clients: place, cancel, amend, and every list of them. */
import type { ClosedInParts } from '@cambist/contract/futures.ts';
import type { Order } from '@cambist/contract/trading.ts';
import { propertiesOf } from '@cambist/core/exchange/command-codec.ts';
import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { formatLots } from '@cambist/core/money/price.ts';
import type { OrderView } from '@cambist/core/orders/order-view.ts';
import type { Identity, Refusal } from '../../platform/calls.ts';
import type { IntentKey } from '../../platform/intent.ts';
import type { Engine } from '../engine/engine.ts';
import { NotAccepted, OutcomeUnknown, type Submission, type Submitted } from '../engine/feed.ts';
import type { CommandKey } from '../engine/journal.ts';
import type { FeeTier } from '../ledger/fee-tiers.ts';
import { boundOf, pauseEndOf } from './bounds.ts';
import { type Debtors, waitsForDebt } from './debtors.ts';
import { describeOrder, describeParts } from './describe.ts';
import type { OrderError } from './errors.ts';
import type { OrderStore } from './order-store.ts';
import { type OrderInput, readPrice, readQuantity } from './parse.ts';
import {
  type ConditionalAmendment,
  type ConditionalInput,
  readAmendment,
  readConditional,
} from './parse-conditional.ts';
import { type ExitInput, readEntry } from './parse-exits.ts';
import { SIDES, type WantedMarkets, type WantedOrders } from './wanted.ts';

export { newConversionName } from './conversions.ts';
export type { FillRow, FillStore } from './fill-store.ts';
export type { TradeRow, TradeStore } from './trade-store.ts';

/** What orders need to know of the pairs; the instruments slice provides it. */
export interface MarketLookup {
  /** `BTC`, `BTCUSDT` or `BTC-USDT`, in any case; undefined for none, or for one that is delisted. */
  resolve(name: string): MarketSpec | undefined;
  byId(id: number): MarketSpec;
  /** Every market that has had this name, delisted ones too. */
  everNamed(name: string): readonly number[];
  /** Every market that has had a name, or all of a kind, delisted ones too; undefined for a name that none has had. */
  wanted(which: WantedMarkets): readonly number[] | undefined;
}

/** The transaction password of an order: given with it, or not needed while the session is unlocked. */
export interface TradingPassword {
  check(identity: Identity, password: string | undefined): Promise<'ok' | 'required' | 'wrong'>;
}

export interface TradingDeps {
  readonly engine: Pick<Engine, 'exchange' | 'sequencer' | 'idempotency' | 'projector'>;
  readonly markets: MarketLookup;
  readonly store: OrderStore;
  readonly password: TradingPassword;
  /** Why an owner may do nothing now, known in the step in which a command is queued. */
  readonly shutOut: (owner: number) => Refusal | undefined;
  readonly debtors: Debtors;
  /** Brings the mark price of one pair up to date. */
  readonly refreshMark: (market: number) => Promise<void>;
}

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: OrderError };

export interface PlaceInput extends OrderInput {
  readonly symbol: string;
  readonly exits?: ExitInput | undefined;
  readonly password?: string | undefined;
}

/** A command that closes a position, without what the sequencer adds. */
export type Closing = Extract<Submission, { kind: 'close-position' }>;

export interface Closed {
  /** The first one. */
  readonly order: Order;
  /** What all orders together have come to; absent where one was enough. */
  readonly in_parts?: ClosedInParts;
}

/** What may be triggered by the mark price. */
interface MarkUser {
  readonly symbol: string;
  readonly exits?: Pick<ExitInput, 'trigger_by'> | undefined;
}

export interface AmendInput {
  readonly price?: string | undefined;
  readonly quantity?: string | undefined;
  readonly password?: string | undefined;
}

export interface ListInput {
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface OrderLimits extends FeeTier {
  readonly minimumQuantity: string;
  readonly minimumTotal: string;
  /** How far from the last price an order may be; 0 for no such limit. */
  readonly priceBandPpm: number;
  /** Quote coin. */
  readonly feeCredit: string;
}

/** Before a client order id, where an order is named by it. */
const BY_CLIENT = 'client:';

class ShutOut extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super('The owner is shut out');
    this.refusal = refusal;
  }
}

const fail = (error: OrderError): { ok: false; error: OrderError } => ({ ok: false, error });

export class TradingService {
  readonly #deps: TradingDeps;

  constructor(deps: TradingDeps) {
    this.#deps = deps;
  }

  async place(identity: Identity, input: PlaceInput, intent?: IntentKey): Promise<Result<Order>> {
    const parsed = this.#parse(identity, input);
    if (!parsed.ok) return parsed;
    const refused = (await this.checkPassword(identity, input.password)) ?? (await this.#freshMarks([input]));
    if (refused) return fail(refused);
    return this.#send(identity.clientId, parsed.value, intent);
  }

  /** For other slices: an order whose client has proven the transaction password to them. */
  async placeProven(identity: Identity, input: OrderInput & { symbol: string }, intent?: IntentKey) {
    const parsed = this.#parse(identity, input);
    return parsed.ok ? this.#send(identity.clientId, parsed.value, intent) : parsed;
  }

  /** For other slices: closes a position, or turns it round. The client has proven the transaction password to them. */
  async close(owner: number, command: Closing, intent: IntentKey | undefined): Promise<Result<Closed>> {
    const result = await this.submit(owner, command, intent);
    return result.ok ? this.#closed(owner, result.value) : this.#withBound(command, result);
  }

  /** What an intent has led to already; undefined when it is new. */
  async placedBefore({ clientId }: Identity, intent: IntentKey): Promise<Result<Order> | undefined> {
    const result = await this.#before(clientId, intent);
    return result?.ok ? this.#answer(clientId, result.value) : result;
  }

  /** The same of one that closed a position. */
  async closedBefore({ clientId }: Identity, intent: IntentKey): Promise<Result<Closed> | undefined> {
    const result = await this.#before(clientId, intent);
    return result?.ok ? this.#closed(clientId, result.value) : result;
  }

  async #before(owner: number, intent: IntentKey): Promise<Result<Submitted> | undefined> {
    const earlier = await this.#deps.engine.idempotency.recall(owner, intent.key, intent.fingerprint);
    if (earlier === undefined) return undefined;
    return earlier.kind === 'key-reused' ? fail({ kind: 'key-reused' }) : accepted(earlier.submitted);
  }

  async #closed(owner: number, submitted: Submitted): Promise<Result<Closed>> {
    const view = await this.#view(owner, submitted);
    if (!view.ok) return view;
    // What an earlier process has answered is in the tables.
    const isKnown = submitted.order !== undefined;
    const parts = isKnown ? submitted.parts : await this.#deps.store.closing(owner, submitted.id);
    const market = this.#deps.markets.byId(view.value.market);
    const in_parts = parts && describeParts(market, parts);
    return { ok: true, value: { order: describeOrder(market, view.value), ...(in_parts && { in_parts }) } };
  }

  /** Each order for itself, its failures too; they reach the queue in their order, side by side. */
  async placeMany(
    identity: Identity,
    inputs: readonly PlaceInput[],
    password: string | undefined,
    intents: readonly (IntentKey | undefined)[],
  ): Promise<Result<Result<Order>[]>> {
    const refused = (await this.checkPassword(identity, password)) ?? (await this.#freshMarks(inputs));
    if (refused) return fail(refused);
    const sending = inputs.map((input, index) => {
      const parsed = this.#parse(identity, input);
      return parsed.ok ? this.#send(identity.clientId, parsed.value, intents[index]) : Promise.resolve(parsed);
    });
    return { ok: true, value: await Promise.all(sending) };
  }

  async cancel(owner: number, name: string, intent?: IntentKey): Promise<Result<Order>> {
    return this.#send(owner, { kind: 'cancel-order', orderId: this.#idOf(owner, name), owner }, intent);
  }

  /** Each order for itself, as `placeMany`. */
  async cancelMany(
    owner: number,
    names: readonly string[],
    intents: readonly (IntentKey | undefined)[],
  ): Promise<Result<Order>[]> {
    return Promise.all(names.map((name, index) => this.cancel(owner, name, intents[index])));
  }

  async amend(identity: Identity, name: string, input: AmendInput, intent?: IntentKey): Promise<Result<Order>> {
    const owner = identity.clientId;
    const orderId = this.#idOf(owner, name);
    const open = this.#deps.engine.exchange.openOrder(orderId);
    if (this.#deps.engine.exchange.twap(orderId)?.owner === owner)
      return fail({ kind: 'rejected', reason: 'NOT_AMENDABLE' });
    if (open === undefined || open.owner !== owner) return this.#amendedBefore(identity, input.password, intent);
    const market = this.#deps.markets.byId(open.market);
    const unchanged = { ok: true as const, value: undefined };
    const price = input.price === undefined ? unchanged : readPrice(market, input.price);
    if (!price.ok) return price;
    const quantity = input.quantity === undefined ? unchanged : readQuantity(market, input.quantity);
    if (!quantity.ok) return quantity;
    const refused = await this.checkPassword(identity, input.password);
    if (refused) return fail(refused);
    const command = { kind: 'amend-order' as const, orderId, owner, price: price.value, quantity: quantity.value };
    return this.#send(identity.clientId, command, intent);
  }

  /**
   * Of one pair, of a kind, or without either of all; of both sides unless one is named.
   * @returns how many orders were cancelled; 0 for a command that an earlier process has done
   */
  async cancelAll({ clientId }: Identity, which: WantedOrders, intent?: IntentKey): Promise<Result<number>> {
    const { symbol, market: kind, side } = which;
    if (symbol === undefined && kind !== undefined) return this.#cancelKind(clientId, which, intent);
    const market = symbol === undefined ? undefined : this.#deps.markets.resolve(symbol);
    if (symbol !== undefined && market === undefined) return fail({ kind: 'unknown-pair', name: symbol });
    return this.#cancelIn(clientId, { market: market?.id, side }, intent);
  }

  /**
   * Cancels, for the exchange, what an owner has open, but for what only reduces a position. What the owner has queued comes before
   * it; who is shut out already queues nothing more.
   * @returns how many orders were cancelled
   */
  async stopOrders(owner: number): Promise<Result<number>> {
    const result = await this.submit(owner, { kind: 'stop-orders', owner }, undefined);
    return result.ok ? { ok: true, value: result.value.ended } : result;
  }

  async #cancelIn(
    owner: number,
    { market, side }: Pick<WantedOrders, 'side'> & { readonly market: number | undefined },
    intent?: IntentKey,
  ): Promise<Result<number>> {
    const command = { kind: 'cancel-all-orders', owner, market, side: side && SIDES[side] } as const;
    const result = await this.submit(owner, command, intent);
    return result.ok ? { ok: true, value: result.value.ended } : result;
  }

  /** A command for each market where something is open; one key is a key for each of them. */
  async #cancelKind(owner: number, which: WantedOrders, intent?: IntentKey): Promise<Result<number>> {
    const { exchange } = this.#deps.engine;
    const open = [exchange.openOrdersOf(owner), exchange.untriggeredOrdersOf(owner), exchange.twaps(owner)];
    const used = new Set(open.flatMap((orders) => orders.map(({ market }) => market)));
    const markets = (this.#deps.markets.wanted(which) ?? []).filter((id) => used.has(id));
    const keyOf = (market: number) => intent && { ...intent, key: `${intent.key}:${market}` };
    const results = await Promise.all(
      markets.map((market) => this.#cancelIn(owner, { market, side: which.side }, keyOf(market))),
    );
    const failed = results.find((result) => !result.ok);
    const cancelled = results.reduce((sum, result) => sum + (result.ok ? result.value : 0), 0);
    return failed ?? { ok: true, value: cancelled };
  }

  async placeConditional(
    identity: Identity,
    input: ConditionalInput,
    password: string | undefined,
    intent?: IntentKey,
  ): Promise<Result<Order>> {
    const market = this.#deps.markets.resolve(input.symbol);
    if (market === undefined) return fail({ kind: 'unknown-pair', name: input.symbol });
    const parsed = readConditional(identity.clientId, market, input);
    if (!parsed.ok) return parsed;
    const refused =
      (await this.checkPassword(identity, password)) ??
      (await this.#freshMarks([{ symbol: input.symbol, exits: input }]));
    if (refused) return fail(refused);
    return this.#send(identity.clientId, parsed.value, intent);
  }

  async amendConditional(
    identity: Identity,
    name: string,
    input: ConditionalAmendment,
    password: string | undefined,
    intent?: IntentKey,
  ): Promise<Result<Order>> {
    const order = this.#deps.engine.exchange.untriggeredOrder(this.#idOf(identity.clientId, name));
    if (order === undefined || order.owner !== identity.clientId) {
      return this.#amendedBefore(identity, password, intent);
    }
    const parsed = readAmendment(this.#deps.markets.byId(order.market), order, input);
    if (!parsed.ok) return parsed;
    const refused = await this.checkPassword(identity, password);
    if (refused) return fail(refused);
    return this.#send(identity.clientId, parsed.value, intent);
  }

  /** Of one pair or all of a kind; a name stands for every market that has had it. */
  async openOrders(identity: Identity, input: ListInput & WantedMarkets): Promise<Result<Order[]>> {
    const markets = this.#deps.markets.wanted(input);
    if (markets === undefined) return fail({ kind: 'unknown-pair', name: input.symbol ?? '' });
    const filter = await this.#filterOf(identity, input);
    return { ok: true, value: this.#describeAll(await this.#deps.store.open({ ...filter, markets })) };
  }

  /** Open or ended, with everything that was acknowledged. */
  async order({ clientId }: Identity, name: string): Promise<Result<Order>> {
    return this.#described(await this.#stored(clientId, this.#idOf(clientId, name)));
  }

  async ordersOfSide(identity: Identity, side: 'BUY' | 'SELL', input: ListInput & WantedMarkets): Promise<Order[]> {
    const markets = this.#deps.markets.wanted(input) ?? [];
    const filter = await this.#filterOf(identity, input);
    return this.#describeAll(await this.#deps.store.bySide({ ...filter, markets, side: SIDES[side] }));
  }

  async limitsOf(identity: Identity, symbol: string): Promise<Result<OrderLimits>> {
    const { engine, markets } = this.#deps;
    const market = markets.resolve(symbol);
    if (market === undefined) return fail({ kind: 'unknown-pair', name: symbol });
    const { exchange, sequencer } = engine;
    const minimumQuantity = formatLots(market.minimumLots, market);
    const minimumTotal = formatAmount(market.minimumNotional, market.quote.scale);
    const { priceBandPpm, perpetual } = market;
    const fees = perpetual ?? exchange.feesOf(identity.clientId);
    const creditAccount = accountKey(identity.clientId, Wallet.CREDIT, Bucket.AVAILABLE, market.quote.id);
    // Fee credit pays the fees of spot trades alone.
    const credit = perpetual === undefined ? exchange.balance(creditAccount) : 0n;
    // Memory may be ahead of the commit for a moment; what is shown waits for it.
    await sequencer.settled();
    return {
      ok: true,
      value: {
        minimumQuantity,
        minimumTotal,
        priceBandPpm,
        feeCredit: formatAmount(credit, market.quote.scale),
        makerPpm: fees.makerPpm,
        takerPpm: fees.takerPpm,
      },
    };
  }

  /** Brings the mark price up to date where orders are triggered by it. */
  async #freshMarks(inputs: readonly MarkUser[]): Promise<OrderError | undefined> {
    const { markets, refreshMark } = this.#deps;
    const byMark = inputs.filter(({ exits }) => exits?.trigger_by === 'mark');
    const ids = new Set(byMark.flatMap(({ symbol }) => markets.resolve(symbol)?.id ?? []));
    try {
      for (const id of ids) await refreshMark(id);
      return undefined;
    } catch (error) {
      // The orders themselves were not sent yet.
      if (error instanceof NotAccepted) return notAccepted(error);
      if (error instanceof OutcomeUnknown) return { kind: 'not-accepted', retryAfterSeconds: 1 };
      throw error;
    }
  }

  /** The id of an order named as in the contract; 0 for one that no order can have, or a client order id that none has now. */
  #idOf(owner: number, name: string): number {
    const id = Number(name);
    if (!name.startsWith(BY_CLIENT)) return Number.isSafeInteger(id) ? id : 0;
    return this.#deps.engine.exchange.orderIdOf(owner, name.slice(BY_CLIENT.length));
  }

  #parse(identity: Identity, input: PlaceInput): Result<Submission> {
    const market = this.#deps.markets.resolve(input.symbol);
    if (market === undefined) return fail({ kind: 'unknown-pair', name: input.symbol });
    return readEntry(identity.clientId, market, input);
  }

  /** Whether an order may be placed with this transaction password, or without one; undefined where it may. */
  async checkPassword(identity: Identity, password: string | undefined): Promise<OrderError | undefined> {
    const answer = await this.#deps.password.check(identity, password);
    if (answer === 'ok') return undefined;
    return { kind: answer === 'wrong' ? 'wrong-password' : 'password-required' };
  }

  /** For other slices too: a command of a client's own. */
  async submit(owner: number, submission: Submission, intent: IntentKey | undefined): Promise<Result<Submitted>> {
    const { sequencer, idempotency } = this.#deps.engine;
    try {
      const key = intent && { owner, ...intent };
      const submit = () => this.#queue(owner, submission, key);
      if (intent === undefined) return accepted(await sequencer.answered(submit()));
      const result = await sequencer.answered(idempotency.run(owner, intent.key, intent.fingerprint, submit));
      return result.kind === 'key-reused' ? fail({ kind: 'key-reused' }) : accepted(result.submitted);
    } catch (error) {
      if (error instanceof NotAccepted) return fail(notAccepted(error));
      if (error instanceof OutcomeUnknown) return fail({ kind: 'outcome-unknown' });
      if (error instanceof ShutOut) return fail({ kind: 'shut-out', refusal: error.refusal });
      throw error;
    }
  }

  /** What is in the queue cannot be taken back, so whether its owner may still act is asked in the step that puts it there. */
  #queue(owner: number, submission: Submission, key: CommandKey | undefined): Promise<Submitted> {
    if (propertiesOf(submission.kind).whenFrozen === 'allowed')
      return this.#deps.engine.sequencer.submit(submission, key);
    const refused = this.#deps.shutOut(owner) ?? this.#debtRefusal(owner, submission);
    if (refused === undefined) return this.#deps.engine.sequencer.submit(submission, key);
    return Promise.reject(new ShutOut(refused));
  }

  #debtRefusal(owner: number, submission: Submission): Refusal | undefined {
    const { debtors, engine, markets } = this.#deps;
    const refused = debtors.refusalOf(owner);
    if (refused === undefined) return undefined;
    const deps = { exchange: engine.exchange, marketOf: (id: number) => markets.byId(id) };
    return waitsForDebt(submission, debtors.owedBy(owner), deps) ? refused : undefined;
  }

  async #send(owner: number, submission: Submission, intent: IntentKey | undefined): Promise<Result<Order>> {
    const result = await this.submit(owner, submission, intent);
    return result.ok ? this.#answer(owner, result.value) : this.#withBound(submission, result);
  }

  #withBound(submission: Submission, refusal: Result<never> & { readonly ok: false }): Result<never> {
    const { error } = refusal;
    if (error.kind !== 'rejected') return refusal;
    const { engine, markets } = this.#deps;
    const bound = boundOf(engine.exchange, (id) => markets.byId(id), submission, error.reason);
    const resumesAt = error.reason === 'MARKET_PAUSED' ? pauseEndOf(engine.exchange, submission) : undefined;
    return fail({ ...error, bound, ...(resumesAt !== undefined && { resumesAt }) });
  }

  /** The order as the command left it; for a command that an earlier process has done, as the tables have it. */
  async #answer(owner: number, submitted: Submitted): Promise<Result<Order>> {
    return this.#described(await this.#view(owner, submitted));
  }

  async #view(owner: number, { id, order }: Submitted): Promise<Result<OrderView>> {
    return order === undefined ? this.#stored(owner, id) : { ok: true, value: order };
  }

  async #stored(owner: number, id: number): Promise<Result<OrderView>> {
    await this.#deps.engine.projector.caughtUp();
    const stored = await this.#deps.store.order(owner, id);
    return stored === undefined ? fail({ kind: 'order-not-found' }) : { ok: true, value: stored };
  }

  #described(view: Result<OrderView>): Result<Order> {
    return view.ok ? { ok: true, value: this.#describe(view.value) } : view;
  }

  /** An amend that is sent again after its order has ended gets its first answer; any other finds no order. */
  async #amendedBefore(
    identity: Identity,
    password: string | undefined,
    intent: IntentKey | undefined,
  ): Promise<Result<Order>> {
    const owner = identity.clientId;
    const earlier = intent && (await this.#deps.engine.idempotency.recall(owner, intent.key, intent.fingerprint));
    if (earlier === undefined) return fail({ kind: 'order-not-found' });
    if (earlier.kind === 'key-reused') return fail({ kind: 'key-reused' });
    const refused = await this.checkPassword(identity, password);
    if (refused) return fail(refused);
    const result = accepted(earlier.submitted);
    return result.ok ? this.#answer(owner, result.value) : result;
  }

  #describe(order: OrderView): Order {
    return describeOrder(this.#deps.markets.byId(order.market), order);
  }

  #describeAll(orders: readonly OrderView[]): Order[] {
    return orders.map((order) => this.#describe(order));
  }

  async #filterOf(identity: Identity, input: ListInput) {
    await this.#deps.engine.projector.caughtUp();
    const before = input.before === undefined ? undefined : Number(input.before);
    return { owner: identity.clientId, before, limit: input.limit };
  }
}

const notAccepted = ({ retryAfterSeconds }: NotAccepted) => ({ kind: 'not-accepted', retryAfterSeconds }) as const;

function accepted(submitted: Submitted): Result<Submitted> {
  const { outcome } = submitted;
  return outcome.ok ? { ok: true, value: submitted } : fail({ kind: 'rejected', reason: outcome.reason });
}
