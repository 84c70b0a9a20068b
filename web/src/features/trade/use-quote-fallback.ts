/** While the stream is silent, quotes of the feed stand in: the pair on screen often, all others seldom. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { receiveTicker } from '../../lib/market/tickers.ts';
import { usePolling } from '../../lib/polling.ts';
import { POLLING_MS } from '../../lib/polling-intervals.ts';
import { publicStream, useStale } from '../../lib/streams.ts';
import { fetchQuotes } from './chart/udf-client.ts';
import { useMarkets, useTerminal } from './terminal.ts';

async function takeQuotes(symbols: readonly string[], signal: AbortSignal): Promise<void> {
  for (const ticker of await fetchQuotes(symbols, signal)) receiveTicker(ticker);
}

export function useQuoteFallback(pair: CoinPair): void {
  const often = useTerminal().market === 'futures' ? POLLING_MS.futuresVolume : POLLING_MS.volume;
  const stale = useStale(publicStream);
  const others = (useMarkets().data ?? []).map((entry) => entry.pair_name).filter((name) => name !== pair.pair_name);
  usePolling(stale, often, (signal) => takeQuotes([pair.pair_name], signal));
  usePolling(stale, POLLING_MS.allQuotes, (signal) => takeQuotes(others, signal));
}
