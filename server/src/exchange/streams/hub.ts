/**
 * Public fan-out. Changes of a market are merged for at most `coalesceMs`; then each topic is written as text once,
 * framed once, and every subscriber gets all of its frames in one write. Writing is done in slices, so that thousands
 * of sockets never hold up the exchange.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChannelArgument } from '@cambist/contract/stream.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { guarded } from '../../platform/guarded.ts';
import type { Logger } from '../../platform/logger.ts';
import type { MarketChange, MarketData } from '../market-data/service.ts';
import type { Connection } from './connection.ts';
import { textFrame } from './frame.ts';
import { createTopicWriter, type ParsedTopic, type Topic, topicKey } from './topics.ts';

interface Deps {
  readonly marketData: MarketData;
  readonly clock: { now(): number };
  readonly logger: Logger;
  readonly coalesceMs: number;
  readonly onFlush?: (figures: { readonly frames: number; readonly writes: number; readonly bytes: number }) => void;
}

const SLICE = 256;
/** Writing may take this part of the time; with more subscribers than that allows, pauses grow instead. */
const BUSY_SHARE = 0.75;
const ROLLOVER_CHECK_MS = 1_000;

/** Joins frames once for all readers that wait for the same ones; mostly that is everybody. */
function createJoiner() {
  const numbers = new Map<Buffer, number>();
  const joined = new Map<string, Buffer>();
  let lastFrames: readonly Buffer[] = [];
  let lastJoined: Buffer = Buffer.alloc(0);

  function numberOf(frame: Buffer): number {
    const known = numbers.get(frame) ?? numbers.size;
    numbers.set(frame, known);
    return known;
  }

  return (frames: readonly Buffer[]): Buffer => {
    if (frames.length === 1) return frames[0]!;
    if (frames.length === lastFrames.length && frames.every((frame, index) => frame === lastFrames[index])) {
      return lastJoined;
    }
    const key = frames.map(numberOf).join();
    lastFrames = frames;
    lastJoined = joined.get(key) ?? Buffer.concat(frames);
    joined.set(key, lastJoined);
    return lastJoined;
  };
}

export function createHub({ marketData, clock, logger, coalesceMs, onFlush }: Deps) {
  const writer = createTopicWriter(marketData, clock);
  const topics = new Map<string, Topic>();
  const byMarket = new Map<number, Set<Topic>>();
  const dirty = new Set<number>();
  let receivers = new Set<Connection>();
  let timer: NodeJS.Timeout | undefined;
  let nextFlushAt = 0;
  let flushing = false;
  let framesMade = 0;

  function publish(topic: Topic, body: string | undefined): void {
    if (body === undefined) return;
    const frame = textFrame(`{"arg":${JSON.stringify(topic.arg)},${body}`);
    framesMade += 1;
    for (const connection of topic.subscribers) {
      connection.queue(frame);
      receivers.add(connection);
    }
  }

  /** The book update is taken even when nobody listens: it is the next reader's starting point. */
  function publishMarket(market: number): void {
    const update = marketData.takeBookUpdate(market);
    for (const topic of byMarket.get(market) ?? []) publish(topic, writer.next(topic, update));
  }

  async function writeAll(): Promise<void> {
    const connections = [...receivers];
    receivers = new Set();
    const join = createJoiner();
    let bytes = 0;
    for (let start = 0; start < connections.length; start += SLICE) {
      if (start > 0) await nextTurn();
      for (const connection of connections.slice(start, start + SLICE)) {
        connection.writeWaiting((frames) => {
          const joined = join(frames);
          bytes += joined.length;
          return joined;
        });
      }
    }
    onFlush?.({ frames: framesMade, writes: connections.length, bytes });
    framesMade = 0;
  }

  async function flush(): Promise<void> {
    timer = undefined;
    if (flushing) return;
    flushing = true;
    const begun = performance.now();
    try {
      const changed = [...dirty];
      dirty.clear();
      for (const market of changed) publishMarket(market);
      await writeAll();
    } finally {
      flushing = false;
    }
    nextFlushAt = begun + Math.max(coalesceMs, (performance.now() - begun) / BUSY_SHARE);
    if (dirty.size > 0 || receivers.size > 0) schedule();
  }

  /** After a quiet moment at once; under load once for each interval. */
  function schedule(): void {
    if (timer !== undefined || flushing) return;
    timer = setTimeout(guarded(logger, 'stream flush', flush), Math.max(0, nextFlushAt - performance.now()));
  }

  const unsubscribe = marketData.subscribe(({ market, trades }: MarketChange) => {
    if (trades.length > 0) {
      for (const topic of byMarket.get(market) ?? []) {
        if (topic.kind === 'trades' || topic.kind === 'candle') topic.trades.push(...trades);
      }
    }
    dirty.add(market);
    schedule();
  });

  async function rollOver(): Promise<void> {
    for (const topic of topics.values()) if (topic.kind === 'candle') publish(topic, writer.rollover(topic));
    if (receivers.size > 0 && !flushing) await writeAll();
  }

  const rolloverTimer = setInterval(guarded(logger, 'candle rollover', rollOver), ROLLOVER_CHECK_MS);
  rolloverTimer.unref();

  function topicFor(arg: ChannelArgument, parsed: ParsedTopic, spec: MarketSpec): Topic {
    const key = topicKey(arg);
    const known = topics.get(key);
    if (known !== undefined) return known;
    const topic: Topic = {
      key,
      arg,
      ...parsed,
      spec,
      subscribers: new Set(),
      lastBody: '',
      lastBarTime: 0,
      trades: [],
    };
    topics.set(key, topic);
    const ofMarket = byMarket.get(spec.id) ?? new Set();
    byMarket.set(spec.id, ofMarket.add(topic));
    return topic;
  }

  function leave(connection: Connection, key: string): boolean {
    const topic = topics.get(key);
    if (topic === undefined || !topic.subscribers.delete(connection)) return false;
    connection.topics.delete(key);
    if (topic.subscribers.size === 0) {
      topics.delete(key);
      byMarket.get(topic.spec.id)?.delete(topic);
    }
    return true;
  }

  return {
    /** The new subscriber gets the whole picture first, and every later push follows on it. */
    join(connection: Connection, arg: ChannelArgument, parsed: ParsedTopic, spec: MarketSpec): void {
      if (dirty.delete(spec.id)) {
        publishMarket(spec.id);
        if (!flushing) void writeAll();
      }
      const topic = topicFor(arg, parsed, spec);
      topic.subscribers.add(connection);
      connection.topics.add(topic.key);
      const body = writer.first(topic);
      if (body !== undefined) connection.sendText(`{"arg":${JSON.stringify(arg)},${body}`);
    },

    leave,

    leaveAll(connection: Connection): void {
      for (const key of [...connection.topics]) leave(connection, key);
      receivers.delete(connection);
    },

    topicCount: (): number => topics.size,

    close(): void {
      unsubscribe();
      clearTimeout(timer);
      clearInterval(rolloverTimer);
    },
  };
}

export type Hub = ReturnType<typeof createHub>;
