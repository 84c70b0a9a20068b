/** How often the specification polls what a stream brings otherwise; used while the stream is silent. */
export const POLLING_MS = {
  volume: 10_000,
  /** Of a perpetual. */
  futuresVolume: 1_000,
  chart: 100,
  recentTrades: 1_000,
  orderBook: 10_000,
  allQuotes: 60_000,
} as const;
