/** Orders of clients: place, cancel, amend, and every list of them. */
import type { Fill, Order } from '@cambist/contract/trading.ts';
import { BUY, SELL } from '@cambist/core/exchange/command.ts';
import type { ExchangeEvent } from '@cambist/core/exchange/event.ts';
import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { formatLots } from '@cambist/core/money/price.ts';
import type { Identity } from '../../platform/calls.ts';
import { TIME_IN_FORCE } from '../engine/codec.ts';
import type { Engine } from '../engine/engine.ts';
import type { Submission } from '../engine/feed.ts';
import { FEE_TIERS, type FeeTier } from '../ledger/fee-tiers.ts';
import type { ReconcilerStore } from '../ledger/reconciler-store.ts';
import type { Marks } from '../liquidity/mark-prices.ts';
import { describeFill, describeOrder, figuresFromEvents } from './describe.ts';
import { describeRowTrigger } from './describe-trigger.ts';
import type { OrderError } from './errors.ts';
import type { OrderRow, OrderStore } from './order-store.ts';
import { type OrderInput, readOrder, readPrice, readQuantity } from './parse.ts';
import {
  type ConditionalAmendment,
  type ConditionalInput,
  readAmendment,
  readConditional,
} from './parse-conditional.ts';

export { isWaitingEvent, primaryTerms, type WaitingEvent } from '../engine/conditional-projection.ts';
export { FEE_TIERS } from '../ledger/fee-tiers.ts';
export { type ConditionalColumns, conditionalColumns } from './conditional-store.ts';
export { describeRowTrigger, describeTrigger } from './describe-trigger.ts';

/** Parts per million as a percentage with four decimals. */
export const feePercent = (ppm: number): string => formatAmount(BigInt(ppm), 4);

/** What trading needs to know of the pairs; the markets slice provides it. */
export interface MarketLookup {
  /** `BTC`, `BTCUSDT` or `BTC-USDT`, in any case. */
  resolve(name: string): MarketSpec | undefined;
  byId(id: number): MarketSpec;
}

/** The transaction password of an order: given with it, or not needed while the session is unlocked. */
export interface TradingPassword {
  check(identity: Identity, password: string | undefined): Promise<'ok' | 'required' | 'wrong'>;
}

/** The reconciler's alarms, as an operator handles them. */
export type AlarmDesk = Pick<ReconcilerStore, 'alarms' | 'acknowledge'>;

export interface TradingDeps {
  readonly engine: Engine;
  readonly markets: MarketLookup;
  readonly store: OrderStore;
  readonly password: TradingPassword;
  readonly marks: Pick<Marks, 'refresh'>;
}

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: OrderError };

/** What the client says an intent is called, and what the intent was. */
export interface IntentKey {
  readonly key: string;
  readonly fingerprint: string;
}

export interface PlaceInput extends OrderInput {
  readonly symbol: string;
  readonly password?: string | undefined;
}

export interface AmendInput {
  readonly price?: string | undefined;
  readonly quantity?: string | undefined;
  readonly password?: string | undefined;
}

