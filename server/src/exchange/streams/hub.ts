/**
 * Public fan-out. Changes of a market are merged for at most `coalesceMs`; then each topic is written as text once and
 * queued for its subscribers, whether or not all of them have been written to since the last time.
 */
import type { ChannelArgument } from '@cambist/contract/stream.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { guarded } from '../../platform/guarded.ts';
import type { Logger } from '../../platform/logger.ts';
import type { MarketChange, MarketData } from '../market-data/service.ts';
import type { Connection } from './connection.ts';
import { FanOut } from './fan-out.ts';
import { type ParsedTopic, type Topic, TopicWriter, topicKey } from './topics.ts';

interface Deps {
  readonly marketData: MarketData;
  readonly clock: { now(): number };
  readonly logger: Logger;
  readonly coalesceMs: number;
}

const ROLLOVER_CHECK_MS = 1_000;

/** Of a topic; mostly one. */
type Markets = readonly [MarketSpec, ...MarketSpec[]];

/** Topics that have subscribers, by name and by market. */
class Topics {
  readonly #byKey = new Map<string, Topic>();
  readonly #byMarket = new Map<number, Set<Topic>>();

  all(): Iterable<Topic> {
    return this.#byKey.values();
  }

  ofMarket(market: number): Iterable<Topic> {
    return this.#byMarket.get(market) ?? [];
  }

  /** The topic of these names, made where there is none yet. */
  for(arg: ChannelArgument, parsed: ParsedTopic, markets: Markets): Topic {
    const key = topicKey(arg);
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const topic: Topic = {
      key,
      arg,
      ...parsed,
      spec: markets[0],
      markets,
      subscribers: new Set(),
      lastBody: '',
      lastBarTime: 0,
      trades: [],
      hasMoved: false,
      liquidations: [],
    };
    this.#byKey.set(key, topic);
    for (const { id } of markets) this.#byMarket.set(id, (this.#byMarket.get(id) ?? new Set()).add(topic));
    return topic;
  }

  /** @returns whether the connection was subscribed */
  leave(connection: Connection, key: string): boolean {
    const topic = this.#byKey.get(key);
    if (topic === undefined || !topic.subscribers.delete(connection)) return false;
    connection.topics.delete(key);
    if (topic.subscribers.size === 0) {
      this.#byKey.delete(key);
      for (const { id } of topic.markets) this.#byMarket.get(id)?.delete(topic);
    }
    return true;
  }
}

export class Hub {
  readonly #deps: Deps;
  readonly #writer: TopicWriter;
  readonly #fanOut: FanOut;
  readonly #topics = new Topics();
  readonly #dirty = new Set<number>();
  readonly #unsubscribe: () => void;
  readonly #rolloverTimer: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  #nextFlushAt = 0;

  constructor(deps: Deps) {
    const { marketData, clock, logger } = deps;
    this.#deps = deps;
    this.#writer = new TopicWriter(marketData, clock);
    this.#fanOut = new FanOut(logger);
    this.#unsubscribe = marketData.subscribe((change) => this.#onChange(change));
    this.#rolloverTimer = setInterval(
      guarded(logger, 'candle rollover', () => this.#rollOver()),
      ROLLOVER_CHECK_MS,
    );
    this.#rolloverTimer.unref();
  }

  /** The new subscriber gets the whole picture first, and every later push follows on it. */
  join(connection: Connection, arg: ChannelArgument, parsed: ParsedTopic, markets: Markets): void {
    const changed = markets.filter(({ id }) => this.#dirty.delete(id));
    for (const { id } of changed) this.#publishMarket(id);
    if (changed.length > 0) this.#fanOut.write();
    const topic = this.#topics.for(arg, parsed, markets);
    topic.subscribers.add(connection);
    connection.topics.add(topic.key);
    const body = this.#writer.first(topic);
    if (body !== undefined) connection.sendText(`{"arg":${JSON.stringify(arg)},${body}`);
  }

  leave(connection: Connection, key: string): boolean {
    return this.#topics.leave(connection, key);
  }

  leaveAll(connection: Connection): void {
    for (const key of [...connection.topics]) this.#topics.leave(connection, key);
    this.#fanOut.forget(connection);
  }

  close(): void {
    this.#unsubscribe();
    clearTimeout(this.#timer);
    clearInterval(this.#rolloverTimer);
  }

  #onChange({ market, trades, told, liquidations }: MarketChange): void {
    for (const topic of liquidations.length > 0 ? this.#topics.ofMarket(market) : []) {
      if (topic.kind === 'liquidation-orders') topic.liquidations.push(...liquidations);
    }
    if (trades.length > 0 || told.length > 0) {
      for (const topic of this.#topics.ofMarket(market)) {
        if (topic.kind === 'trades') topic.trades.push(...trades);
        else if (topic.kind === 'candle') topic.hasMoved = true;
      }
    }
    this.#dirty.add(market);
    this.#schedule();
  }

  /** The book update is taken without subscribers too: it is the next one's starting point. */
  #publishMarket(market: number): void {
    const update = this.#deps.marketData.takeBookUpdate(market);
    for (const topic of this.#topics.ofMarket(market)) this.#fanOut.publish(topic, this.#writer.next(topic, update));
  }

  /** After a quiet moment at once; under load once for each interval. */
  #schedule(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(
      guarded(this.#deps.logger, 'stream flush', () => this.#flush()),
      Math.max(0, this.#nextFlushAt - performance.now()),
    );
  }

  #flush(): void {
    this.#timer = undefined;
    this.#nextFlushAt = performance.now() + this.#deps.coalesceMs;
    const changed = [...this.#dirty];
    this.#dirty.clear();
    for (const market of changed) this.#publishMarket(market);
    this.#fanOut.write();
  }

  #rollOver(): void {
    for (const topic of this.#topics.all()) {
      if (topic.kind === 'candle') this.#fanOut.publish(topic, this.#writer.rollover(topic));
    }
    this.#fanOut.write();
  }
}
