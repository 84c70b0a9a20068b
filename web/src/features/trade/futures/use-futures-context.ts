/** The person's leverage, wallet and position in a perpetual beside what every order form knows. */
import type { FuturesPosition, MarginMode, PositionSide } from '@cambist/contract/futures.ts';
import type { CoinPair } from '@cambist/contract/markets.ts';
import { useQuery } from '@tanstack/react-query';
import { crossBacking, oppositeLeg } from '../../../lib/futures/figures.ts';
import { orderedValue } from '../../../lib/futures/orders.ts';
import { settingsQuery, useFutures } from '../../../lib/futures/positions.ts';
import { currentIndexPrice, currentMark } from '../../../lib/futures/prices.ts';
import { marketTerms } from '../../../lib/futures/terms.ts';
import { figuresOf } from '../../../lib/market/pairs.ts';
import { currentTicker } from '../../../lib/market/tickers.ts';
import { currentBook } from '../../../lib/order-book/use-book.ts';
import { minimumsQuery, openOrdersQuery } from '../../../lib/queries/account.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import type { OrderContext } from '../ticket/order-summary.ts';
import type { FuturesContext, FuturesLeg } from './futures-state.ts';
import { useTermChoice } from './term-choice.ts';

/** Without the settings of the market there is nothing to compute from. */
export function useFuturesContext(pair: CoinPair): () => OrderContext | FuturesContext {
  const { pair_name: symbol } = pair;
  const settings = useQuery(settingsQuery(symbol)).data;
  const minimums = useQuery(minimumsQuery(symbol)).data?.price;
  const { live, all } = useFutures();
  const term = useTermChoice();
  const orders = useQuery({ ...openOrdersQuery('futures'), enabled: useSignedIn() }).data?.orders ?? [];
  const [base = pair.coin, quote = 'USDT'] = symbol.split('-');
  return () => {
    const common: OrderContext = {
      ...{ symbol, base, quote, minimums, priceScale: pair.price_scale, quantityScale: pair.quantity_scale },
      lastPrice: figuresOf(pair, currentTicker(symbol)).close,
      availableBase: undefined,
      availableQuote: live?.account.free,
      book: currentBook(pair),
    };
    if (!settings) return common;
    const own = live?.positions.filter(({ coin_pair: { pair_name: name } }) => name === symbol) ?? [];
    const { legs } = settings;
    const market = marketTerms(pair, settings);
    const legOf = (chosen: { leverage: number; margin_mode: MarginMode }, side?: PositionSide): FuturesLeg => {
      const position = own.find((one) => one.position_side === side);
      const isOwn = (one: FuturesPosition) => one.coin_pair.pair_name === symbol && one.position_side === side;
      const leg = { symbol, market, positionSide: side };
      return {
        leverage: chosen.leverage,
        ordered: { BUY: orderedValue(leg, orders, 'BUY'), SELL: orderedValue(leg, orders, 'SELL') },
        isIsolated: chosen.margin_mode === 'isolated',
        position,
        crossBacking: live && all && crossBacking(isOwn, all, live.account),
        opposite: side && all && oppositeLeg({ coin_pair: pair, position_side: side }, all),
      };
    };
    return {
      ...common,
      marks: { mark: currentMark(symbol) ?? own[0]?.mark_price ?? '', index: currentIndexPrice(symbol) ?? '' },
      futures: {
        market,
        ...legOf(settings),
        legs: legs && { long: legOf(legs.long, 'long'), short: legOf(legs.short, 'short') },
        positionSide: undefined,
        offer: settings.terms,
        term,
        maximumLeverage: settings.maximum_leverage,
        sellsEmpty: settings.sells_empty,
        free: live?.account.free,
      },
    };
  };
}
