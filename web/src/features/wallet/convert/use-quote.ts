/** Quotes of the server for what is typed, and how long each still holds. */
import { convertQuote, type Quote } from '@cambist/contract/convert.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { pacedMs } from '../../../lib/away.ts';
import { decimal, toShortText } from '../../../lib/decimal.ts';
import type { ConvertEntry } from './convert-form.ts';

export interface HeldQuote extends Quote {
  /** Until when it holds by this device's clock, which may be another than the server's. Ms. */
  readonly until: number;
}

const TYPING_MS = 350;
/** A new quote is asked for this long before the last one ends. */
const AHEAD_MS = 1_000;
const LEAST_MS = 1_000;
const TICK_MS = 250;

export async function fetchQuote({ from, to, fromAmount }: ConvertEntry, signal?: AbortSignal): Promise<HeldQuote> {
  const body = { from, to, from_amount: toShortText(decimal(fromAmount)) };
  const askedAt = Date.now();
  const { quote } = await call(convertQuote, signal ? { body, signal } : { body });
  // Counted from the question, so that it never seems to hold longer than it does.
  return { ...quote, until: askedAt + quote.expires_at - quote.quoted_at };
}

/** Follows what is typed; asks again before a quote ends, while the page is looked at. */
export function useQuote(entry: ConvertEntry, isWanted: boolean) {
  const { from, to, fromAmount } = entry;
  const [amount] = useDebouncedValue(fromAmount, TYPING_MS);
  const isTyping = amount !== fromAmount;
  const query = useQuery({
    queryKey: ['account', 'convert-quote', from, to, amount],
    queryFn: ({ signal }) => fetchQuote({ ...entry, fromAmount: amount }, signal),
    enabled: isWanted && !isTyping,
    retry: false,
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data ? Math.max(LEAST_MS, state.data.until - Date.now() - AHEAD_MS) : pacedMs(LEAST_MS * 5),
  });
  const isCurrent = isWanted && !isTyping && !query.isPlaceholderData;
  return {
    quote: isCurrent ? query.data : undefined,
    error: isCurrent && query.isError ? query.error : undefined,
    isPending: isWanted && (isTyping || query.isFetching),
  };
}

/** Whole seconds, rounded up; 0 once it is over. */
export function useSecondsLeft(until: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((until - now) / 1000));
}
