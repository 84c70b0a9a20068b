/** Registers the chart feed under `/api/v3`. */
import * as calls from '@cambist/contract/chart-feed.ts';
import type { CallServer } from '../../platform/calls.ts';
import { coinPairName } from '../instruments/service.ts';
import { type ChartFeed, SEARCH_LIMIT } from './chart-feed.ts';
import { EXCHANGE } from './chart-feed-format.ts';

interface Deps {
  readonly calls: CallServer;
  readonly chartFeed: ChartFeed;
}

/** Exchanges that widgets offer before they ask; nothing is listed there, so choosing one finds nothing. */
const exchanges = [
  { value: '', name: 'All', desc: 'All exchanges' },
  { value: EXCHANGE, name: 'Cambist', desc: 'Cambist' },
];

export function registerChartFeedRoutes({ calls: server, chartFeed }: Deps): void {
  server.serve(calls.config, () => ({
    supports_search: true,
    supports_group_request: false,
    supports_marks: true,
    supports_timescale_marks: true,
    supports_time: true,
    exchanges,
    symbols_types: [
      { name: 'All', value: '' },
      { name: 'Crypto', value: 'crypto' },
    ],
    supported_resolutions: [...calls.resolutions],
    currency_codes: ['USDT'],
  }));

  server.serve(calls.symbolInfoGroup, ({ query }) => {
    if (query.group !== undefined && !['', 'crypto', 'cambist'].includes(query.group.toLowerCase())) {
      return { s: 'error', errmsg: `unknown group ${query.group.slice(0, 20)}` };
    }
    const all = chartFeed.symbols();
    const fields = Object.keys(all[0] ?? {}) as (keyof (typeof all)[number])[];
    const columns = fields.map((field): [string, unknown] => [field, all.map((symbol) => symbol[field])]);
    return { s: 'ok', symbol: all.map((symbol) => symbol.name), ...Object.fromEntries(columns) };
  });

  server.serve(calls.symbols, ({ query }) => chartFeed.symbol(query.symbol));

  server.serve(calls.search, ({ query }) => {
    if (query.type && query.type !== 'crypto') return [];
    if (query.exchange && query.exchange !== EXCHANGE) return [];
    return chartFeed.search(query.query ?? '', query.limit ?? SEARCH_LIMIT).map(({ spec, name, image }) => ({
      symbol: coinPairName(spec),
      full_name: `${EXCHANGE}:${coinPairName(spec)}`,
      description: name,
      exchange: EXCHANGE,
      ticker: coinPairName(spec),
      type: 'crypto',
      logo_urls: [image],
    }));
  });

  server.serve(calls.historyAny, ({ query }) => chartFeed.history(query, query.resolution ?? '1'));
  server.serve(calls.historyTicker, ({ query }) => chartFeed.history(query, query.resolution ?? '1'));
  server.serve(calls.historyFiveMinutes, ({ query }) => chartFeed.history(query, query.resolution ?? '5'));
  server.serve(calls.historyOneHour, ({ query }) => chartFeed.history(query, query.resolution ?? '60'));
  server.serve(calls.historyFourHours, ({ query }) => chartFeed.history(query, query.resolution ?? '240'));
  server.serve(calls.historyOneDay, ({ query }) => chartFeed.history(query, query.resolution ?? '1D'));

  server.serve(calls.quotes, ({ query }) =>
    query.symbols === undefined
      ? { s: 'error' as const, errmsg: 'invalid symbol' }
      : { s: 'ok' as const, d: chartFeed.quotes(query.symbols) },
  );
  server.serve(calls.marks, ({ query }) => chartFeed.marks(query));
  server.serve(calls.timescaleMarks, ({ query }) => chartFeed.timescaleMarks(query));
  server.serve(calls.time, () => chartFeed.time());
}
