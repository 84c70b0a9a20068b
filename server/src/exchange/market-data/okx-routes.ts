/** Public REST in the OKX v5 shape; refusals too are `{code, msg, data}` with status 200, as its clients expect. */
import type { Call, QueryOf } from '@cambist/contract/call.ts';
import * as calls from '@cambist/contract/okx.ts';
import type { CallServer } from '../../platform/calls.ts';
import type { Catalogue, MarketInfo } from '../instruments/service.ts';
import { endOf } from './frames.ts';
import { candleRow, instrumentRow, levelRow, priceCandleRow, tickerRow, tradeRow, underlyingOf } from './okx-format.ts';
import {
  type Bar,
  type BarRange,
  type Frame,
  isFrame,
  type MarketData,
  type PriceKind,
  type Trade,
} from './service.ts';

/** Of one market, every trade that was committed when it is asked; newest first, both ids left out. */
export type TradesBetween = (market: number, after: number, before: number, limit: number) => Promise<Trade[]>;

interface Deps {
  readonly calls: CallServer;
  readonly catalogue: Catalogue;
  readonly marketData: MarketData;
  readonly clock: { now(): number };
  readonly tradesBetween: TradesBetween;
}

export type Query = Readonly<Record<keyof QueryOf<typeof calls.books>, string | undefined>>;
export type Answer = calls.Envelope;

export const ok = (data: unknown[]): Answer => ({ code: '0', msg: '', data });
export const refuse = (code: string, msg: string): Answer => ({ code, msg, data: [] });

const MOST_PRICE_CANDLES = 100;
const MOST_TRADES = 100;
const INSTRUMENT_TYPES = ['SPOT', 'MARGIN', 'SWAP', 'FUTURES', 'OPTION'];

/**
 * The name by which wallets ask what a coin is worth in dollars. No swap is traded here: the figures are those of the
 * coin's spot market, volume in the coin and turnover in USDT.
 */
const INDEX = /^([A-Z0-9]+)-USD-SWAP$/;

/** @returns undefined when the text is no whole number above zero */
export function whole(text: string | undefined, fallback: number, maximum: number): number | undefined {
  if (text === undefined || text === '') return fallback;
  return /^\d{1,9}$/.test(text) && Number(text) > 0 ? Math.min(Number(text), maximum) : undefined;
}

/** `1H`, `6Hutc`, `1Dutc`: our days are UTC days, so both spellings mean the same. */
function frameOf(bar: string | undefined): Frame | undefined {
  const name = (bar ?? '1m').replace(/utc$/, '');
  return isFrame(name) ? name : undefined;
}

export interface Span {
  readonly newerThan: number | undefined;
  readonly olderThan: number | undefined;
}

/**
 * What lies between `before` and `after`, both left out. One that cannot be read is refused: a list that began anew
 * instead would be read without end.
 */
export function spanOf({ before, after }: Query): Span | Answer {
  for (const [name, text] of Object.entries({ before, after })) {
    if (text && !/^\d{1,16}$/.test(text)) return refuse('51000', `Parameter ${name} error`);
  }
  return { newerThan: before ? Number(before) : undefined, olderThan: after ? Number(after) : undefined };
}

/** Whether a market is of the family that is asked for; spot markets are of none. */
export const isOfFamily = (spec: MarketInfo['spec'], { uly, instFamily }: Query): boolean =>
  spec.perpetual === undefined || [uly, instFamily].every((name) => !name || underlyingOf(spec) === name);

/** What the calls answer, each in the shape of its namesake. */
class OkxAnswers {
  readonly #catalogue: Catalogue;
  readonly #marketData: MarketData;
  readonly #clock: { now(): number };
  readonly #tradesBetween: TradesBetween;

  constructor({ catalogue, marketData, clock, tradesBetween }: Omit<Deps, 'calls'>) {
    this.#catalogue = catalogue;
    this.#marketData = marketData;
    this.#clock = clock;
    this.#tradesBetween = tradesBetween;
  }

