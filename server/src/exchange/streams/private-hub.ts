/**
 * A client's own orders, fills and balances, pushed as each batch is committed. Pushes are numbered for each client and
 * channel while anybody listens; who finds a gap reads the lists again.
 */
import type { ChannelArgument, PrivateChannel } from '@cambist/contract/stream.ts';
import type { Fill, Order } from '@cambist/contract/trading.ts';
import type { ObjectEvent } from '@cambist/core/events/event.ts';
import type { EventBatch, EventReader } from '@cambist/core/events/event-batch.ts';
import { accountParts, Wallet } from '@cambist/core/ledger/account.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { isOneConditional, type OrderView, type OrderViews } from '@cambist/core/orders/order-view.ts';
import type { Moments } from '../../platform/moments.ts';
import type { BatchFeed, CommittedBatch, ExchangeView } from '../engine/feed.ts';
import type { Catalogue } from '../instruments/service.ts';
import { describeOrder } from '../orders/describe.ts';
import { Changes } from './changes.ts';
import type { Connection } from './connection.ts';
import { describeRecordedFill } from './describe.ts';
import { EntryNews } from './entry-news.ts';
import { OwnerBalances } from './owner-balances.ts';

/** The feed, and how far memory and store have come. */
export interface PrivateFeed extends BatchFeed {
  readonly appliedBatch: number;
  readonly committedBatch: number;
}

interface Deps {
  readonly feed: PrivateFeed;
  readonly view: Pick<ExchangeView, 'accountsOf' | 'balance' | 'openOrder'>;
  readonly views: OrderViews;
  readonly catalogue: Catalogue;
  readonly clock: { now(): number };
  readonly moments: Moments;
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
  readonly orders: Map<number, Order>;
  readonly fills: Fill[];
}

const keyOf = (owner: number, channel: PrivateChannel): string => `${owner}/${channel}`;

/** Notes whose orders a record has changed. */
function noteOrders(changes: Changes, moment: number): EventReader {
  const note = (owner: number, channel: 'orders' | 'fills') => changes.note(owner, channel, moment);
  return {
    trade: (events, at) => {
      note(events.owner(at), 'fills');
      note(events.takerOwner(at), 'fills');
    },
    order: (events, at) => note(events.owner(at), 'orders'),
    object: (event) => {
      if (event.kind === 'exit-plan-changed') note(event.plan.owner, 'orders');
      else if (isOneConditional(event)) note(event.order.owner, 'orders');
    },
  };
}

