import type { CoinPair } from '@cambist/contract/markets.ts';
import { exchangeTime } from '../../../lib/exchange-time.ts';
import { countdown } from '../../../lib/futures/countdown.ts';
import { t } from '../../../lib/i18n.ts';
import { usePauseEnd } from '../../../lib/market/tickers.ts';
import { useNow } from '../../../lib/use-now.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** Why nothing can be ordered in a pair whose price has come to the end of its band, and for how long; undefined where it trades. */
export function usePause(pair: CoinPair): string | undefined {
  const end = usePauseEnd(pair.pair_name);
  // Without a pause nothing is drawn again, so that the time of the last drawing is not that of now.
  useNow(end === 0 ? DAY_MS : SECOND_MS);
  const left = end - exchangeTime();
  if (left <= 0) return undefined;
  return t('{{pair}} pauses, since its price has moved to the end of its band. Trading goes on in {{left}}.', {
    pair: pair.pair_name,
    left: countdown(left),
  });
}
