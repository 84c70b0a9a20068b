/**
 * The chart feed in the UDF shape that charting widgets speak: GET, JSON, numbers, seconds. Refusals are part of the
 * shape (`s: "error"`), so these calls take any text and answer for themselves.
 */
import { z } from 'zod';
import { defineCall } from './call.ts';

const tag = 'Chart feed';

/** Whatever was sent; what can't be read counts as absent. */
const text = z.string().optional().catch(undefined);
const count = z.coerce.number().finite().optional().catch(undefined);

const feedError = z.object({ s: z.literal('error'), errmsg: z.string() });

export const resolutions = [
  ...(['1', '3', '5', '15', '30', '60', '120', '240', '360', '720'] as const),
  ...(['1D', '1W', '1M'] as const),
] as const;

const symbolInfo = z.object({
  ticker: z.string(),
  name: z.string(),
  exchange: z.string(),
  listed_exchange: z.string(),
  currency_code: z.string(),
  unit_id: z.string(),
  description: z.string(),
  type: z.string(),
  session: z.string(),
  timezone: z.string(),
  minmov: z.number().int(),
  pricescale: z.number().int(),
  has_intraday: z.boolean(),
  has_daily: z.boolean(),
  has_weekly_and_monthly: z.boolean(),
  supported_resolutions: z.array(z.string()),
  intraday_multipliers: z.array(z.string()),
  volume_precision: z.number().int(),
  format: z.string(),
  logo_urls: z.array(z.string()),
});

export type SymbolInfo = z.infer<typeof symbolInfo>;

export const config = defineCall({
  methods: ['GET'],
  path: '/api/v3/config',
  access: 'public',
  anyOrigin: true,
  tag,
  summary: 'What the feed can do',
  answer: z.object({
    supports_search: z.boolean(),
    supports_group_request: z.boolean(),
    supports_marks: z.boolean(),
    supports_timescale_marks: z.boolean(),
    supports_time: z.boolean(),
    exchanges: z.array(z.object({ value: z.string(), name: z.string(), desc: z.string() })),
    symbols_types: z.array(z.object({ name: z.string(), value: z.string() })),
    supported_resolutions: z.array(z.string()),
    currency_codes: z.array(z.string()),
  }),
});

export const symbolInfoGroup = defineCall({
  methods: ['GET'],
  path: '/api/v3/symbol_info',
  access: 'public',
  anyOrigin: true,
  tag,
  summary: 'Every symbol of a group, one array for each field',
  query: z.object({ group: text }),
  answer: z.record(z.string(), z.unknown()),
});

export const symbols = defineCall({
  methods: ['GET'],
  path: '/api/v3/symbols',
  access: 'public',
  anyOrigin: true,
  tag,
  summary: 'One symbol',
  query: z.object({ symbol: text, currencyCode: text, unitId: text }),
  answer: z.union([symbolInfo, feedError]),
});

export const search = defineCall({
  methods: ['GET'],
  path: '/api/v3/search',
  access: 'public',
  anyOrigin: true,
  tag,
  summary: 'Symbols by part of their name, at most 30',
  query: z.object({ query: text, type: text, exchange: text, limit: count }),
  answer: z.array(
    z.object({
      symbol: z.string(),
      full_name: z.string(),
      description: z.string(),
      exchange: z.string(),
      ticker: z.string(),
      type: z.string(),
      logo_urls: z.array(z.string()),
    }),
  ),
});

const historyQuery = z.object({
  symbol: text,
  resolution: text,
  /** Seconds. The answer holds bars from `from` on and before `to`; `countback` bars before `to` win over `from`. */
  from: count,
  to: count,
  countback: count,
  currencyCode: text,
  unitId: text,
  /** Of a perpetual: `mark` or `index` instead of its trades; such bars have no volume. */
  price: text,
});

const numbers = z.array(z.number());

const bars = z.object({
  s: z.literal('ok'),
  t: numbers,
  o: numbers,
  h: numbers,
  l: numbers,
  c: numbers,
  v: numbers,
  /** There is more before the first bar than one answer holds: ask `history/ticker` for what is before this time. */
  nextTime: z.number().int().optional(),
});

export const history = z.union([
  bars,
  z.object({ s: z.literal('no_data'), nextTime: z.number().int().optional() }),
  feedError,
]);

export type HistoryAnswer = z.infer<typeof history>;

function historyCall(path: string, summary: string) {
  return defineCall({
    methods: ['GET'],
    path,
    access: 'public',
    anyOrigin: true,
    tag,
    summary,
    query: historyQuery,
    answer: history,
  });
}

export const historyAny = historyCall('/api/v3/history', 'Bars; one minute unless a resolution is named');
export const historyFiveMinutes = historyCall('/api/v3/history/five-min', 'Bars of five minutes');
export const historyOneHour = historyCall('/api/v3/history/one-hour', 'Bars of one hour');
export const historyFourHours = historyCall('/api/v3/history/four-hour', 'Bars of four hours');
export const historyOneDay = historyCall('/api/v3/history/one-day', 'Bars of one day');
export const historyTicker = historyCall('/api/v3/history/ticker', 'The bars that a truncated answer left out');

export const quotes = defineCall({
  methods: ['GET'],
  path: '/api/v3/quotes',
  access: 'public',
  anyOrigin: true,
  tag,
  summary: 'Quotes of several symbols, separated by commas',
  query: z.object({ symbols: text }),
  answer: z.union([
    z.object({
      s: z.literal('ok'),
      d: z.array(
        z.object({
          s: z.enum(['ok', 'error']),
          n: z.string(),
          v: z.record(z.string(), z.union([z.string(), z.number()])),
          errmsg: z.string().optional(),
        }),
      ),
    }),
    feedError,
  ]),
});

const marksQuery = z.object({ symbol: text, from: count, to: count, resolution: text });

const mark = z.object({
  id: z.string(),
  /** Seconds. */
  time: z.number().int(),
  color: z.string(),
  text: z.string(),
  label: z.string(),
  tooltip: z.array(z.string()),
  imageUrl: z.string(),
});

export type Mark = z.infer<typeof mark>;

export const marks = defineCall({
  methods: ['GET'],
  path: '/api/v3/marks',
  access: 'public',
  anyOrigin: true,
  tag,
  summary: 'The highest and lowest bar of a range',
  query: marksQuery,
  answer: z.array(mark),
});

export const timescaleMarks = defineCall({
  methods: ['GET'],
  path: '/api/v3/timescale_marks',
  access: 'public',
  anyOrigin: true,
  tag,
  summary: 'When the pair began to trade here',
  query: marksQuery,
  answer: z.array(mark),
});

/** Plain text, seconds since 1970. */
export const time = defineCall({
  methods: ['GET'],
  path: '/api/v3/time',
  access: 'public',
  anyOrigin: true,
  tag,
  summary: "The server's time in seconds",
  answer: z.number().int(),
});
