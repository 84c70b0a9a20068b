/** Which channels exist on which path, and what each one says of a market. */
import type { ChannelArgument } from '@cambist/contract/stream.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import type { Catalogue } from '../instruments/service.ts';
import {
  candleRow,
  fundingRateRow,
  indexRow,
  levelRow,
  liquidationRow,
  markPriceRow,
  openInterestRow,
  priceCandleRow,
  tickerRow,
  tradeRow,
  underlyingOf,
} from '../market-data/okx-format.ts';
import {
  type Bar,
  type BookUpdate,
  endOf,
  type Frame,
  isFrame,
  type LiquidatedLots,
  type MarketData,
  type PriceKind,
  type Trade,
} from '../market-data/service.ts';
import type { Connection, StreamPath } from './connection.ts';

const ALL_CHANNELS = ['tickers', 'trades', 'books', 'books5', 'bbo-tbt'] as const;
/** Of perpetuals alone. */
const PERPETUAL_CHANNELS = [
  'mark-price',
  'index-tickers',
  'funding-rate',
  'open-interest',
  'liquidation-orders',
] as const;

type PerpetualChannel = (typeof PERPETUAL_CHANNELS)[number];
export type PublicChannel = (typeof ALL_CHANNELS)[number] | PerpetualChannel;
export type TopicKind = PublicChannel | 'candle' | `${PriceKind}-candle`;

/** Their channels are called after the figures: `mark-price-candle1m`, `index-candle1m`. */
const priceCandles: Readonly<Record<string, `${PriceKind}-candle`>> = {
  'mark-price-': 'mark-candle',
  'index-': 'index-candle',
};
const CANDLES = /^(mark-price-|index-)?candle(\w+?)(?:utc)?$/;

const publicChannels: readonly string[] = [...ALL_CHANNELS, ...PERPETUAL_CHANNELS];
const perpetualChannels: readonly string[] = [...PERPETUAL_CHANNELS, ...Object.values(priceCandles)];
const indexChannels: readonly string[] = ['index-tickers', 'index-candle'];

/** A book of our size fits whole into a snapshot; deeper levels than these never matter to a reader. */
const SNAPSHOT_LEVELS = 2_000;

export interface Topic {
  readonly key: string;
  readonly arg: ChannelArgument;
  readonly kind: TopicKind;
  readonly frame: Frame | undefined;
  readonly spec: MarketSpec;
  /** More than the one for a topic of all of them. */
  readonly markets: readonly MarketSpec[];
  readonly subscribers: Set<Connection>;
  /** What was last said, so that nothing is said twice. */
  lastBody: string;
  lastBarTime: number;
  readonly trades: Trade[];
  /** Whether a price came since a candle was last said. */
  hasMoved: boolean;
  readonly liquidations: LiquidatedLots[];
}

export interface ParsedTopic {
  readonly kind: TopicKind;
  readonly frame: Frame | undefined;
}

/** @returns undefined for a channel that this path doesn't have */
export function parseChannel(path: StreamPath, channel: string): ParsedTopic | undefined {
  if (path === 'public') {
    return publicChannels.includes(channel) ? { kind: channel as PublicChannel, frame: undefined } : undefined;
  }
  const [, prefix, name] = CANDLES.exec(channel) ?? [];
  if (path !== 'business' || name === undefined || !isFrame(name)) return undefined;
  return { kind: prefix === undefined ? 'candle' : priceCandles[prefix]!, frame: name };
}

/**
 * The markets of a topic; none where the channel says nothing of them. An index has the name of the coin's spot market, and
 * liquidations of all perpetuals come together where none is named.
 */
export function marketsOf(
  { kind }: ParsedTopic,
  { instId, instType }: ChannelArgument,
  { listed, perpetuals }: Pick<Catalogue, 'listed' | 'perpetuals'>,
): readonly MarketSpec[] {
  const markets = perpetualChannels.includes(kind) ? perpetuals : listed;
  const nameOf = indexChannels.includes(kind) ? underlyingOf : ({ symbol }: MarketSpec) => symbol;
  const isAll = kind === 'liquidation-orders' && instId === undefined && instType === 'SWAP';
  return markets.map(({ spec }) => spec).filter((spec) => isAll || nameOf(spec) === instId);
}

export const topicKey = ({ channel, instId, instType }: ChannelArgument): string =>
  `${channel}|${instId ?? ''}|${instType ?? ''}`;

/** The rest of a push after its `arg`. */
type Body = string;

/** The body, unless it is what was said last. */
function unsaid(topic: Topic, body: Body | undefined): Body | undefined {
  if (body === topic.lastBody) return undefined;
  topic.lastBody = body ?? '';
  return body;
}

const withData = (rows: readonly unknown[]): Body => `"data":${JSON.stringify(rows)}}`;

function bookRow(spec: MarketSpec, book: Pick<BookUpdate, 'asks' | 'bids' | 'seqId' | 'time'>) {
  return {
    asks: book.asks.map((level) => levelRow(spec, level)),
    bids: book.bids.map((level) => levelRow(spec, level)),
    instId: spec.symbol,
    ts: String(book.time),
    seqId: book.seqId,
  };
}

const FIGURES = {
  'mark-price': markPriceRow,
  'index-tickers': indexRow,
  'funding-rate': fundingRateRow,
  'open-interest': openInterestRow,
} as const;

