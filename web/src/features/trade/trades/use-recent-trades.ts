/** The newest public trades of a pair: a hundred by call, then the stream. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { send } from '../../../lib/api-client.ts';
import { usePolling } from '../../../lib/polling.ts';
import { POLLING_MS } from '../../../lib/polling-intervals.ts';
import { cancelPublish, publishSoon } from '../../../lib/publish-clock.ts';
import { readUpTo } from '../../../lib/queries/held.ts';
import { publicStream, useStale } from '../../../lib/streams.ts';

export interface PublicTrade {
  readonly tradeId: string;
  readonly px: string;
  readonly sz: string;
  readonly side: 'buy' | 'sell';
  /** Milliseconds. */
  readonly ts: string;
}

export const TRADES_KEPT = 100;
const NONE: readonly PublicTrade[] = [];

async function fetchTrades(symbol: string, signal: AbortSignal): Promise<readonly PublicTrade[]> {
  const response = await send(`/api/v5/market/trades?instId=${symbol}&limit=${TRADES_KEPT}`, { signal });
  const answer = (await response.json()) as { data: readonly PublicTrade[] };
  return answer.data;
}

/** Newest first, without doubles. */
export function mergeTrades(fresh: readonly PublicTrade[], known: readonly PublicTrade[]): PublicTrade[] {
  const seen = new Set<string>();
  return [...fresh, ...known]
    .filter((trade) => !seen.has(trade.tradeId) && seen.add(trade.tradeId))
    .sort((a, b) => Number(b.ts) - Number(a.ts) || Number(b.tradeId) - Number(a.tradeId))
    .slice(0, TRADES_KEPT);
}

const tradesKey = (symbol: string) => ['recent-trades', symbol];

function useLiveTrades(symbol: string): readonly PublicTrade[] {
  const queries = useQueryClient();
  const [live, setLive] = useState<{ symbol: string; trades: readonly PublicTrade[] }>({ symbol, trades: [] });
  useEffect(() => {
    let trades: readonly PublicTrade[] = [];
    let arrived: PublicTrade[] = [];
    const publish = () => {
      trades = mergeTrades(arrived, trades);
      arrived = [];
      setLive({ symbol, trades });
    };
    const leave = publicStream.subscribe<PublicTrade>(
      { channel: 'trades', instId: symbol },
      {
        onPush: (push) => {
          // A page in the background may wait long for its turn.
          arrived = [...arrived, ...push.data].slice(-TRADES_KEPT);
          publishSoon(publish);
        },
        // The stream says nothing of trades before it begins.
        onReset: (moment) => void readUpTo(queries, tradesKey(symbol), moment),
      },
    );
    return () => {
      cancelPublish(publish);
      leave();
    };
  }, [symbol, queries]);
  return live.symbol === symbol ? live.trades : NONE;
}

export function useRecentTrades(symbol: string) {
  const call = useQuery({
    queryKey: tradesKey(symbol),
    queryFn: ({ signal }) => fetchTrades(symbol, signal),
    staleTime: 0,
  });
  const live = useLiveTrades(symbol);
  usePolling(useStale(publicStream), POLLING_MS.recentTrades, async () => {
    await call.refetch();
  });
  const trades = useMemo(() => mergeTrades(live, call.data ?? []), [live, call.data]);
  return { ...call, trades };
}
