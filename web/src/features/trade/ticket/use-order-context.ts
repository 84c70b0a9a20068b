/** The person's funds, the pair's minimums and the last price, as the order arithmetic wants them. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { useQuery } from '@tanstack/react-query';
import { usePairFigures } from '../../../lib/market/pairs.ts';
import { fundsQuery, minimumsQuery } from '../../../lib/queries/account.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { useBook } from '../book/use-book.ts';
import type { OrderContext } from './order-summary.ts';

export function useOrderContext(pair: CoinPair): OrderContext {
  const enabled = useSignedIn();
  const funds = useQuery({ ...fundsQuery, enabled });
  const minimums = useQuery({ ...minimumsQuery(pair.pair_name), enabled });
  const figures = usePairFigures(pair);
  const book = useBook(pair);
  const [base = pair.coin, quote = 'USDT'] = pair.pair_name.split('-');
  const available = (coin: string) =>
    (enabled && funds.data?.funds.find((entry) => entry.coin.name === coin)?.wallet_balance) || '0';
  return {
    symbol: pair.pair_name,
    base,
    quote,
    priceScale: pair.price_scale,
    quantityScale: pair.quantity_scale,
    lastPrice: figures.close,
    availableBase: available(base),
    availableQuote: available(quote),
    minimums: enabled ? minimums.data?.price : undefined,
    book,
  };
}
