/** Public REST in the OKX v5 shape; refusals too are `{code, msg, data}` with status 200, as its clients expect. */
import type { Call, QueryOf } from '@cambist/contract/call.ts';
import * as calls from '@cambist/contract/okx.ts';
import type { CallServer } from '../../platform/calls.ts';
import type { Catalogue, MarketInfo } from '../instruments/service.ts';
import { endOf } from './frames.ts';
import { candleRow, instrumentRow, levelRow, tickerRow, tradeRow } from './okx-format.ts';
import { type Frame, isFrame, type MarketData } from './service.ts';

interface Deps {
  readonly calls: CallServer;
  readonly catalogue: Catalogue;
  readonly marketData: MarketData;
  readonly clock: { now(): number };
}

type Query = Readonly<Record<keyof QueryOf<typeof calls.books>, string | undefined>>;
type Answer = calls.Envelope;

const ok = (data: unknown[]): Answer => ({ code: '0', msg: '', data });
const refuse = (code: string, msg: string): Answer => ({ code, msg, data: [] });

const INSTRUMENT_TYPES = ['SPOT', 'MARGIN', 'SWAP', 'FUTURES', 'OPTION'];

/** @returns undefined when the text is no whole number above zero */
function whole(text: string | undefined, fallback: number, maximum: number): number | undefined {
  if (text === undefined || text === '') return fallback;
  return /^\d{1,9}$/.test(text) && Number(text) > 0 ? Math.min(Number(text), maximum) : undefined;
}

/** `1H`, `6Hutc`, `1Dutc`: our days are UTC days, so both spellings mean the same. */
function frameOf(bar: string | undefined): Frame | undefined {
  const name = (bar ?? '1m').replace(/utc$/, '');
  return isFrame(name) ? name : undefined;
}

function timeOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
}

export function registerOkxRoutes({ calls: server, catalogue, marketData, clock }: Deps): void {
  const serve = <C extends Call & typeof calls.books>(call: C, handler: (query: Query) => Answer): void =>
    server.serve(call as typeof calls.books, ({ query }) => handler(query as Query));

  const withInstrument = (query: Query, answer: (market: MarketInfo) => Answer): Answer => {
    if (!query.instId) return refuse('50014', 'Parameter instId can not be empty');
    const market = catalogue.markets.find(({ spec }) => spec.symbol === query.instId);
    if (market === undefined) return refuse('51001', "Instrument ID, Instrument ID code, or Spread ID doesn't exist.");
    return answer(market);
  };

  const withType = (query: Query, answer: () => unknown[]): Answer => {
    if (!query.instType) return refuse('50014', 'Parameter instType can not be empty');
    if (!INSTRUMENT_TYPES.includes(query.instType)) return refuse('51000', 'Parameter instType error');
    return ok(query.instType === 'SPOT' ? answer() : []);
  };

  const books = (query: Query, fallback: number, maximum: number): Answer =>
    withInstrument(query, ({ spec }) => {
      const levels = whole(query.sz, fallback, maximum);
      if (levels === undefined) return refuse('51000', 'Parameter sz error');
      const book = marketData.book(spec.id, levels);
      return ok([
        {
          asks: book.asks.map((level) => levelRow(spec, level)),
          bids: book.bids.map((level) => levelRow(spec, level)),
          ts: String(book.time),
          seqId: book.seqId,
        },
      ]);
    });

  /** `after` asks for bars before that time, `before` for bars after it; newest first. */
  const candles = (query: Query, maximum: number): Answer =>
    withInstrument(query, ({ spec }) => {
      const frame = frameOf(query.bar);
      const limit = whole(query.limit, 100, maximum);
      if (frame === undefined) return refuse('51000', 'Parameter bar error');
      if (limit === undefined) return refuse('51000', 'Parameter limit error');
      const newerThan = timeOf(query.before);
      const olderThan = timeOf(query.after);
      const bars = marketData.candles(spec.id, frame, {
        limit,
        ...(newerThan === undefined ? {} : { from: newerThan + 1 }),
        ...(olderThan === undefined ? {} : { before: olderThan }),
      });
      const now = clock.now();
      return ok(bars.reverse().map((bar) => candleRow(spec, bar, endOf(frame, bar.time) <= now)));
    });

  serve(calls.instruments, (query) =>
    withType(query, () =>
      catalogue.markets
        .filter(({ spec }) => !query.instId || spec.symbol === query.instId)
        .map((market) => instrumentRow(market, marketData.listing(market.spec.id))),
    ),
  );
  serve(calls.time, () => ok([{ ts: String(clock.now()) }]));
  serve(calls.status, () => ok([]));
  serve(calls.ticker, (query) =>
    withInstrument(query, ({ spec }) => ok([tickerRow(spec, marketData.ticker(spec.id))])),
  );
  serve(calls.tickers, (query) =>
    withType(query, () => catalogue.specs.map((spec) => tickerRow(spec, marketData.ticker(spec.id)))),
  );
  serve(calls.books, (query) => books(query, 1, 400));
  serve(calls.booksFull, (query) => books(query, 1, 5000));
  serve(calls.trades, (query) =>
    withInstrument(query, ({ spec }) => {
      const limit = whole(query.limit, 100, 500);
      if (limit === undefined) return refuse('51000', 'Parameter limit error');
      return ok(marketData.trades(spec.id, limit).map((trade) => tradeRow(spec, trade)));
    }),
  );
  serve(calls.candles, (query) => candles(query, 300));
  serve(calls.historyCandles, (query) => candles(query, 300));
}
