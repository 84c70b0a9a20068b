/** The person's funds, the pair's minimums, its last price and its book, as the order arithmetic wants them. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { useQuery } from '@tanstack/react-query';
import { figuresOf } from '../../../lib/market/pairs.ts';
import { currentTicker } from '../../../lib/market/tickers.ts';
import { currentBook } from '../../../lib/order-book/use-book.ts';
import { fundsQuery, minimumsQuery } from '../../../lib/queries/account.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import type { OrderContext } from './order-summary.ts';

/**
 * A reader of the context as it is when it is called. The form does not follow the market: prices change many times a
 * second, and only its preview shows what they mean.
 */
export function useOrderContext(pair: CoinPair): () => OrderContext {
  const enabled = useSignedIn();
  const funds = useQuery({ ...fundsQuery, enabled });
  const minimums = useQuery({ ...minimumsQuery(pair.pair_name), enabled });
  const [base = pair.coin, quote = 'USDT'] = pair.pair_name.split('-');
  const available = (coin: string) => {
    if (!enabled) return '0';
    return funds.data && (funds.data.funds.find((entry) => entry.coin.name === coin)?.wallet_balance ?? '0');
  };
  return () => ({
    symbol: pair.pair_name,
    base,
    quote,
    priceScale: pair.price_scale,
    quantityScale: pair.quantity_scale,
    lastPrice: figuresOf(pair, currentTicker(pair.pair_name)).close,
    reference: currentTicker(pair.pair_name)?.refPx,
    availableBase: available(base),
    availableQuote: available(quote),
    minimums: enabled ? minimums.data?.price : undefined,
    book: currentBook(pair),
  });
}