export class PrivateHub {
  readonly #deps: Deps;
  readonly #listening = new Map<string, Listening>();
  /** How many subscriptions each owner has. */
  readonly #owners = new Map<number, number>();
  readonly #balances: OwnerBalances;
  readonly #entries: EntryNews;
  readonly #changes: Changes;
  /** Owners whose first balances wait for a batch, by owner. */
  readonly #beginning = new Map<number, number>();
  readonly #unsubscribe: () => void;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#balances = new OwnerBalances(deps.view, (id) => deps.catalogue.assetById(id));
    this.#entries = new EntryNews(deps.view, deps.views);
    this.#changes = new Changes(deps.moments);
    this.#unsubscribe = deps.feed.subscribe((batch) => this.#onBatch(batch));
  }

  /** `account` begins with every balance, once what memory holds is committed; the others with what happens next. */
  join(connection: Connection, channel: PrivateChannel, arg: ChannelArgument): void {
    const owner = connection.login!.clientId;
    const key = keyOf(owner, channel);
    const listeners = this.#listening.get(key) ?? { connections: new Map(), waiting: new Set(), seqId: 0 };
    this.#listening.set(key, listeners);
    if (!listeners.connections.has(connection)) this.#owners.set(owner, (this.#owners.get(owner) ?? 0) + 1);
    listeners.connections.set(connection, arg);
    connection.topics.add(channel);
    if (channel !== 'account') return;
    const { feed } = this.#deps;
    const batch = this.#balances.follow(owner, feed.appliedBatch);
    listeners.waiting.add(connection);
    if (batch > feed.committedBatch) this.#beginning.set(owner, batch);
    else this.#sendFirst(owner, listeners);
  }

  /** @returns the argument with which it was joined */
  leave(connection: Connection, channel: PrivateChannel): ChannelArgument | undefined {
    const owner = connection.login?.clientId ?? 0;
    const key = keyOf(owner, channel);
    const listeners = this.#listening.get(key);
    const arg = listeners?.connections.get(connection);
    if (listeners === undefined || arg === undefined) return undefined;
    listeners.connections.delete(connection);
    listeners.waiting.delete(connection);
    connection.topics.delete(channel);
    if (listeners.connections.size === 0) {
      this.#listening.delete(key);
      if (channel === 'account') this.#balances.forget(owner);
    }
    const left = (this.#owners.get(owner) ?? 1) - 1;
    if (left === 0) this.#owners.delete(owner);
    else this.#owners.set(owner, left);
    return arg;
  }

  leaveAll(connection: Connection): void {
    for (const channel of [...connection.topics]) this.leave(connection, channel as PrivateChannel);
  }

  /** Whether a client has a page that listens to a channel. */
  isHeard(owner: number, channel: PrivateChannel): boolean {
    return this.#listening.has(keyOf(owner, channel));
  }

  /** Notes that what a channel tells of has changed, whether or not it is told. */
  note(owner: number, channel: PrivateChannel): void {
    this.#changes.note(owner, channel);
  }

  /** When what a channel tells a client of changed last; undefined where not all of that is noted. */
  lastChange(owner: number, channel: PrivateChannel): string | undefined {
    if (channel === 'account-state') return undefined;
    return this.#deps.moments.textOf(this.#changes.lastOf(owner, channel));
  }

  /** For what other slices push to a client. @returns whether anybody listens */
  push(owner: number, channel: PrivateChannel, data: readonly unknown[]): boolean {
    return this.#push(owner, channel, data, this.#changes.note(owner, channel));
  }

  #push(owner: number, channel: PrivateChannel, data: readonly unknown[], at: number): boolean {
    const listeners = this.#listening.get(keyOf(owner, channel));
    if (listeners === undefined || data.length === 0) return false;
    const prevSeqId = listeners.seqId;
    listeners.seqId += 1;
    const now = this.#deps.clock.now();
    const moment = this.#deps.moments.textOf(at);
    const rest = JSON.stringify({ data, seqId: listeners.seqId, prevSeqId, moment }).slice(1);
    for (const [connection, arg] of listeners.connections) {
      if ((connection.login?.expiresAt ?? now) < now) connection.drop('session-ended');
      else if (!listeners.waiting.has(connection)) connection.sendText(`{"arg":${JSON.stringify(arg)},${rest}`);
    }
    return true;
  }

  /** Sends to one connection alone, outside the numbering of its channel. */
  tell(connection: Connection, channel: PrivateChannel, data: readonly unknown[]): void {
    if (connection.topics.has(channel)) connection.send({ arg: { channel }, data });
  }

  close(): void {
    this.#unsubscribe();
  }

  #sendFirst(owner: number, listeners: Listening): void {
    const data = this.#balances.all(owner, this.#deps.clock.now());
    for (const connection of listeners.waiting) {
      const arg = listeners.connections.get(connection);
      connection.send({ arg, data, seqId: listeners.seqId, prevSeqId: -1, moment: this.lastChange(owner, 'account') });
    }
    listeners.waiting.clear();
  }

  #onBatch({ batch, time, events }: CommittedBatch): void {
    const moment = this.#deps.moments.next();
    const noting = noteOrders(this.#changes, moment);
    this.#noteBalances(events, moment);
    if (this.#owners.size === 0) {
      events.read(noting);
      this.#entries.clear();
      return;
    }
    const news = new Map<number, ClientNews>();
    events.read(noting, this.#reader(news));
    this.#addEntries(batch, news);
    const changed = this.#balances.add(batch, events);
    for (const [owner, { orders, fills }] of news) {
      this.#push(owner, 'orders', [...orders.values()], moment);
      this.#push(owner, 'fills', fills, moment);
    }
    for (const [owner, assets] of changed)
      this.#push(owner, 'account', this.#balances.some(owner, assets, time), moment);
    for (const [owner, first] of this.#beginning) {
      if (first > batch) continue;
      this.#beginning.delete(owner);
      const listeners = this.#listening.get(keyOf(owner, 'account'));
      if (listeners !== undefined) this.#sendFirst(owner, listeners);
    }
  }

  #noteBalances(events: EventBatch, moment: number): void {
    for (let index = 0; index < events.balanceCount; index += 1) {
      const { owner, wallet } = accountParts(events.balanceKeys[index]!);
      if (wallet === Wallet.SPOT) this.#changes.note(owner, 'account', moment);
    }
  }

  /** Entries that have no newer state in the batch itself. */
  #addEntries(batch: number, news: Map<number, ClientNews>): void {
    for (const order of this.#entries.take(batch)) {
      const known = news.get(order.owner) ?? { orders: new Map(), fills: [] };
      news.set(order.owner, known);
      if (known.orders.has(order.orderId)) continue;
      known.orders.set(order.orderId, describeOrder(this.#deps.catalogue.byId(order.market)!.spec, order));
    }
  }

  /** Gathers what happened to clients who listen. */
  #reader(news: Map<number, ClientNews>): EventReader {
    const { views, catalogue, feed } = this.#deps;
    const specOf = (market: number): MarketSpec => catalogue.byId(market)!.spec;
    const newsOf = (owner: number): ClientNews => {
      const known = news.get(owner) ?? { orders: new Map(), fills: [] };
      news.set(owner, known);
      return known;
    };
    const noteOrder = (order: OrderView) =>
      newsOf(order.owner).orders.set(order.orderId, describeOrder(specOf(order.market), order));
    const isHeard = (owner: number) => this.#owners.has(owner);
    return {
      trade: (events: EventBatch, at: number) => {
        const spec = specOf(events.market(at));
        const [maker, taker] = [events.owner(at), events.takerOwner(at)];
        if (isHeard(maker)) newsOf(maker).fills.push(describeRecordedFill(events, at, true, spec, views));
        if (isHeard(taker)) newsOf(taker).fills.push(describeRecordedFill(events, at, false, spec, views));
      },
      order: (events: EventBatch, at: number) => {
        if (isHeard(events.owner(at))) noteOrder(views.ofRecord(events, at));
      },
      object: (event: ObjectEvent) => {
        if (event.kind === 'exit-plan-changed' && isHeard(event.plan.owner)) {
          this.#entries.note(event.plan, feed.appliedBatch, event.time);
        }
        const order = views.ofObject(event);
        if (order !== undefined && isHeard(order.owner)) noteOrder(order);
      },
    };
  }
}
