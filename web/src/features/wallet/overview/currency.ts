/** The currency of the total balance, and what the exchange's own prices make of an amount in it. */
import { ticker } from '@cambist/contract/okx.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { call } from '../../../lib/api-client.ts';
import { every } from '../../../lib/away.ts';
import { type Decimal, decimal, divide, rescale } from '../../../lib/decimal.ts';
import { onDevice } from '../../../lib/storage.ts';

export const CURRENCIES = ['USDT', 'USDC', 'BTC', 'ETH'] as const;
export type Currency = (typeof CURRENCIES)[number];

export const TOTAL_DIGITS = 4;
const PRICE_MS = 5_000;

interface CurrencyState {
  readonly currency: Currency;
  choose(currency: Currency): void;
}

/** Kept on the device. */
export const useCurrency = create<CurrencyState>()(
  persist(
    (set) => ({ currency: 'USDT', choose: (currency) => set({ currency }) }),
    onDevice('cambist.wallet-currency'),
  ),
);

/** The instrument whose last price is one unit of a currency in USDT; none for USDT itself. */
export function instrumentOf(currency: Currency): string | undefined {
  if (currency === 'USDT') return undefined;
  return currency === 'USDC' ? 'USDC-USDT' : `${currency}-USD-SWAP`;
}

const priceQuery = (instId: string | undefined) =>
  queryOptions({
    queryKey: ['ticker', instId],
    queryFn: async ({ signal }) => {
      const { data } = await call(ticker, { query: { instId }, signal });
      return (data[0] as { readonly last: string } | undefined)?.last || null;
    },
    enabled: instId !== undefined,
    refetchInterval: every(PRICE_MS),
  });

/** An amount of USDT in a currency, cut downwards. Undefined where the currency has no price. */
export function inCurrency(amount: Decimal, currency: Currency, price: string | null | undefined): Decimal | undefined {
  if (currency === 'USDT') return rescale(amount, TOTAL_DIGITS, 'floor');
  return divide(amount, decimal(price), TOTAL_DIGITS, 'floor');
}

/** Undefined until both are known. */
export function useTotalIn(currency: Currency, total: string | undefined): Decimal | undefined {
  const price = useQuery(priceQuery(instrumentOf(currency)));
  return total === undefined ? undefined : inCurrency(decimal(total), currency, price.data);
}