export class TopicWriter {
  readonly #marketData: MarketData;
  readonly #clock: { now(): number };

  constructor(marketData: MarketData, clock: { now(): number }) {
    this.#marketData = marketData;
    this.#clock = clock;
  }

  /** What a new subscriber is sent first. */
  first(topic: Topic): Body | undefined {
    const { spec } = topic;
    switch (topic.kind) {
      case 'books': {
        const row = { ...bookRow(spec, this.#marketData.book(spec.id, SNAPSHOT_LEVELS)), prevSeqId: -1 };
        return `"action":"snapshot",${withData([row])}`;
      }
      case 'books5':
        return this.#topLevels(topic, 5);
      case 'bbo-tbt':
        return this.#topLevels(topic, 1);
      case 'tickers':
        return withData([tickerRow(spec, this.#marketData.ticker(spec.id))]);
      case 'candle':
        return this.#candles(topic);
      case 'mark-candle':
        return this.#priceCandles(topic, 'mark');
      case 'index-candle':
        return this.#priceCandles(topic, 'index');
      case 'trades':
      case 'liquidation-orders':
        return undefined;
      default:
        return this.#figures(topic, topic.kind);
    }
  }

  /** What is new since the last time; undefined when nothing is. */
  next(topic: Topic, book: BookUpdate | undefined): Body | undefined {
    const { spec } = topic;
    switch (topic.kind) {
      case 'books': {
        if (book === undefined) return undefined;
        return `"action":"update",${withData([{ ...bookRow(spec, book), prevSeqId: book.prevSeqId }])}`;
      }
      case 'books5':
      case 'bbo-tbt': {
        if (book === undefined) return undefined;
        const levels = topic.kind === 'books5' ? 5 : 1;
        const body = this.#comparable(topic, levels);
        if (body === topic.lastBody) return undefined;
        topic.lastBody = body;
        return this.#topLevels(topic, levels);
      }
      case 'tickers': {
        const row = tickerRow(spec, this.#marketData.ticker(spec.id));
        const body = JSON.stringify({ ...row, ts: '' });
        if (body === topic.lastBody) return undefined;
        topic.lastBody = body;
        return withData([row]);
      }
      case 'candle': {
        const { hasMoved } = topic;
        topic.hasMoved = false;
        return hasMoved ? this.#candles(topic) : undefined;
      }
      case 'trades': {
        const trades = topic.trades.splice(0);
        return trades.length === 0 ? undefined : withData(trades.map((trade) => tradeRow(spec, trade)));
      }
      case 'liquidation-orders': {
        const liquidations = topic.liquidations.splice(0);
        const rows = topic.markets.flatMap((market) => {
          const own = liquidations.filter((one) => one.market === market.id);
          return own.length === 0 ? [] : [liquidationRow(market, own)];
        });
        return rows.length === 0 ? undefined : withData(rows);
      }
      case 'mark-candle':
        return unsaid(topic, this.#priceCandles(topic, 'mark'));
      case 'index-candle':
        return unsaid(topic, this.#priceCandles(topic, 'index'));
      default:
        return unsaid(topic, this.#figures(topic, topic.kind));
    }
  }

  /** A figure of a perpetual. */
  #figures({ spec }: Topic, kind: keyof typeof FIGURES): Body | undefined {
    const figures = this.#marketData.perpetual(spec.id);
    return figures && withData([FIGURES[kind](spec, figures)]);
  }

  /** A candle that began without a trade. */
  rollover(topic: Topic): Body | undefined {
    if (topic.lastBarTime === 0 || endOf(topic.frame!, topic.lastBarTime) > this.#clock.now()) return undefined;
    return this.#candles(topic);
  }

  #topLevels({ spec }: Topic, levels: number): Body {
    return withData([bookRow(spec, this.#marketData.book(spec.id, levels))]);
  }

  /** The current candle, and the one before it once more, now closed, when a new one has begun. */
  #candles(topic: Topic): Body | undefined {
    const bars = this.#marketData.candles(topic.spec.id, topic.frame!, { limit: 2 });
    return this.#newest(topic, bars, candleRow);
  }

  /** Of a mark or an index. They have no rollover: a candle begins with its first price. */
  #priceCandles(topic: Topic, kind: PriceKind): Body | undefined {
    const bars = this.#marketData.priceCandles(topic.spec.id, kind, topic.frame!, { limit: 2 });
    return this.#newest(topic, bars, priceCandleRow);
  }

  #newest(topic: Topic, bars: readonly Bar[], row: typeof candleRow): Body | undefined {
    const frame = topic.frame!;
    const now = this.#clock.now();
    const current = bars.at(-1);
    if (current === undefined) return undefined;
    const isNew = topic.lastBarTime !== 0 && current.time > topic.lastBarTime;
    topic.lastBarTime = current.time;
    const rows = (isNew ? bars : [current]).map((bar) => row(topic.spec, bar, endOf(frame, bar.time) <= now));
    return withData(rows);
  }

  /** The best levels without sequence number and time, which alone are no news. */
  #comparable(topic: Topic, levels: number): string {
    const { asks, bids } = this.#marketData.book(topic.spec.id, levels);
    return JSON.stringify([asks, bids]);
  }
}
