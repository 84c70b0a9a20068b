/**
 * A client's own orders, fills and balances, pushed as each batch is committed. Pushes are numbered for each client and
 * channel while anybody listens; who finds a gap reads the lists again.
 */
import type { ChannelArgument, StreamBalance, StreamFill, StreamOrder } from '@cambist/contract/stream.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import type { ExchangeEvent, OrderChanged, TradeExecuted, TradeSide } from '@cambist/core/events/event.ts';
import { accountKey, accountParts, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import { formatLots, formatTicks } from '@cambist/core/money/price.ts';
import type { BatchFeed, CommittedBatch, ExchangeView } from '../engine/feed.ts';
import { describeTrigger, isUntriggeredEvent, primaryTerms, type UntriggeredEvent } from '../orders/service.ts';
import type { Connection } from './connection.ts';
import { createOrderTracker, describeStreamOrder } from './order-tracker.ts';
import type { StreamStore } from './store.ts';
import type { PrivateChannel } from './topics.ts';

interface Deps {
  readonly feed: BatchFeed & {
    /** Resolves once everything that memory holds now is committed. */
    settled(): Promise<void>;
  };
  readonly view: ExchangeView;
  readonly specs: readonly MarketSpec[];
  readonly assets: readonly Asset[];
  readonly clock: { now(): number };
  readonly isClient: (owner: number) => boolean;
  readonly openOrdersOf: StreamStore['openOrdersOf'];
}

interface Listening {
  /** The argument as each connection gave it. */
  readonly connections: Map<Connection, ChannelArgument>;
  /** Connections that wait for their first balances: they are sent nothing before. */
  readonly waiting: Set<Connection>;
  seqId: number;
}

/** What one batch means for one client. */
interface ClientNews {
  readonly orders: Map<number, StreamOrder>;
  readonly fills: StreamFill[];
  readonly assets: Set<number>;
}

const statuses = {
  'order-untriggered': 'waiting',
  'trailing-activated': 'waiting',
  'order-triggered': 'fired',
  'untriggered-ended': 'ended',
} as const;

const keyOf = (owner: number, channel: PrivateChannel): string => `${owner}/${channel}`;

export function createPrivateHub({ feed, view, specs, assets, clock, isClient, openOrdersOf }: Deps) {
  const listening = new Map<string, Listening>();
  const owners = new Map<number, number>();
  const loaded = new Set<number>();
  /** Where connections wait for their first balances, with the owner. */
  const beginning = new Map<Listening, number>();
  const tracker = createOrderTracker(isClient);
  const assetById = new Map(assets.map((asset) => [asset.id, asset]));

  function balance(owner: number, assetId: number, time: number): StreamBalance {
    const { code, scale } = assetById.get(assetId)!;
    const available = view.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, assetId));
    const held = view.balance(accountKey(owner, Wallet.SPOT, Bucket.HELD, assetId));
    const text = (units: bigint) => formatAmount(units, scale);
    return {
      ccy: code,
      eq: text(available + held),
      availBal: text(available),
      frozenBal: text(held),
      uTime: String(time),
    };
  }

  /** @returns whether anybody listens */
  function push(owner: number, channel: PrivateChannel, data: readonly unknown[]): boolean {
    const listeners = listening.get(keyOf(owner, channel));
    if (listeners === undefined || data.length === 0) return false;
    const prevSeqId = listeners.seqId;
    listeners.seqId += 1;
    const now = clock.now();
    const rest = JSON.stringify({ data, seqId: listeners.seqId, prevSeqId }).slice(1);
    for (const [connection, arg] of listeners.connections) {
      if ((connection.login?.expiresAt ?? now) < now) connection.drop('session-ended');
      else if (!listeners.waiting.has(connection)) connection.sendText(`{"arg":${JSON.stringify(arg)},${rest}`);
    }
    return true;
  }

  function balances(owner: number): StreamBalance[] {
    const used = view.accountsOf(owner).map(accountParts);
    const spot = new Set(used.filter(({ wallet }) => wallet === Wallet.SPOT).map(({ asset }) => asset));
    return [...spot].map((asset) => balance(owner, asset, clock.now()));
  }

  /** The first balances of one connection; later pushes follow on. */
  function first(listeners: Listening, connection: Connection, data: readonly StreamBalance[]): void {
    listeners.waiting.delete(connection);
    const arg = listeners.connections.get(connection);
    connection.send({ arg, data, seqId: listeners.seqId, prevSeqId: -1 });
  }

  function fillOf(side: TradeSide, trade: TradeExecuted, isMaker: boolean): StreamFill {
    const spec = specs[trade.market]!;
    const isBuyer = (trade.takerSide === BUY) !== isMaker;
    const received = isBuyer ? spec.base : spec.quote;
    return {
      instId: spec.symbol,
      tradeId: String(trade.tradeId),
      ordId: String(side.orderId),
      side: isBuyer ? 'buy' : 'sell',
      fillPx: formatTicks(trade.price, spec),
      fillSz: formatLots(trade.quantity, spec),
      fee: formatAmount(-side.fee, received.scale),
      feeCcy: received.code,
      execType: isMaker ? 'M' : 'T',
      ts: String(trade.time),
    };
  }

  function onTrade(trade: TradeExecuted, newsOf: (owner: number) => ClientNews | undefined): void {
    for (const side of [trade.maker, trade.taker]) {
      tracker.fill(side, trade);
      newsOf(side.owner)?.fills.push(fillOf(side, trade, side === trade.maker));
    }
  }

  function onChange(change: OrderChanged, newsOf: (owner: number) => ClientNews | undefined): void {
    const order = tracker.get(change.orderId);
    if (order !== undefined) {
      newsOf(order.owner)?.orders.set(order.orderId, describeStreamOrder(order, change, specs[order.market]!));
    }
    if (change.status !== 'open') tracker.forget(change.orderId);
  }

  /** A conditional order waits, fires, or ends without being placed. */
  function onUntriggered(event: UntriggeredEvent, newsOf: (owner: number) => ClientNews | undefined): void {
    const { order, time } = event;
    const spec = specs[order.market]!;
    const before = tracker.get(order.orderId)?.trigger;
    const fired = event.kind === 'order-triggered' ? { leg: event.leg, price: event.price, time } : undefined;
    const described = describeTrigger(spec, order, { status: statuses[event.kind], fired });
    // What fired an order that was refused then was said just before.
    const { fired_leg, fired_price, fired_at } = event.kind === 'untriggered-ended' && before ? before : described;
    const trigger = { ...described, fired_leg, fired_price, fired_at };
    const terms = primaryTerms(order);
    const tracked = tracker.wait(event, terms, trigger);
    if (tracked === undefined || event.kind === 'order-triggered') return;
    const ended = event.kind === 'untriggered-ended' ? event.reason : undefined;
    const standing = { ...terms, time, status: ended ? 'cancelled' : 'open', reason: ended ?? 'NONE' } as const;
    newsOf(order.owner)?.orders.set(order.orderId, describeStreamOrder(tracked, standing, spec));
    if (ended !== undefined) tracker.forget(order.orderId);
  }

  function onEvent(event: ExchangeEvent, newsOf: (owner: number) => ClientNews | undefined): void {
    if (isUntriggeredEvent(event)) onUntriggered(event, newsOf);
    else if (event.kind === 'order-accepted') tracker.accept(event);
    else if (event.kind === 'trade') onTrade(event, newsOf);
    else if (event.kind === 'order-changed') onChange(event, newsOf);
    else if (event.kind === 'ledger') {
      for (const key of event.accounts) {
        const { owner, wallet, asset } = accountParts(key);
        if (wallet === Wallet.SPOT) newsOf(owner)?.assets.add(asset);
      }
    }
  }

  function onBatch(batch: CommittedBatch): void {
    const news = new Map<number, ClientNews>();
    const newsOf = (owner: number): ClientNews | undefined => {
      if (!owners.has(owner)) return undefined;
      const known = news.get(owner) ?? { orders: new Map(), fills: [], assets: new Set<number>() };
      news.set(owner, known);
      return known;
    };
    for (const event of batch.events) onEvent(event, newsOf);
    for (const [owner, { orders, fills, assets: changed }] of news) {
      push(owner, 'orders', [...orders.values()]);
      push(owner, 'fills', fills);
      push(
        owner,
        'account',
        [...changed].map((asset) => balance(owner, asset, batch.time)),
      );
    }
    // Memory holds nothing but committed batches in this step.
    for (const [listeners, owner] of beginning) {
      for (const connection of [...listeners.waiting]) first(listeners, connection, balances(owner));
    }
    beginning.clear();
  }

  const unsubscribe = feed.subscribe(onBatch);

  /** @returns the argument with which it was joined */
  function leave(connection: Connection, channel: PrivateChannel): ChannelArgument | undefined {
    const owner = connection.login?.clientId ?? 0;
    const key = keyOf(owner, channel);
    const listeners = listening.get(key);
    const arg = listeners?.connections.get(connection);
    if (listeners === undefined || arg === undefined) return undefined;
    listeners.connections.delete(connection);
    listeners.waiting.delete(connection);
    connection.topics.delete(channel);
    if (listeners.connections.size === 0) listening.delete(key);
    const left = (owners.get(owner) ?? 1) - 1;
    if (left === 0) owners.delete(owner);
    else owners.set(owner, left);
    return arg;
  }

  return {
    /** Reads a client's open orders from before this process began, once. Call it before the client joins. */
    async load(owner: number): Promise<void> {
      if (loaded.has(owner)) return;
      const { orders, lastTrade } = await openOrdersOf(owner);
      tracker.restore(orders, lastTrade);
      loaded.add(owner);
    },

    isLoaded: (owner: number): boolean => loaded.has(owner),

    /** `account` begins with every balance, once what memory holds is committed; the others with what happens next. */
    async join(connection: Connection, channel: PrivateChannel, arg: ChannelArgument): Promise<void> {
      const owner = connection.login!.clientId;
      const key = keyOf(owner, channel);
      const listeners = listening.get(key) ?? { connections: new Map(), waiting: new Set(), seqId: 0 };
      listening.set(key, listeners);
      if (!listeners.connections.has(connection)) owners.set(owner, (owners.get(owner) ?? 0) + 1);
      listeners.connections.set(connection, arg);
      connection.topics.add(channel);
      if (channel !== 'account') return;
      listeners.waiting.add(connection);
      beginning.set(listeners, owner);
      const data = balances(owner);
      try {
        await feed.settled();
      } catch {
        // The store is away: the batch in hand is retried, and brings them once it is committed.
        return;
      }
      // A batch that was committed meanwhile has brought newer ones.
      if (listeners.waiting.has(connection)) first(listeners, connection, data);
      if (listeners.waiting.size === 0) beginning.delete(listeners);
    },

    leave,

    /** For what other slices have to tell a client. */
    push,

    /** Tells one connection alone, outside the numbering of its channel. */
    tell(connection: Connection, channel: PrivateChannel, data: readonly unknown[]): void {
      if (connection.topics.has(channel)) connection.send({ arg: { channel }, data });
    },

    leaveAll(connection: Connection): void {
      for (const channel of [...connection.topics]) leave(connection, channel as PrivateChannel);
    },

    close: unsubscribe,
  };
}

export type PrivateHub = ReturnType<typeof createPrivateHub>;