export interface ListInput {
  readonly symbol?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

const REGULAR = FEE_TIERS[0] as FeeTier;

const fail = (error: OrderError): { ok: false; error: OrderError } => ({ ok: false, error });

export function createTradingService(deps: TradingDeps) {
  const { engine, markets, store } = deps;
  const { exchange, sequencer, idempotency, projector } = engine;

  async function submit(owner: number, submission: Submission, intent: IntentKey | undefined): Promise<Result<Sent>> {
    if (intent === undefined) return sent(await sequencer.submit(submission));
    const result = await idempotency.run(owner, intent.key, intent.fingerprint, () =>
      sequencer.submit(submission, intent),
    );
    return result.kind === 'key-reused' ? fail({ kind: 'key-reused' }) : sent(result.submitted);
  }

  async function checkPassword(identity: Identity, password: string | undefined): Promise<OrderError | undefined> {
    const answer = await deps.password.check(identity, password);
    if (answer === 'ok') return undefined;
    return { kind: answer === 'wrong' ? 'wrong-password' : 'password-required' };
  }

  /** From the command's own events where they tell it all, else from the tables. */
  async function readOrderBack(owner: number, orderId: number, events: readonly ExchangeEvent[]): Promise<Order> {
    const started = events.find((event) => event.kind === 'order-accepted');
    if (started !== undefined) {
      const market = markets.byId(started.market);
      const figures = figuresFromEvents(market, orderId, events);
      if (figures !== undefined) return describeOrder(market, figures);
    }
    await projector.caughtUp();
    const row = await store.order(owner, orderId);
    if (row === undefined) throw new Error(`Order ${orderId} was accepted but is not in the tables`);
    return describeRow(row);
  }

  function describeRow(row: OrderRow): Order {
    const market = markets.byId(row.market);
    return describeOrder(market, row, describeRowTrigger(market, row));
  }

  function parse(identity: Identity, input: PlaceInput): Result<Submission> {
    const market = markets.resolve(input.symbol);
    if (market === undefined) return fail({ kind: 'unknown-pair', name: input.symbol });
    return readOrder(identity.clientId, market, input);
  }

  async function place(identity: Identity, input: PlaceInput, intent?: IntentKey): Promise<Result<Order>> {
    const parsed = parse(identity, input);
    if (!parsed.ok) return parsed;
    const refused = await checkPassword(identity, input.password);
    if (refused) return fail(refused);
    return send(identity, parsed.value, intent);
  }

  /** For other slices: an order whose client has proven the transaction password to them. */
  async function placeProven(identity: Identity, input: OrderInput & { symbol: string }, intent: IntentKey) {
    const parsed = parse(identity, input);
    return parsed.ok ? send(identity, parsed.value, intent) : parsed;
  }

  /** What an intent has led to already; undefined when it is new. */
  async function placedBefore({ clientId }: Identity, intent: IntentKey): Promise<Result<Order> | undefined> {
    const earlier = await idempotency.recall(clientId, intent.key, intent.fingerprint);
    if (earlier === undefined) return undefined;
    if (earlier.kind === 'key-reused') return fail({ kind: 'key-reused' });
    const result = sent(earlier.submitted);
    return result.ok ? { ok: true, value: await readOrderBack(clientId, result.value.orderId, []) } : result;
  }

  /** Each order for itself; they reach the queue in their order, side by side. */
  async function placeMany(
    identity: Identity,
    inputs: readonly PlaceInput[],
    password: string | undefined,
    intents: readonly (IntentKey | undefined)[],
  ): Promise<Result<Result<Order>[]>> {
    const refused = await checkPassword(identity, password);
    if (refused) return fail(refused);
    const sending = inputs.map((input, index) => {
      const parsed = parse(identity, input);
      return parsed.ok ? send(identity, parsed.value, intents[index]) : Promise.resolve(parsed);
    });
    return { ok: true, value: await Promise.all(sending) };
  }

  async function send(
    identity: Identity,
    submission: Submission,
    intent: IntentKey | undefined,
  ): Promise<Result<Order>> {
    const result = await submit(identity.clientId, submission, intent);
    if (!result.ok) return result;
    return { ok: true, value: await readOrderBack(identity.clientId, result.value.orderId, result.value.events) };
  }

  async function cancel(identity: Identity, id: string, intent?: IntentKey): Promise<Result<Order>> {
    const orderId = Number(id);
    const owner = identity.clientId;
    const result = await submit(owner, { kind: 'cancel-order', orderId, owner }, intent);
    if (!result.ok) return result;
    return { ok: true, value: await readOrderBack(owner, orderId, []) };
  }

  /** An amend that is sent again after its order has ended gets its first answer; any other finds no order. */
  async function amendedBefore(
    identity: Identity,
    orderId: number,
    password: string | undefined,
    intent: IntentKey | undefined,
  ): Promise<Result<Order>> {
    const owner = identity.clientId;
    const earlier = intent && (await idempotency.recall(owner, intent.key, intent.fingerprint));
    if (earlier === undefined) return fail({ kind: 'order-not-found' });
    if (earlier.kind === 'key-reused') return fail({ kind: 'key-reused' });
    const refused = await checkPassword(identity, password);
    if (refused) return fail(refused);
    const result = sent(earlier.submitted);
    return result.ok ? { ok: true, value: await readOrderBack(owner, orderId, []) } : result;
  }

  async function amend(identity: Identity, id: string, input: AmendInput, intent?: IntentKey): Promise<Result<Order>> {
    const orderId = Number(id);
    const owner = identity.clientId;
    const open = exchange.openOrder(orderId);
    if (open === undefined || open.owner !== owner) return amendedBefore(identity, orderId, input.password, intent);
    const market = markets.byId(open.market);
    const unchanged = { ok: true as const, value: undefined };
    const price = input.price === undefined ? unchanged : readPrice(market, input.price);
    if (!price.ok) return price;
    const quantity = input.quantity === undefined ? unchanged : readQuantity(market, input.quantity);
    if (!quantity.ok) return quantity;
    const refused = await checkPassword(identity, input.password);
    if (refused) return fail(refused);
    await projector.caughtUp();
    const row = await store.order(owner, orderId);
    const timeInForce =
      TIME_IN_FORCE[row?.time_in_force ?? 0] === 'POST_ONLY' ? ('POST_ONLY' as const) : ('GTC' as const);
    const command = {
      kind: 'amend-order' as const,
      orderId,
      owner,
      price: price.value,
      quantity: quantity.value,
      timeInForce,
    };
    const result = await submit(owner, command, intent);
    if (!result.ok) return result;
    return { ok: true, value: await readOrderBack(owner, orderId, []) };
  }

  /** @returns how many orders were cancelled; 0 for a command that an earlier process has done */
  async function cancelAll(
    identity: Identity,
    symbol: string | undefined,
    intent?: IntentKey,
  ): Promise<Result<number>> {
    const market = symbol === undefined ? undefined : markets.resolve(symbol);
    if (symbol !== undefined && market === undefined) return fail({ kind: 'unknown-pair', name: symbol });
    const command = { kind: 'cancel-all-orders' as const, owner: identity.clientId, market: market?.id };
    const result = await submit(identity.clientId, command, intent);
    if (!result.ok) return result;
    const ended = result.value.events.filter(({ kind }) => kind === 'order-changed' || kind === 'waiting-ended');
    return { ok: true, value: ended.length };
  }

  async function placeConditional(
    identity: Identity,
    input: ConditionalInput,
    password: string | undefined,
    intent?: IntentKey,
  ): Promise<Result<Order>> {
    const market = markets.resolve(input.symbol);
    if (market === undefined) return fail({ kind: 'unknown-pair', name: input.symbol });
    const parsed = readConditional(identity.clientId, market, input);
    if (!parsed.ok) return parsed;
    const refused = await checkPassword(identity, password);
    if (refused) return fail(refused);
    if (input.trigger_by === 'mark') await deps.marks.refresh(market.id);
    return send(identity, parsed.value, intent);
  }

  async function amendConditional(
    identity: Identity,
    id: string,
    input: ConditionalAmendment,
    password: string | undefined,
    intent?: IntentKey,
  ): Promise<Result<Order>> {
    const waiting = exchange.waitingOrder(Number(id));
    if (waiting === undefined || waiting.owner !== identity.clientId) {
      return amendedBefore(identity, Number(id), password, intent);
    }
    const parsed = readAmendment(markets.byId(waiting.market), waiting, input);
    if (!parsed.ok) return parsed;
    const refused = await checkPassword(identity, password);
    if (refused) return fail(refused);
    return send(identity, parsed.value, intent);
  }

  async function filterOf(identity: Identity, input: ListInput) {
    await projector.caughtUp();
    const market = input.symbol === undefined ? undefined : markets.resolve(input.symbol);
    const before = input.before === undefined ? undefined : Number(input.before);
    return { owner: identity.clientId, market: market?.id, before, limit: input.limit };
  }

  return {
    place,
    placeProven,
    placedBefore,
    placeMany,
    cancel,
    cancelAll,
    amend,
    placeConditional,
    amendConditional,
    async openOrders(identity: Identity, input: ListInput): Promise<Order[]> {
      return (await store.open(await filterOf(identity, input))).map(describeRow);
    },
    async orderHistory(identity: Identity, input: ListInput): Promise<Order[]> {
      return (await store.ended(await filterOf(identity, input))).map(describeRow);
    },
    async ordersOfSide(identity: Identity, side: 'BUY' | 'SELL', input: ListInput): Promise<Order[]> {
      const filter = await filterOf(identity, input);
      return (await store.bySide({ ...filter, side: side === 'BUY' ? BUY : SELL })).map(describeRow);
    },
    async fills(identity: Identity, input: ListInput): Promise<Fill[]> {
      const rows = await store.fills(await filterOf(identity, input));
      return rows.map((row) => describeFill(markets.byId(row.market), row));
    },
    async limitsOf(identity: Identity, symbol: string): Promise<Result<OrderLimits>> {
      const market = markets.resolve(symbol);
      if (market === undefined) return fail({ kind: 'unknown-pair', name: symbol });
      const smallest = formatLots(market.minimumLots, market);
      const minimumTotal = formatAmount(market.minimumNotional, market.quote.scale);
      await projector.caughtUp();
      const fees = (await store.feesOf(identity.clientId)) ?? REGULAR;
      const credit = exchange.balance(accountKey(identity.clientId, Wallet.CREDIT, Bucket.AVAILABLE, market.quote.id));
      // Memory may be ahead of the commit for a moment; what is shown waits for it.
      await sequencer.settled();
      const feeCredit = formatAmount(credit, market.quote.scale);
      return { ok: true, value: { minimumQuantity: smallest, minimumTotal, feeCredit, ...fees } };
    },
  };
}

export interface OrderLimits extends FeeTier {
  readonly minimumQuantity: string;
  readonly minimumTotal: string;
  /** Quote coin. */
  readonly feeCredit: string;
}

interface Sent {
  readonly orderId: number;
  readonly events: readonly ExchangeEvent[];
}

function sent(submitted: Awaited<ReturnType<Engine['sequencer']['submit']>>): Result<Sent> {
  const { outcome, orderId, events } = submitted;
  if (!outcome.ok) return fail({ kind: 'rejected', reason: outcome.reason });
  return { ok: true, value: { orderId, events } };
}

export type TradingService = ReturnType<typeof createTradingService>;