  instruments(query: Query): Answer {
    return this.#withType(query, (markets) =>
      markets
        .filter(({ spec }) => (!query.instId || spec.symbol === query.instId) && isOfFamily(spec, query))
        .map((market) => instrumentRow(market, this.#marketData.listing(market.spec.id))),
    );
  }

  time(): Answer {
    return ok([{ ts: String(this.#clock.now()) }]);
  }

  ticker(query: Query): Answer {
    const index = INDEX.exec(query.instId ?? '');
    if (index !== null) return this.#index(index[0], `${index[1]}-USDT`);
    return this.#withInstrument(query, ({ spec }) => ok([tickerRow(spec, this.#marketData.ticker(spec.id))]));
  }

  tickers(query: Query): Answer {
    return this.#withType(query, (markets) =>
      markets
        .filter(({ spec }) => isOfFamily(spec, query))
        .map(({ spec }) => tickerRow(spec, this.#marketData.ticker(spec.id))),
    );
  }

  books(query: Query, fallback: number, maximum: number): Answer {
    return this.#withInstrument(query, ({ spec }) => {
      const levels = whole(query.sz, fallback, maximum);
      if (levels === undefined) return refuse('51000', 'Parameter sz error');
      const book = this.#marketData.book(spec.id, levels);
      return ok([
        {
          asks: book.asks.map((level) => levelRow(spec, level)),
          bids: book.bids.map((level) => levelRow(spec, level)),
          ts: String(book.time),
          seqId: book.seqId,
        },
      ]);
    });
  }

  trades(query: Query): Answer {
    return this.#withInstrument(query, ({ spec }) => {
      const limit = whole(query.limit, 100, 500);
      if (limit === undefined) return refuse('51000', 'Parameter limit error');
      return ok(this.#marketData.trades(spec.id, limit).map((trade) => tradeRow(spec, trade)));
    });
  }

  async tradesBefore(query: Query): Promise<Answer> {
    if (query.type && query.type !== '1') return refuse('51000', 'Parameter type error');
    const limit = whole(query.limit, MOST_TRADES, MOST_TRADES);
    if (limit === undefined) return refuse('51000', 'Parameter limit error');
    const span = spanOf(query);
    if ('code' in span) return span;
    const { newerThan = 0, olderThan = Number.MAX_SAFE_INTEGER } = span;
    const found = this.#withInstrument(query, ({ spec }) => ok([spec]));
    const [spec] = found.data as MarketInfo['spec'][];
    if (spec === undefined) return found;
    const trades = await this.#tradesBetween(spec.id, newerThan, olderThan, limit);
    return ok(trades.map((trade) => tradeRow(spec, trade)));
  }

  candles(query: Query, maximum: number): Answer {
    return this.#withInstrument(query, ({ spec }) =>
      this.#candleRows(
        query,
        maximum,
        (frame, range) => this.#marketData.candles(spec.id, frame, range),
        (bar, isClosed) => candleRow(spec, bar, isClosed),
      ),
    );
  }

  /** An index has the name of the coin's spot market. */
  priceCandles(query: Query, kind: PriceKind): Answer {
    if (!query.instId) return refuse('50014', 'Parameter instId can not be empty');
    const nameOf = kind === 'index' ? underlyingOf : ({ symbol }: MarketInfo['spec']) => symbol;
    const market = this.#catalogue.perpetuals.find(({ spec }) => nameOf(spec) === query.instId);
    if (market === undefined) return unknownInstrument();
    const { spec } = market;
    return this.#candleRows(
      query,
      MOST_PRICE_CANDLES,
      (frame, range) => this.#marketData.priceCandles(spec.id, kind, frame, range),
      (bar, isClosed) => priceCandleRow(spec, bar, isClosed),
    );
  }

  /** `after` asks for bars before that time, `before` for bars after it; newest first. */
  #candleRows(
    query: Query,
    maximum: number,
    read: (frame: Frame, range: BarRange) => Bar[],
    row: (bar: Bar, isClosed: boolean) => string[],
  ): Answer {
    const frame = frameOf(query.bar);
    const limit = whole(query.limit, 100, maximum);
    if (frame === undefined) return refuse('51000', 'Parameter bar error');
    if (limit === undefined) return refuse('51000', 'Parameter limit error');
    const span = spanOf(query);
    if ('code' in span) return span;
    const { newerThan, olderThan } = span;
    const bars = read(frame, {
      limit,
      ...(newerThan === undefined ? {} : { from: newerThan + 1 }),
      ...(olderThan === undefined ? {} : { before: olderThan }),
    });
    const now = this.#clock.now();
    return ok(bars.reverse().map((bar) => row(bar, endOf(frame, bar.time) <= now)));
  }

  #index(instId: string, symbol: string): Answer {
    return this.#withInstrument({ instId: symbol } as Query, ({ spec }) =>
      ok([{ ...tickerRow(spec, this.#marketData.ticker(spec.id)), instType: 'SWAP', instId }]),
    );
  }

  #withInstrument(query: Query, answer: (market: MarketInfo) => Answer): Answer {
    if (!query.instId) return refuse('50014', 'Parameter instId can not be empty');
    const market = this.#catalogue.listed.find(({ spec }) => spec.symbol === query.instId);
    if (market === undefined) return unknownInstrument();
    return answer(market);
  }

  #withType(query: Query, answer: (markets: readonly MarketInfo[]) => unknown[]): Answer {
    if (!query.instType) return refuse('50014', 'Parameter instType can not be empty');
    if (!INSTRUMENT_TYPES.includes(query.instType)) return refuse('51000', 'Parameter instType error');
    const { markets, perpetuals } = this.#catalogue;
    const listed: Readonly<Record<string, readonly MarketInfo[]>> = { SPOT: markets, SWAP: perpetuals };
    return ok(answer(listed[query.instType] ?? []));
  }
}

/** All of these calls have the same input. */
export const okxServer =
  (server: CallServer) =>
  <C extends Call & typeof calls.books>(call: C, handler: (query: Query) => Answer | Promise<Answer>): void =>
    server.serve(call as typeof calls.books, ({ query }) => handler(query as Query));

export const unknownInstrument = (): Answer =>
  refuse('51001', "Instrument ID, Instrument ID code, or Spread ID doesn't exist.");

export function registerOkxRoutes({ calls: server, ...deps }: Deps): void {
  const answers = new OkxAnswers(deps);
  const serve = okxServer(server);

  serve(calls.instruments, (query) => answers.instruments(query));
  serve(calls.time, () => answers.time());
  serve(calls.status, () => ok([]));
  serve(calls.ticker, (query) => answers.ticker(query));
  serve(calls.tickers, (query) => answers.tickers(query));
  serve(calls.books, (query) => answers.books(query, 1, 400));
  serve(calls.booksFull, (query) => answers.books(query, 1, 5000));
  serve(calls.trades, (query) => answers.trades(query));
  serve(calls.historyTrades, (query) => answers.tradesBefore(query));
  serve(calls.candles, (query) => answers.candles(query, 300));
  serve(calls.historyCandles, (query) => answers.candles(query, 300));
  serve(calls.markPriceCandles, (query) => answers.priceCandles(query, 'mark'));
  serve(calls.historyMarkPriceCandles, (query) => answers.priceCandles(query, 'mark'));
  serve(calls.indexCandles, (query) => answers.priceCandles(query, 'index'));
  serve(calls.historyIndexCandles, (query) => answers.priceCandles(query, 'index'));
}
