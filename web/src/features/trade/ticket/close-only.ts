/** Why a pair that is delisted, or is about to be, takes no order of a kind. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { exchangeTime } from '../../../lib/exchange-time.ts';
import { t } from '../../../lib/i18n.ts';
import { isPerpetual } from '../../../lib/market/pairs.ts';
import { type Delisting, useDelisting } from '../../../lib/market/tickers.ts';
import { useNow } from '../../../lib/use-now.ts';
import type { Side } from './ticket.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** Undefined where the order may be placed. */
export function closeOnlyReason(
  pair: Pick<CoinPair, 'pair_name' | 'coin'>,
  { isOver, closeOnlyAt, endsAt }: Delisting,
  order: { readonly side: Side; readonly isReduceOnly: boolean },
  now: number,
): string | undefined {
  const values = { pair: pair.pair_name, coin: pair.coin };
  if (isOver) return t('{{pair}} was delisted. Trading has ended.', values);
  if (endsAt === 0 || now < closeOnlyAt) return undefined;
  if (!isPerpetual(pair.pair_name))
    return order.side === 'SELL' ? undefined : t('{{pair}} will be delisted. You can only sell {{coin}}.', values);
  return order.isReduceOnly
    ? undefined
    : t('{{pair}} will be delisted. You can only close your position, in the list of positions.', values);
}

export function useCloseOnly(pair: CoinPair, side: Side, isReduceOnly: boolean): string | undefined {
  const delisting = useDelisting(pair.pair_name);
  const isComing = !delisting.isOver && delisting.endsAt > 0 && delisting.closeOnlyAt > exchangeTime();
  useNow(isComing ? SECOND_MS : DAY_MS);
  return closeOnlyReason(pair, delisting, { side, isReduceOnly }, exchangeTime());
}
