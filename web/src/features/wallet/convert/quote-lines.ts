/** A quote as lines of text: what one coin costs, against what, and what arrives. */
import type { Quote } from '@cambist/contract/convert.ts';
import type { CoinPair } from '@cambist/contract/markets.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatDecimal, formatExact, formatPercent } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { MONEY } from './convert-form.ts';

const NOTHING = '–';

export function rateText(price: string, pair: CoinPair): string {
  return `1 ${pair.coin} = ${formatDecimal(price, pair.price_scale)} ${MONEY}`;
}

export const inCoin = (amount: string, coin: string): string => `${formatExact(decimal(amount))} ${coin}`;

export function quoteLines(quote: Quote | undefined, pair: CoinPair) {
  return [
    { title: t('Price'), value: quote ? rateText(quote.price, pair) : NOTHING },
    { title: t('Reference price'), value: quote ? rateText(quote.reference_price, pair) : NOTHING },
    { title: t('Spread'), value: quote ? formatPercent(quote.spread_percent, 4) : NOTHING },
    { title: t('Max. fee'), value: quote ? inCoin(quote.fee, quote.to) : NOTHING },
    { title: t('You receive at least'), value: quote ? inCoin(quote.receive, quote.to) : NOTHING },
  ];
}
